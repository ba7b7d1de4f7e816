# The configuration as bash variables, so that a start does not run a program for every value.

def text(name; value): "emulate_\(name)=\(value | tostring | @sh)";
def list(name; values): "emulate_\(name)=(\(values | map(@sh) | join(" ")))";
def lines(name; values): text(name; values | join("\n"));

text("id"; .id), text("name"; .name), text("title"; if .id == "" then "" else ", emulating \(.name)" end),
text("cpus"; .cpus // ""), text("memory_mib"; .memory_mib // ""), text("default_memory_mib"; .default_memory_mib // ""),
text("whole_node"; .whole_node), text("program"; .program), text("runtime_on_login"; .runtime_on_login),
text("login"; .login), text("token_prompt"; .token_prompt), text("ibrun_mpi"; .ibrun_mpi),
list("gpus"; [.gpus[] | (.type // "") as $type | range(.count) | $type]),
list("runtime_modules"; .runtime_modules), list("other_modules"; .other_modules), list("tools"; .tools),
list("places"; [(.folders + [.variables[]])[] | capture("\\A/(?<top>[^/$]+)").top |
    select(test("\\A(scratch|scratch-tiny|home|tmp|var|usr|etc|run|dev|proc|sys|root|bin|sbin|lib[0-9a-z]*|boot|mnt|media|opt|srv|\\.\\.?)\\z") | not)] | unique),
lines("folders"; .folders), lines("submit_banner"; .submit_banner), lines("login_banner"; .login_banner),
lines("profile_sh"; [.variables | to_entries[] | "export \(.key)=\(.value)"]),
lines("profile_csh"; [.variables | to_entries[] | "setenv \(.key) \(.value)"]),
lines("profile_fish"; [.variables | to_entries[] | "set -gx \(.key) \(.value)"]),
lines("partitions"; [.partitions[] | "PartitionName=\(.name) Nodes=\(if .nodes == 1 then "gpu01" else "gpu01,gpu02" end)\(if .default then " Default=YES" else "" end) DefaultTime=\(.default_time) MaxTime=\(.max_time)\(if .most_nodes == 1 then " MaxNodes=1" else "" end) State=UP"]),
lines("job_submit"; [
    "local accounts = {\(.accounts | map("[\(tojson)] = true") | join(", "))}",
    "local required = \(.account_rule == "required" or (.account_rule == "if-several" and (.accounts | length) > 1))",
    "local free = \(.account_rule == "none")",
    "local whole_node = \(.whole_node)",
    "local time_required = \(.time_required)",
    "local cpus_per_gpu = {\([.partitions[] | select(.cpus_per_gpu > 0) | "[\(.name | tojson)] = \(.cpus_per_gpu)"] | join(", "))}",
    "local gpus_per_node = {\([.partitions[] | select(.gpus_known) | "[\(.name | tojson)] = \(.gpus_per_node)"] | join(", "))}",
    "local default_account = \(.accounts[0] // "" | tojson)",
    "local default_partition = \([.partitions[] | select(.default)][0].name | tojson)"]),
text("cli_filter"; "local banner = {\(.submit_banner | map(tojson) | join(", "))}"),
text("connection"; "  \"emulates\": \(.id | tojson),
  \"emulated_name\": \(.name | tojson),
  \"site_file\": \(.file | tojson),
  \"partitions\": \([.partitions[] | {name, default, nodes, gpus_per_node, max_time}] | tojson),
  \"accounts\": \(.accounts | tojson),
  \"account_rule\": \(.account_rule | tojson),"),
text("login_methods"; {key: ["key"], password: ["password"], "password-and-token": ["password", "one-time code"]}[.login] // ["key", "password"] | tojson),
text("prompts"; ["Password: ", .token_prompt] | tojson)

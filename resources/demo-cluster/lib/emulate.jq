# The configuration of the demo cluster: a site file ($site) and its emulation file ($emulate), each an array of at most
# one, merged into one object with every key set. Values that go into Slurm's files and shell files are checked here; an
# error names the field. Without a site it is the demo cluster's own configuration.

def die(field; why): error("\(field): \(why)");
def words(field; pattern; what): . as $value |
    if type == "string" and test(pattern) then . else die(field; "\($value | tojson) is not \(what)") end;
def word(field; what): words(field; "\\A[A-Za-z0-9][A-Za-z0-9_.+-]*\\z"; what);
def path(field): words(field; "\\A(/|\\$[A-Za-z_{])[A-Za-z0-9_./${}-]*\\z"; "an absolute path or one that begins with a variable");
def variable(field): words(field; "\\A[A-Za-z_][A-Za-z0-9_]*\\z"; "the name of a variable");
def lines(field): map(words(field; "\\A[^\\n\\r]*\\z"; "one line of text"));
def mib: if . == null then null
    else (capture("^(?<n>[0-9]+)(?<unit>[KMGTkmgt]?)") // die("memory"; "\(tojson) is not a size")) |
        (.n | tonumber) * ({"K": 0.0009765625, "": 1, "M": 1, "G": 1024, "T": 1048576}[.unit | ascii_upcase]) | floor end;
def time_limit: if . == null then "UNLIMITED" else words("time_limit"; "\\A[0-9]+(-[0-9]+)?(:[0-9]+){0,2}\\z"; "a time") end;
def largest: map(select(. != null)) | max;

# The GPUs of a node: each type once, with the most that a partition has of it.
def node_gpus($partitions; $said):
    def type: words("gpus"; "\\A[A-Za-z0-9][A-Za-z0-9_.-]*\\z"; "a GPU type");
    if $said then $said | to_entries | map({type: (.key | type), count: .value})
    else [$partitions[] | .gpus_per_node = (.gpus_per_node // .gpus_at_least // 0) | select(.gpus_per_node > 0)] | group_by(.gpu_type // "") |
        map({type: (.[0].gpu_type | if . == null then . else type end), count: (map(.gpus_per_node) | max)}) end;

def modules($names): $names // [] | map(words("modules"; "\\A[A-Za-z0-9][A-Za-z0-9_.+/-]*\\z"; "a module's name"));

def site_paths($site): [$site.scratch, $site.cache, $site.image_folder, ($site.binds // [])[]] | map(select(. != null));

# A variable at the start of the site's paths needs a value: the folder that every emulated site has.
def named_scratch($site; $emulate):
    [site_paths($site)[] | select(type == "string") | capture("\\A\\$\\{?(?<name>[A-Za-z_][A-Za-z0-9_]*)").name | select(. != "USER" and . != "HOME")] |
    map({(.): "/scratch/$USER"}) | add // {};

def shape($site; $emulate):
    ($site.partitions // []) as $partitions |
    ($site.gpu_request == "whole-node") as $whole |
    ([$partitions[] | select(.default)] | first // $partitions[0] | .name) as $default |
    ($site.logins[0].methods // [] | join(" ")) as $methods |
    {
        id: ($site.id | words("id"; "\\A[a-z0-9][a-z0-9-]*\\z"; "a site's id")),
        file: $file,
        name: ($site.name | words("name"; "\\A[^\\n\\r\"]+\\z"; "a name")),
        cpus: (($partitions | map(.cpus_per_node) | largest) // $emulate.cpus_per_node),
        memory_mib: (($partitions | map(.memory_per_node | mib) | largest) // ($emulate.memory_per_node | mib)),
        gpus: node_gpus($partitions; $emulate.gpus),
        default_memory_mib: ($site.default_memory_per_cpu | mib),
        partitions: [$partitions[] | {
            name: (.name | word("partitions"; "a partition's name")),
            default: (.name == $default),
            nodes: (if .nodes == 1 then 1 else 2 end),
            gpus_per_node: (.gpus_per_node // .gpus_at_least // 0),
            gpus_known: has("gpus_per_node"),
            default_time: "10:00",
            max_time: (.time_limit | time_limit),
            most_nodes: (.most_nodes // 2 | if . < 2 then 1 else 2 end),
            cpus_per_gpu: (.cpus_per_gpu // 0)}],
        whole_node: $whole,
        account_rule: ($site.account // "if-several"),
        accounts: ($emulate.accounts // ["rehearsal"] | map(word("accounts"; "an account's name"))),
        time_required: ($emulate.time_required // false),
        program: (if $site.runtime == "singularity" then "singularity" else "apptainer" end),
        # Where a module of the runtime is named, the runtime is only available with its module.
        runtime_modules: [modules($site.modules)[] | select(test("apptainer|singularity"; "i"))],
        other_modules: [(modules($site.modules) + modules($emulate.modules))[] | select(test("apptainer|singularity"; "i") | not)],
        runtime_on_login: (if $emulate.runtime_on_login != null then $emulate.runtime_on_login
            else $site.runtime_on_login != false end),
        variables: (named_scratch($site; $emulate) + ($emulate.variables // {}) | with_entries(.key |= variable("variables") | .value |= path("variables"))),
        folders: (($emulate.folders // []) + site_paths($site) | map(select(. != null) | path("folders")) | unique),
        tools: ([if $site.interactive == "idev" then "idev" else empty end, if $site.launcher == "ibrun" then "ibrun" else empty end]
            + ($emulate.tools // [] | map(word("tools"; "a tool's name"))) | unique),
        ibrun_mpi: ($emulate.ibrun_mpi // $site.mpi // "pmix" | word("ibrun_mpi"; "a plug-in of srun --mpi")),
        submit_banner: ($emulate.submit_banner // [] | lines("submit_banner")),
        login: ($emulate.login // (if $methods | test("code|token|otp"; "i") then "password-and-token"
            elif $methods | test("key") then "key" elif $methods | test("password") then "password" else "key" end) |
            words("login"; "\\A(key|password|password-and-token)\\z"; "one of key, password, password-and-token")),
        token_prompt: ($emulate.token_prompt // "Verification code: " | words("token_prompt"; "\\A[^\\n\\r\\]\\[]+\\z"; "one line without brackets")),
        login_banner: ($emulate.login_banner // ["Demo cluster, emulating \($site.name). This is not the real site."] | lines("login_banner"))
    } |
    if .partitions == [] then die("partitions"; "none is named; an emulated site needs at least one") else . end;

def plain: {
    id: "", file: "", name: "", cpus: null, memory_mib: null, gpus: [{type: null, count: 2}], default_memory_mib: null,
    partitions: [
        {name: "gpu", default: true, nodes: 2, gpus_per_node: 2, default_time: "30:00", max_time: "4:00:00", most_nodes: 2, cpus_per_gpu: 0},
        {name: "debug", default: false, nodes: 1, gpus_per_node: 2, default_time: "10:00", max_time: "30:00", most_nodes: 2, cpus_per_gpu: 0},
        {name: "cpu", default: false, nodes: 2, gpus_per_node: 0, default_time: "30:00", max_time: "8:00:00", most_nodes: 2, cpus_per_gpu: 0}],
    whole_node: false, account_rule: "none", accounts: [], time_required: false,
    program: "", runtime_modules: [], other_modules: [], runtime_on_login: true,
    variables: {SCRATCH: "/scratch/$USER"}, folders: ["/scratch/$USER"], tools: [], ibrun_mpi: "pmix", submit_banner: [],
    login: "all", token_prompt: "", login_banner: []
};

($site[0]) as $s | ($emulate[0] // {}) as $d |
if $s == null then plain
elif $s.unsupported then die($s.name; $s.unsupported)
elif $s.provided_by == "demo-cluster" then die($s.name; "that is the demo cluster itself: leave --as out")
else shape($s; $d) end

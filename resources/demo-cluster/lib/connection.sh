# shellcheck shell=bash disable=SC2154
# How the cluster is reached: keys, password, known_hosts, connection.json.

make_keys() {
    local key
    for key in id_ed25519 host_ed25519; do
        if ! [ -s "$ssh_dir/$key" ] || ! [ -s "$ssh_dir/$key.pub" ]; then
            rm -f -- "$ssh_dir/$key" "$ssh_dir/$key.pub"
            ssh-keygen -q -t ed25519 -N '' -C slipway-demo -f "$ssh_dir/$key" || return 1
        fi
    done
    local letters name
    for name in password registry_password; do
        [ -s "$ssh_dir/$name" ] && continue
        letters=$(head -c 1024 /dev/urandom | tr -dc "abcdefghjkmnpqrstuvwxyz23456789")
        (umask 077 && echo "${letters:0:16}" >"$ssh_dir/$name.new") && mv -- "$ssh_dir/$name.new" "$ssh_dir/$name" || return 1
    done
    if ! [ -s "$ssh_dir/totp" ]; then
        (umask 077 && head -c 20 /dev/urandom | base32 >"$ssh_dir/totp.new") && mv -- "$ssh_dir/totp.new" "$ssh_dir/totp" || return 1
    fi
}

# token_now: the six-digit code for the current 30 seconds
token_now() {
    base32 -d "$ssh_dir/totp" | perl -MDigest::SHA=hmac_sha1 -e '
        local $/; my $digest = hmac_sha1(pack("Q>", int(time / 30)), scalar <STDIN>);
        my $from = ord(substr($digest, -1)) & 15;
        printf "%06d\n", (unpack("N", substr($digest, $from, 4)) & 0x7fffffff) % 1000000'
}

command_token() {
    [ -s "$ssh_dir/totp" ] || { echo "There is no code before the first start. Run demo-cluster up." >&2; exit 1; }
    token_now
}

# keep_port: stores the port of this start, which the next start tries first
keep_port() {
    local port type key rest
    read -r port <"$run_dir/port" || return 1
    read -r type key rest <"$ssh_dir/host_ed25519.pub" || return 1
    echo "[127.0.0.1]:$port $type $key" >"$ssh_dir/known_hosts"
    echo "$port" >"$ssh_dir/port"
}

# as_demo COMMAND: runs it over ssh as any client would, with the cluster's login methods
as_demo() {
    local batch=yes
    case $emulate_login in password*) batch=no ;; esac
    # When ssh needs a password or a code, it runs lib/askpass.sh.
    SSH_ASKPASS=$lib/askpass.sh SSH_ASKPASS_REQUIRE=force \
        ssh -F none -o BatchMode=$batch -o NumberOfPasswordPrompts=1 -o LogLevel=ERROR -o ConnectTimeout=5 -o StrictHostKeyChecking=yes -o UserKnownHostsFile="$ssh_dir/known_hosts" \
        -o IdentitiesOnly=yes -i "$ssh_dir/id_ed25519" -p "$(cat "$ssh_dir/port")" demo@127.0.0.1 "$@" </dev/null
}

# login_facts: the login methods of the cluster, and where password and code are found
login_facts() {
    printf '"methods": %s' "$emulate_login_methods"
    [ "$emulate_login" != password-and-token ] || printf ', "prompts": %s, "totp_secret_file": %s, "token_command": [%s, "token"]' \
        "$emulate_prompts" "$(json_text "$ssh_dir/totp")" "$(json_text "$here/demo-cluster")"
}

# slurm_number KEY: of a node, from slurm.conf
slurm_number() { sed -n "s/^NodeName=gpu01 .*$1=\([0-9]*\).*/\1/p" "$base_dir/etc/slurm/slurm.conf"; }

write_connection() {
    local part images='' real=false
    while read -r part; do
        images+="${images:+,}{\"name\":\"docker://login:5000/$(image_of "$part")\",\"title\":$(json_text "${image_title[${part%-image}]}")}"
    done < <(image_parts)
    gpus_are_real && real=true
    cat >"$connection_file.new" <<TEXT
{
  "schema": 1,
  "host": "127.0.0.1",
  "port": $(cat "$ssh_dir/port"),
  "user": "demo",
  "other_users": ["demo-csh", "demo-fish"],
  "identity_file": $(json_text "$ssh_dir/id_ed25519"),
  "password_file": $(json_text "$ssh_dir/password"),
  "known_hosts_file": $(json_text "$ssh_dir/known_hosts"),
  "registry": "login:5000",
  "private_registry": {"host": "login:5001", "user": "demo", "password": $(json_text "$(cat "$ssh_dir/registry_password")")},
  "images": [$images],
$emulate_connection
  "login": {$(login_facts)},
  "slurm": {"release": "$slurm_word", "debian": "${release_suite[$slurm_word]}", "version": $(json_text "$(in_node login sinfo --version | awk '{ print $2 }')")},
  "mpi": "$(has_pmix && echo pmix)",
  "nodes": 2,
  "cpus_per_node": $(slurm_number CPUs),
  "memory_per_node_mib": $(slurm_number RealMemory),
  "gpu": {"real": $real, "type": $(json_text "$(gpu_types_of gpu01 | head -n 1 | cut -d ' ' -f 1)"), "per_node": [$(gpu_devices_of gpu01 | wc -l), $(gpu_devices_of gpu02 | wc -l)], "reason": $(json_text "$(gpu_facts reason)")},
  "scratch": "/scratch/demo",
  "tiny_scratch": "/scratch-tiny",
  "state_dir": $(json_text "$state_dir"),
  "log_dir": $(json_text "$log_dir")
}
TEXT
    mv -- "$connection_file.new" "$connection_file"
}

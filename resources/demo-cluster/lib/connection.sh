# shellcheck shell=bash
# How the cluster is reached: keys, password, known_hosts, connection.json.

make_keys() {
    local key
    for key in id_ed25519 host_ed25519; do
        if ! [ -s "$ssh_dir/$key" ] || ! [ -s "$ssh_dir/$key.pub" ]; then
            rm -f -- "$ssh_dir/$key" "$ssh_dir/$key.pub"
            ssh-keygen -q -t ed25519 -N '' -C slipway-demo -f "$ssh_dir/$key" || return 1
        fi
    done
    if ! [ -s "$ssh_dir/password" ]; then
        local letters
        letters=$(head -c 1024 /dev/urandom | tr -dc "abcdefghjkmnpqrstuvwxyz23456789")
        (umask 077 && echo "${letters:0:16}" >"$ssh_dir/password.new") && mv -- "$ssh_dir/password.new" "$ssh_dir/password" || return 1
    fi
}

# keep_port: the port of this start becomes the one that the next start tries first
keep_port() {
    local port type key rest
    read -r port <"$run_dir/port" || return 1
    read -r type key rest <"$ssh_dir/host_ed25519.pub" || return 1
    echo "[127.0.0.1]:$port $type $key" >"$ssh_dir/known_hosts"
    echo "$port" >"$ssh_dir/port"
}

# as_demo COMMAND: over ssh, with the key, as any client would
as_demo() {
    ssh -F none -o BatchMode=yes -o ConnectTimeout=5 -o StrictHostKeyChecking=yes -o UserKnownHostsFile="$ssh_dir/known_hosts" \
        -o IdentitiesOnly=yes -i "$ssh_dir/id_ed25519" -p "$(cat "$ssh_dir/port")" demo@127.0.0.1 "$@" </dev/null
}

image_title() {
    case $1 in
        python-image) echo "Python 3.13" ;;
        pytorch-image) echo "PyTorch 2.6 for CPUs" ;;
    esac
}

write_connection() {
    local part images='' real=false
    while read -r part; do
        images+="${images:+,}{\"name\":\"docker://login:5000/$(image_of "$part")\",\"title\":$(json_text "$(image_title "$part")")}"
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
  "images": [$images],
  "partitions": [
    {"name": "gpu", "default": true, "nodes": 2, "max_time": "04:00:00"},
    {"name": "debug", "default": false, "nodes": 1, "max_time": "00:30:00"},
    {"name": "cpu", "default": false, "nodes": 2, "max_time": "08:00:00"}
  ],
  "nodes": 2,
  "cpus_per_node": $(nproc),
  "memory_per_node_mib": $(sed -n 's/^NodeName=gpu01 .*RealMemory=\([0-9]*\).*/\1/p' "$base_dir/etc/slurm/slurm.conf"),
  "gpu": {"real": $real, "type": $(json_text "$(gpu_facts type)"), "per_node": [$(gpu_devices_of gpu01 | wc -l), $(gpu_devices_of gpu02 | wc -l)], "reason": $(json_text "$(gpu_facts reason)")},
  "scratch": "/scratch/demo",
  "tiny_scratch": "/scratch-tiny",
  "state_dir": $(json_text "$state_dir"),
  "log_dir": $(json_text "$log_dir")
}
TEXT
    mv -- "$connection_file.new" "$connection_file"
}

#!/usr/bin/env bash
# The first process of the cluster's namespaces: its network, its nodes, and the relay from a socket file to sshd.
# When it ends, the kernel ends everything in the cluster.
set -uo pipefail
lib=$(dirname -- "${BASH_SOURCE[0]}")
# shellcheck source=paths.sh
. "$lib/paths.sh"
# shellcheck source=releases.sh
. "$lib/releases.sh"
# shellcheck source=cgroups.sh
. "$lib/cgroups.sh"
# shellcheck source=emulate.sh
. "$lib/emulate.sh"
# shellcheck source=runtime.sh
. "$lib/runtime.sh"
# shellcheck source=gpu.sh
. "$lib/gpu.sh"
# shellcheck source=processes.sh
. "$lib/processes.sh"
# shellcheck source=configure.sh
. "$lib/configure.sh"
# shellcheck source=configure-slurm.sh
. "$lib/configure-slurm.sh"

give_up() { echo "supervisor: $*" >&2; exit 1; }

mount --make-rprivate / || give_up "cannot make the mounts private"
mkdir -p "$run_dir/hostproc" "$run_dir/tiny" "$run_dir/root" "$run_dir/nodes"
# The host's process table stays readable: the nodes take from it the ids that "shell" and "down" need.
mount --rbind /proc "$run_dir/hostproc" || give_up "cannot bind /proc"
mount -t proc proc /proc || give_up "cannot mount a /proc of its own (is part of /proc hidden, as in some containers?)"
read -r line <"$run_dir/hostproc/self/stat"
read -ra fields <<<"${line##*) }"
echo "${line%% *} ${fields[19]}" >"$run_dir/supervisor.pid"

# Mounted once, before the nodes start, so that all of them share the same 2 MiB.
mount -t tmpfs -o size=2m,mode=1777 tmpfs "$run_dir/tiny" || give_up "cannot mount a tmpfs"

ip link set lo up
ip link add cluster type bridge || give_up "cannot make a network bridge (is the kernel module 'bridge' there?)"
ip addr add "$(node_address gateway)/24" dev cluster
ip link set cluster up

read_emulation
read_release
configure_root || give_up "cannot write the configuration"

inner_of() { cat "$run_dir/nodes/$1.inner" 2>/dev/null; }

start_node() {
    unshare --mount --net --pid --ipc --uts --fork --kill-child=KILL --propagation private -- \
        bash "$lib/node.sh" "$1" >>"$log_dir/node-$1.log" 2>&1 </dev/null &
}

plug_in() {
    local node=$1 inner
    for _ in {1..200}; do
        inner=$(inner_of "$node")
        [ -n "$inner" ] && break
        sleep 0.05
    done
    ip link add "to-$node" type veth peer name eth0 netns "$inner" || give_up "cannot make the cable to $node (is the kernel module 'veth' there?)"
    ip link set "to-$node" master cluster up
}

for node in "${node_names[@]}"; do start_node "$node"; done
for node in "${node_names[@]}"; do plug_in "$node"; done

cd "$run_dir" || give_up "no $run_dir"
socat UNIX-LISTEN:ssh.sock,fork,mode=600,unlink-early "TCP:$(node_address login):22,nodelay" 2>>"$log_dir/relay.log" &

finish() {
    local node
    # slurmctld first, so that it saves its state.
    for node in "${node_names[@]}"; do kill -TERM "$(inner_of "$node")" 2>/dev/null; done
    for _ in {1..40}; do
        for node in "${node_names[@]}"; do
            kill -0 "$(inner_of "$node")" 2>/dev/null && { sleep 0.1; continue 2; }
        done
        break
    done
    exit 0
}
trap finish TERM
# Orphaned processes of the cluster are reparented to this process; bash reaps them.
while :; do wait -n || sleep 1; done

#!/usr/bin/env bash
# The only process on the host's side while the cluster runs: parent of its namespaces and of the relay from
# 127.0.0.1:PORT to its sshd. Started by "up" in a session of its own; ends with the cluster, and on TERM ends the cluster.
set -uo pipefail
lib=$(dirname -- "${BASH_SOURCE[0]}")
# The caller of "up" may wait for the end of its output, so no inherited file may stay open here.
for fd in /proc/self/fd/*; do
    fd=${fd##*/}
    [ "$fd" -gt 2 ] && [ "$fd" -lt 255 ] && eval "exec $fd>&-"
done
# shellcheck source=paths.sh
. "$lib/paths.sh"
# shellcheck source=say.sh
. "$lib/say.sh"
# shellcheck source=processes.sh
. "$lib/processes.sh"

cd "$run_dir" || exit 1           # for a short socket path: at most 107 characters are allowed
remember $$ host-supervisor.pid
relay=

finish() {
    trap '' TERM INT HUP
    if [ -n "$relay" ]; then
        # The relay and its children, one for each open connection, which would outlive it for a moment.
        # shellcheck disable=SC2046
        kill -KILL "$relay" $(cat "/proc/$relay/task/$relay/children" 2>/dev/null) 2>/dev/null
    fi
    # The cluster's first process gets time to end jobs and to save Slurm's state; then the kernel ends all its processes.
    end_remembered supervisor.pid TERM && wait_until 6 supervisor_gone
    end_remembered supervisor.pid KILL
    kill -KILL "$cluster" 2>/dev/null
    wait "$cluster" 2>/dev/null
    rm -f -- host-supervisor.pid supervisor.pid nodes/*.pid nodes/*.inner port ready ssh.sock
    exit 0
}
supervisor_gone() { ! remembered supervisor.pid >/dev/null; }
stop=no
trap 'stop=yes' TERM INT
trap '' HUP

setpriv --pdeathsig KILL -- unshare "${mapping[@]}" --mount --net --pid --ipc --fork --kill-child=KILL -- \
    bash "$lib/supervisor.sh" &
cluster=$!

# try_port PORT: true if the relay listens on it
try_port() {
    setpriv --pdeathsig KILL -- socat "TCP-LISTEN:$1,bind=127.0.0.1,reuseaddr,fork,nodelay" UNIX-CONNECT:ssh.sock 2>>"$log_dir/relay.log" &
    relay=$!
    wait_until 2 port_decided
    kill -0 "$relay" 2>/dev/null
}
# Decided: the relay has ended (the port is taken), or it listens. Linux names a listening socket "0A" in this table.
port_decided() {
    ! kill -0 "$relay" 2>/dev/null ||
        grep -q "$(printf ': 0100007F:%04X 00000000:0000 0A' "$port")" /proc/net/tcp
}

port=$(cat "$ssh_dir/port" 2>/dev/null)
[ -n "$port" ] || port=$((20000 + RANDOM % 12000))
for _ in {1..50}; do
    { exec 9<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null && exec 9>&- || { try_port "$port" && break; }
    relay=
    port=$((20000 + RANDOM % 12000))
done
[ -n "$relay" ] || { echo "no free port on 127.0.0.1 between 20000 and 32000" >&2; stop=yes; }
echo "$port" >port

# wait -n returns when either ends, or when a signal arrives.
while [ $stop = no ] && kill -0 "$cluster" 2>/dev/null && kill -0 "$relay" 2>/dev/null; do
    wait -n "$cluster" "$relay"
done
finish

#!/usr/bin/env bash
# Stays on the host while the cluster runs: holds its namespaces and the relay from 127.0.0.1:PORT to its sshd.
# Started by "up" in a session of its own; ends when the cluster ends, and ends the cluster when told to (TERM).
set -uo pipefail
lib=$(dirname -- "${BASH_SOURCE[0]}")
# Whoever started "up" waits for the end of its output: nothing of the caller's may stay open here.
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

cd "$run_dir" || exit 1           # the socket's name must stay short: a path may have 107 characters
remember $$ keeper.pid
relay=

finish() {
    trap '' TERM INT HUP
    if [ -n "$relay" ]; then
        # With the relay its children, one for each open connection: they would outlive it for a moment.
        # shellcheck disable=SC2046
        kill -KILL "$relay" $(cat "/proc/$relay/task/$relay/children" 2>/dev/null) 2>/dev/null
    fi
    # The cluster's first process gets time to end jobs and to save Slurm's state; then the kernel ends all of them.
    end_remembered supervisor.pid TERM && wait_until 6 supervisor_gone
    end_remembered supervisor.pid KILL
    kill -KILL "$cluster" 2>/dev/null
    wait "$cluster" 2>/dev/null
    rm -f -- keeper.pid supervisor.pid nodes/*.pid nodes/*.inner port ready ssh.sock
    exit 0
}
supervisor_gone() { ! remembered supervisor.pid >/dev/null; }
stop=no
trap 'stop=yes' TERM INT
trap '' HUP

setpriv --pdeathsig KILL -- unshare "${mapping[@]}" --mount --net --pid --ipc --fork --kill-child=KILL -- \
    bash "$lib/supervisor.sh" &
cluster=$!

# try_port PORT: true if the relay listens there
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

# wait -n returns when either ends, or when a signal came.
while [ $stop = no ] && kill -0 "$cluster" 2>/dev/null && kill -0 "$relay" 2>/dev/null; do
    wait -n "$cluster" "$relay"
done
finish

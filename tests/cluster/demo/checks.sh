# shellcheck shell=bash
# The claims about a demo cluster that must hold for root and for an ordinary user alike. Sourced by check-root.sh and
# by check-user.sh; SLIPWAY_DEMO_DIR names the instance. Each claim prints one line; the last line counts them.

demo_cluster=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../../resources/demo-cluster" && pwd)/demo-cluster
export SLIPWAY_DEMO_IMAGES=${SLIPWAY_DEMO_IMAGES:-python}
failures=0

# check CLAIM COMMAND...
check() {
    local claim=$1 begun=$SECONDS output
    shift
    if output=$("$@" 2>&1); then
        printf 'pass  %s (%d s)\n' "$claim" $((SECONDS - begun))
    else
        printf 'FAIL  %s (%d s)\n%s\n' "$claim" $((SECONDS - begun)) "$(tail -n 20 <<<"$output" | sed 's/^/      | /')"
        failures=$((failures + 1))
    fi
}

# need_programs PROGRAM...: a check that cannot run fails, and names what it misses
need_programs() {
    local program missing=
    for program in "$@"; do command -v "$program" >/dev/null || missing+=" $program"; done
    [ -z "$missing" ] && return
    echo "FAIL  cannot run: missing programs:$missing" >&2
    exit 1
}

# as USER COMMAND: over ssh, as any client
as() {
    local user=$1 ssh_dir=$SLIPWAY_DEMO_DIR/ssh
    shift
    ssh -F none -o BatchMode=yes -o ConnectTimeout=10 -o StrictHostKeyChecking=yes -o UserKnownHostsFile="$ssh_dir/known_hosts" \
        -o IdentitiesOnly=yes -i "$ssh_dir/id_ed25519" -p "$(cat "$ssh_dir/port")" "$user@127.0.0.1" "$@" </dev/null
}

comes_up() {
    local output
    output=$("$demo_cluster" up --json) || { tail -n 3 <<<"$output"; return 1; }
    [[ $(head -n 1 <<<"$output") == '{"event":"plan",'* ]] && [[ $(tail -n 1 <<<"$output") == '{"event":"ready","connection":"'* ]]
}
status_is() { "$demo_cluster" status --json | tee /dev/stderr | grep -Eq "\"state\":\"($1)\""; }
logs_in() { [ "$(as "$1" id -un | tail -n 1)" = "$1" ]; }
root_is_refused() { ! as root true; }
two_nodes() { [ "$(as demo srun -N2 hostname | sort | tr '\n' ' ')" = "gpu01 gpu02 " ]; }
gres_is_given() {
    local seen
    # shellcheck disable=SC2016
    seen=$(as demo 'srun --gres=gpu:1 sh -c "echo \$CUDA_VISIBLE_DEVICES \$SLURM_GPUS_ON_NODE"')
    echo "$seen"
    [ "$seen" = "0 1" ]
}
pmix_is_there() { as demo srun --mpi=list 2>&1 | grep -qw pmix; }
scratch_is_set() { [ "$(as demo "bash -lc 'echo \$SCRATCH'" | tail -n 1)" = /scratch/demo ]; }
tiny_is_shared() {
    as demo 'head -c 3000000 /dev/zero > /scratch-tiny/full; srun -w gpu02 stat -c %s /scratch-tiny/full; rm /scratch-tiny/full' 2>&1 | tee /dev/stderr | grep -qx 2097152
}
image_job() {
    local output
    output=$(as demo "cd /scratch/demo && printf '%s\n' '#!/bin/bash' 'export APPTAINER_CACHEDIR=/scratch/demo/.cache' 'apptainer pull --force --no-https p.sif docker://login:5000/demo/python:3.13' 'apptainer exec --nv p.sif python -c \"print(6*7)\"' > job.sh && sbatch --wait --comment=check -o job.out job.sh; tail -n 20 job.out; rm -rf p.sif .cache" 2>&1)
    echo "$output"
    grep -qx 42 <<<"$output"
}

# start_of PID: its start time; nothing if it has ended (Z: only its parent has not looked yet)
start_of() {
    local line fields
    { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
    read -ra fields <<<"${line##*) }"
    [ "${fields[0]}" = Z ] || echo "${fields[19]}"
}
# descendants PID: it and all below it, each with its start time
descendants() {
    local child children
    echo "$1 $(start_of "$1")"
    children=$(cat "/proc/$1/task"/*/children 2>/dev/null)
    for child in $children; do descendants "$child"; done
}
down_leaves_nothing() {
    local host_supervisor before pid begun left=
    read -r host_supervisor _ <"$SLIPWAY_DEMO_DIR/run/host-supervisor.pid"
    before=$(descendants "$host_supervisor")
    [ "$(wc -l <<<"$before")" -gt 10 ] || { echo "only these were running: $before"; return 1; }
    "$demo_cluster" down --json || return 1
    while read -r pid begun; do
        [ -n "$begun" ] && [ "$(start_of "$pid")" = "$begun" ] && left+=" $pid"
    done <<<"$before"
    [ -z "$left" ] || { ps -o pid,ppid,stat,args -p "${left# }"; return 1; }
    ! grep -q "$SLIPWAY_DEMO_DIR" /proc/self/mounts
}
# warm_start_within SECONDS: on an idle machine; on a busy one, longer by the load of a processor
warm_start_within() {
    local begun=${EPOCHREALTIME/./} took load limit
    read -r load _ </proc/loadavg
    comes_up || return 1
    took=$(((${EPOCHREALTIME/./} - begun) / 1000))
    limit=$(($1 * 1000 + $1 * 1000 * ${load%.*} / $(nproc)))
    echo "      warm start: $took ms (load $load)" >&3
    [ $took -le $limit ]
}
# As after a kill in the middle of a download, or files deleted by mistake
lost_blob_is_repaired() {
    "$demo_cluster" down && rm -rf -- "$SLIPWAY_DEMO_DIR"/registry/docker/registry/v2/blobs
    status_is partial && comes_up && status_is running && image_job
}
killed_build_is_repaired() {
    local pid
    rm -f -- "$SLIPWAY_DEMO_DIR/stamps/python-image"
    "$demo_cluster" up --json >/dev/null &
    pid=$!
    for _ in {1..100}; do [ -d "$SLIPWAY_DEMO_DIR/work/python-image" ] && break; sleep 0.1; done
    sleep 4
    kill -KILL $pid
    wait $pid
    # A short-lived helper of the killed program may hold its lock for another moment.
    for _ in {1..30}; do status_is 'partial|broken' && break; sleep 0.1; done
    status_is 'partial|broken' && comes_up
}
killed_host_supervisor_leaves_nothing() {
    local host_supervisor supervisor rest
    read -r host_supervisor rest <"$SLIPWAY_DEMO_DIR/run/host-supervisor.pid"
    read -r supervisor rest <"$SLIPWAY_DEMO_DIR/run/supervisor.pid"
    kill -KILL "$host_supervisor"
    for _ in {1..50}; do [ -d "/proc/$supervisor" ] || break; sleep 0.1; done
    ! [ -d "/proc/$supervisor" ] && status_is stopped && comes_up
}
reset_leaves_nothing() { "$demo_cluster" reset --json && ! [ -e "$SLIPWAY_DEMO_DIR" ] && status_is absent; }

# All but the last of them, which deletes the instance: reset_claim.
all_claims() {
    check "up builds and starts the cluster" comes_up
    check "status says running" status_is running
    check "demo logs in with the key" logs_in demo
    check "demo-csh logs in" logs_in demo-csh
    check "demo-fish logs in" logs_in demo-fish
    check "root is refused over ssh" root_is_refused
    check "a job runs on two nodes" two_nodes
    check "a job gets its GPU" gres_is_given
    check "srun knows pmix" pmix_is_there
    check "a login shell knows SCRATCH" scratch_is_set
    check "the tiny file system is shared by all nodes" tiny_is_shared
    check "an image is pulled and run in a job" image_job
    check "up on a running cluster says ready" comes_up
    check "down leaves no process and no mount" down_leaves_nothing
    check "a warm start takes at most 10 s" warm_start_within 10
    check "a killed host supervisor ends the cluster, and up repairs it" killed_host_supervisor_leaves_nothing
    check "lost files of an image are noticed and restored" lost_blob_is_repaired
    check "a build that was killed is finished by the next up" killed_build_is_repaired
}
reset_claim() { check "reset leaves nothing" reset_leaves_nothing; }

conclude() {
    if [ $failures -gt 0 ]; then
        echo "$failures claims failed"
        exit 1
    fi
    echo "all claims hold"
}
exec 3>&1
# shellcheck source=image-claims.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/image-claims.sh"

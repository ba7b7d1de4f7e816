#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The demo cluster with each release of Slurm, and Slipway on it:
#   check-releases.sh SLIPWAY_CLI [RELEASE...]
# The cluster is one of its own, beside the tests' (SLIPWAY_DEMO_DIR with "-releases" added); it is stopped, not deleted,
# so that the next run builds nothing; what the tests' instance has is copied. Its jobs need no image, so only the smallest is made.
set -uo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
cli=${1:?the path of slipway-cli}
shift
releases=("$@")
[ $# -gt 0 ] || releases=(20.11 22.05 newest 24.11)
SLIPWAY_DEMO_FROM=${SLIPWAY_DEMO_DIR:-${XDG_STATE_HOME:-$HOME/.local/state}/slipway/test-cluster}
SLIPWAY_DEMO_DIR=$SLIPWAY_DEMO_FROM-releases
export SLIPWAY_DEMO_DIR SLIPWAY_DEMO_FROM SLIPWAY_DEMO_IMAGES=base
# shellcheck source=checks.sh
. "$here/checks.sh"
need_programs mmdebstrap socat unshare nsenter setpriv flock ip ssh ssh-keygen jq perl

home=$(mktemp -d "${TMPDIR:-/var/tmp}/demo-releases.XXXXXX")
limit_program=
# What still follows a job then follows it no more.
end_limit_program() { [ -z "$limit_program" ] || { pkill -P "$limit_program"; kill "$limit_program"; } 2>/dev/null; }
trap 'end_limit_program; "$demo_cluster" down >/dev/null 2>&1; rm -rf -- "$home"' EXIT
trap 'exit 130' INT TERM
SLIPWAY_RESOURCES=$(cd -- "$here/../../../resources" && pwd)
export SLIPWAY_RESOURCES XDG_DATA_HOME=$home/data XDG_CONFIG_HOME=$home/config
mkdir -p "$XDG_DATA_HOME" "$XDG_CONFIG_HOME"

# claim TEXT COMMAND...: check() with a runtime folder of its own, in which calls of the scheduler are counted: the programs of
# one person may make 12 a minute, and would wait for most of the time here.
claim() {
    XDG_RUNTIME_DIR=$(mktemp -d "$home/run.XXXX")
    export XDG_RUNTIME_DIR
    check "$release: $1" "${@:2}"
}
connection() { jq -r "$1" "$SLIPWAY_DEMO_DIR/connection.json"; }
# run_of FILE QUERY: of the last object about the run that "run --json" has printed there
run_of() { jq -rs "map(select(.run != null and .phase != null)) | last | $2" "$1"; }
# launch FILE WORD...: "Run a command" without an image, its JSON in the file
launch() {
    local file=$1
    shift
    "$cli" run run-a-command --site demo --json --set image= --set cpus=1 --set memory=500M --set gpus=0 "$@" >"$file" 2>"$file.errors"
}
# ended FILE WANTED: its phase and exit code
ended() {
    local seen
    seen=$(run_of "$1" '"\(.phase) \(.exit_code)"')
    [ "$seen" = "$2" ] || { echo "it ended as '$seen', not '$2'"; tail -n 5 "$1"; cat "$1.errors"; return 1; }
}
printed() { jq -r '.log // empty' "$1" | grep -qx -- "$2" || { cat "$1" "$1.errors"; return 1; }; }

release_comes_up() { "$cli" demo up --slurm "$release" && [ "$("$cli" demo status --json | jq -rs 'last.slurm')" = "$release" ]; }
version_is_right() {
    local version said
    version=$(connection .slurm.version)
    said=$(as demo sinfo --version)
    echo "connection.json: $version, sinfo: $said"
    [ "$said" = "slurm-wlm $version" ] || [ "$said" = "slurm $version" ] || return 1
    [ "$release" = newest ] || [[ $version == "$release".* ]]
}
discovers() {
    # OpenSSH takes "~" from the password file, so its files are named.
    mkdir -p "$home/bin"
    printf 'Host rehearsal\n HostName 127.0.0.1\n Port %s\n User demo\n IdentityFile %s\n UserKnownHostsFile %s\n' \
        "$(connection .port)" "$(connection .identity_file)" "$(connection .known_hosts_file)" >"$home/ssh_config"
    printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$(command -v ssh)" "$home/ssh_config" >"$home/bin/ssh"
    chmod 755 "$home/bin/ssh"
    rm -f "$XDG_CONFIG_HOME/slipway/sites/found.json" "$XDG_DATA_HOME/slipway/sites/found.json"
    PATH=$home/bin:$PATH "$cli" sites discover rehearsal --save found --json >"$home/found" || { cat "$home/found"; return 1; }
    [ "$(jq -rs 'last | [.partitions[].name] | sort | join(" ")' "$home/found")" = "cpu debug gpu" ] || { cat "$home/found"; return 1; }
}
# shellcheck disable=SC2016 # the job's variables
batch() { launch "$home/batch" --set 'command=echo "$SLURM_JOB_NUM_NODES of $SLURM_CLUSTER_NAME"' && ended "$home/batch" "done 0" && printed "$home/batch" "1 of slipway-demo"; }
interactive() { launch "$home/inter" --interactive --set 'command=echo inner' && ended "$home/inter" "done 0" && printed "$home/inter" inner; }
failing() { ! launch "$home/failing" --set 'command=bash -c "exit 7"' && ended "$home/failing" "failed 7"; }
# "Run a command" is for one node; a program of one's own may have several. On the site as it was found; the newest release
# lacks the PMIx plug-in, and the site of the demo cluster has to do without it there.
two_nodes_run() {
    local site=found
    [ "$release" != newest ] || site=demo
    mkdir -p "$home/program" && echo hostname >"$home/program/where.sh"
    PATH=$home/bin:$PATH "$cli" run "$home/program/where.sh" --site $site --json --set image= --set nodes=2 --set cpus=1 --set memory=500M --set gpus=0 \
        >"$home/two" 2>"$home/two.errors" || { cat "$home/two" "$home/two.errors"; return 1; }
    ended "$home/two" "done 0" && printed "$home/two" gpu01 && printed "$home/two" gpu02
}
cancelled() {
    local run
    launch "$home/cancel" --detach --set 'command=sleep 300' || { cat "$home/cancel" "$home/cancel.errors"; return 1; }
    # It was left before Slipway said anything about its phase.
    run=$(jq -rs 'last.run' "$home/cancel")
    "$cli" cancel "$run" && "$cli" show "$run" --json >"$home/shown" || return 1
    [ "$(run_of "$home/shown" .phase)" = cancelled ] || { cat "$home/shown"; return 1; }
    wait_gone "$(run_of "$home/shown" .job)"
}
# wait_gone JOB: it runs no more; its number is known to Slurm for five minutes
wait_gone() {
    for _ in {1..30}; do [ "$(as demo squeue -h -t R,CG,PD -j "$1" -o %T)" = "" ] && return; sleep 1; done
    echo "job $1 still runs"
    return 1
}
# The shortest limit is a minute, so its end is moved: from there on Slurm does what it always does, and looks every
# half minute whether a limit is over. That passes while the other claims are checked.
begin_time_limit() {
    local job=
    # A file of the release before would be taken for this one's.
    : >"$home/timed"
    (XDG_DATA_HOME=$home/limit && mkdir -p "$XDG_DATA_HOME" && launch "$home/timed" --set time=0:01:00 --set 'command=sleep 300') &
    limit_program=$!
    for _ in {1..100}; do
        job=$(jq -rs 'map(select(.phase == "running").job) | last // empty' "$home/timed" 2>/dev/null)
        [ -z "$job" ] || break
        sleep 0.2
    done
    [ -n "$job" ] && "$demo_cluster" shell login scontrol update "jobid=$job" EndTime=now+1
}
# time_limit_ended CODE: what the program that followed it has printed and returned
time_limit_ended() {
    tail -n 3 "$home/timed"
    [ "$1" -ne 0 ] && [ "$(run_of "$home/timed" .phase)" = failed ] &&
        run_of "$home/timed" '"\(.sentence) \(.error)"' | grep -qi 'time limit'
}

for release in "${releases[@]}"; do
    begun=$SECONDS
    claim "up starts it" release_comes_up
    [ $failures -eq 0 ] || break
    # Not in check(), whose subshell could not be waited for.
    begin_time_limit || echo "      its job for the time limit did not start"
    claim "the version is said" version_is_right
    claim "discover finds its partitions" discovers
    claim "a batch job runs" batch
    claim "an interactive run, with an srun inside" interactive
    claim "a failing job keeps its exit code" failing
    claim "a job on two nodes" two_nodes_run
    claim "a job is cancelled" cancelled
    wait "$limit_program"
    limit_code=$? limit_program=
    claim "a time limit is recognised" time_limit_ended $limit_code
    echo "      $release: $((SECONDS - begun)) s"
done
refuses_unknown() { ! "$demo_cluster" up --slurm 1.0 --json | tee /dev/stderr | grep -q '"event":"ready"' && status_is running; }
check "an unknown release is refused, and the cluster keeps running" refuses_unknown
"$demo_cluster" down >/dev/null
conclude

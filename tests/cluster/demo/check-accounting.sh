#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The demo cluster with slurmdbd and a database, and Slipway on it:
#   check-accounting.sh SLIPWAY_CLI
# The cluster is that of check-releases.sh, because Slurm with accounting is a tree like any other release; it is stopped, not
# deleted, so that the next run builds nothing.
set -uo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
cli=${1:?the path of slipway-cli}
SLIPWAY_DEMO_FROM=${SLIPWAY_DEMO_DIR:-${XDG_STATE_HOME:-$HOME/.local/state}/slipway/test-cluster}
SLIPWAY_DEMO_DIR=$SLIPWAY_DEMO_FROM-releases
export SLIPWAY_DEMO_DIR SLIPWAY_DEMO_FROM SLIPWAY_DEMO_IMAGES=base
# shellcheck source=checks.sh
. "$here/checks.sh"
need_programs mmdebstrap socat unshare nsenter setpriv flock ip ssh ssh-keygen jq perl

home=$(mktemp -d "${TMPDIR:-/var/tmp}/demo-accounting.XXXXXX")
trap '"$demo_cluster" down >/dev/null 2>&1; rm -rf -- "$home"' EXIT
trap 'exit 130' INT TERM
SLIPWAY_RESOURCES=$(cd -- "$here/../../../resources" && pwd)
export SLIPWAY_RESOURCES XDG_DATA_HOME=$home/data XDG_CONFIG_HOME=$home/config
mkdir -p "$XDG_DATA_HOME" "$XDG_CONFIG_HOME"

# claim TEXT COMMAND...: check() with a runtime folder of its own, in which calls of the scheduler are counted: the programs of
# one person may make 12 a minute, and would wait for most of the time here.
claim() {
    XDG_RUNTIME_DIR=$(mktemp -d "$home/run.XXXX")
    export XDG_RUNTIME_DIR
    check "$@"
}
# of FILE QUERY: of the last object about the run that "run --json" has printed there
of() { jq -rs "map(select(.run != null and .phase != null)) | last | $2" "$1"; }
# launch FILE WORD...: "Run a command" without an image, its JSON in the file
launch() {
    local file=$1
    shift
    "$cli" run run-a-command --site demo --json --set image= --set cpus=1 --set memory=500M "$@" >"$file" 2>"$file.errors"
}
# recorded FILE WANTED: what sacct says of its job, which it learns a moment later
recorded() {
    local job seen
    job=$(jq -rs 'map(select(.job != null).job) | last // empty' "$1")
    [ -n "$job" ] || { echo "no job was named"; cat "$1"; return 1; }
    for _ in {1..20}; do
        seen=$(as demo sacct -X -n -P -j "$job" -o "$3")
        [ "$seen" = "$2" ] && return
        sleep 0.5
    done
    echo "sacct says '$seen' of job $job, not '$2'"
    return 1
}

comes_up_with_accounting() { "$cli" demo up --accounting && "$cli" demo status; }
accounts_are_listed() {
    "$cli" sites accounts demo --json >"$home/accounts" 2>"$home/accounts.errors" || { cat "$home/accounts.errors"; return 1; }
    cat "$home/accounts" "$home/accounts.errors"
    [ "$(jq -r .account "$home/accounts" | sort | tr '\n' ' ')" = "physics teaching " ] &&
        jq -se 'all(.fair_share >= 0 and .fair_share <= 1 and (.sentence | startswith("fair-share ")))' "$home/accounts" &&
        jq -se 'map(select(.account == "physics"))[0] | .limits[0].tres == "gres/gpu" and .limits[0].limit_minutes == 300000
            and .limits[0].left_minutes <= 300000 and (.sentence | endswith("of 5,000 GPU hours left in this account"))' "$home/accounts" &&
        grep -q 'sshare --noheader' "$home/accounts.errors" &&
        [ "$("$cli" sites accounts demo 2>/dev/null | grep -c 'hours left')" = 2 ]
}
done_job_is_recorded() {
    launch "$home/done" --set gpus=1 --set account=physics --set 'command=sleep 1' || { cat "$home/done" "$home/done.errors"; return 1; }
    [ "$(of "$home/done" '"\(.phase) \(.exit_code)"')" = "done 0" ] &&
        recorded "$home/done" "COMPLETED|0:0|physics" State,ExitCode,Account
}
failed_job_is_recorded() {
    ! launch "$home/failed" --set gpus=0 --set account=teaching --set 'command=bash -c "exit 7"' || return 1
    [ "$(of "$home/failed" '"\(.phase) \(.exit_code)"')" = "failed 7" ] &&
        recorded "$home/failed" "FAILED|7:0|teaching" State,ExitCode,Account
}
# Before anything is sent, because the login has asked for the accounts.
foreign_account_is_refused() {
    ! launch "$home/foreign" --set gpus=0 --set account=nobodys --set 'command=true' || return 1
    [ "$(jq -rs 'map(select(.field == "account"))[0].text' "$home/foreign" | grep -c 'You have no account “nobodys” on this cluster; your accounts: ')" = 1 ] ||
        { cat "$home/foreign" "$home/foreign.errors"; return 1; }
}
# has_cgroups: this machine gives memory limits by the kernel, so that Slurm's own word for such a job is to be had
has_cgroups() { "$demo_cluster" shell gpu01 test -e /sys/fs/cgroup/memory/cgroup.procs; }
# 700 MB in a job of 100 MB, for longer than the time between two samples of Slurm, which counts without cgroups
over_memory_names_the_field() {
    ! launch "$home/memory" --set gpus=0 --set account=physics --set memory=100M \
        --set 'command=python3 -c "import time; held = bytearray(700000000); time.sleep(60)"' || return 1
    of "$home/memory" .explanations
    [ "$(of "$home/memory" '[.explanations[].field] | index("memory") != null')" = true ] &&
        [[ $(of "$home/memory" .sentence) == *"more memory than it requested"* ]] || { cat "$home/memory"; return 1; }
}
# The job itself ends as its script does; Slurm's word stands at the step whose memory it was, and in the log.
over_memory_is_recorded() {
    local job seen
    job=$(jq -rs 'map(select(.job != null).job) | last // empty' "$home/memory")
    for _ in {1..20}; do
        seen=$(as demo sacct -n -P -j "$job" -o JobID,State,ExitCode)
        [[ $seen != *"$job.0|OUT_OF_MEMORY|0:125"* ]] || break
        sleep 0.5
    done
    [[ $seen == *"$job.0|OUT_OF_MEMORY|0:125"* ]] || { echo "sacct says '$seen'"; return 1; }
    grep -qi 'oom[-_]kill' "$home/memory" || { cat "$home/memory"; return 1; }
}
cgroups_are_removed() {
    "$demo_cluster" down && ! compgen -G "/sys/fs/cgroup/memory/slipway-demo-$(stat -c %i -- "$SLIPWAY_DEMO_DIR")"
}
database_has_no_port() {
    ! "$demo_cluster" shell login bash -c 'exec 3<>/dev/tcp/127.0.0.1/3306' 2>/dev/null
}
# slurmdbd is there and answers nothing, which is worse than one that has ended: sacct waits. Slurm itself knows how the job ended.
job_ends_without_slurmdbd() {
    local dbd begun took
    dbd=$("$demo_cluster" shell login cat /run/slurmctld/slurmdbd.pid) && "$demo_cluster" shell login kill -STOP "$dbd" || return 1
    begun=$SECONDS
    launch "$home/stopped" --set gpus=0 --set account=physics --set 'command=bash -c "exit 5"'
    took=$((SECONDS - begun))
    "$demo_cluster" shell login kill -CONT "$dbd" || return 1
    echo "ended after $took s"
    [ "$(of "$home/stopped" '"\(.phase) \(.exit_code)"')" = "failed 5" ] || { cat "$home/stopped" "$home/stopped.errors"; return 1; }
    recorded "$home/stopped" "FAILED|5:0|physics" State,ExitCode,Account
}
records_survive_a_restart() {
    "$demo_cluster" down && "$demo_cluster" up --accounting >/dev/null && recorded "$home/done" "COMPLETED|0:0|physics" State,ExitCode,Account
}

claim "up starts it, with slurmdbd" comes_up_with_accounting
if [ $failures -eq 0 ]; then
    claim "the database listens on no port" database_has_no_port
    claim "fair-share and remaining hours are listed" accounts_are_listed
    claim "a finished job is what sacct says" done_job_is_recorded
    claim "a failed job is what sacct says" failed_job_is_recorded
    claim "an account of somebody else is refused" foreign_account_is_refused
    claim "a job over its memory names the field" over_memory_names_the_field
    cgroups=
    ! has_cgroups || cgroups=yes
    if [ -n "$cgroups" ]; then
        claim "the step over its memory is OUT_OF_MEMORY for sacct" over_memory_is_recorded
    else
        echo "      Not checked here: a job that ends as OUT_OF_MEMORY. This machine gives no cgroups of version 1 to this user."
    fi
    claim "a job's end is known while slurmdbd answers nothing" job_ends_without_slurmdbd
    claim "records survive a restart" records_survive_a_restart
    [ -z "$cgroups" ] || claim "no cgroup is left after down" cgroups_are_removed
fi
"$demo_cluster" down >/dev/null
conclude

# shellcheck shell=bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the job script beside this file uses. It needs nothing but bash and coreutils, and writes
#   events.ndjson  a line when a step begins and when it ends
#   exit.json      how the job ended, however it ended

slipway_folder=$PWD
slipway_stage=node
slipway_step=
slipway_title=

# {text} for JSON: quotes escaped, control characters blanked.
slipway_json() {
    local text=${1//\\/\\\\}
    text=${text//\"/\\\"}
    printf '"%s"' "${text//[[:cntrl:]]/ }"
}

# mark STAGE STATE STEP CODE TEXT: one line of events.ndjson.
mark() {
    printf '{"t":%s,"stage":%s,"state":%s,"step":%s,"code":%d,"text":%s}\n' "$(date +%s.%3N)" \
        "$(slipway_json "$1")" "$(slipway_json "$2")" "$(slipway_json "$3")" "$4" \
        "$(slipway_json "$5")" >>"$slipway_folder/events.ndjson"
}

# begin STEP TITLE: the steps "image" and "check" are stages of their own, the others run.
begin() {
    slipway_step=$1 slipway_title=$2
    case $1 in image | image-[0-9]*) slipway_stage=image ;; check) slipway_stage=check ;; *) slipway_stage=running ;; esac
    printf '\n== %s\n' "$2"
    mark "$slipway_stage" begin "$1" 0 "$2"
}

# end [failure|either]: right after the command of a step. Notes its exit code and returns it. A step that is meant
# to fail is done when it fails, and failed when it does not; one that may do either only reports.
end() {
    local code=$?
    [ -n "$slipway_step" ] || return "$code"
    case ${1:-success},$code in
    failure,0)
        echo "== $slipway_title: was meant to fail, and did not" >&2
        code=1
        ;;
    failure,* | either,[1-9]*)
        echo "== $slipway_title: ended with exit code $code, which is what this step shows"
        mark "$slipway_stage" "done" "$slipway_step" "$code" "$slipway_title"
        slipway_step=
        return 0
        ;;
    esac
    if [ "$code" -eq 0 ]; then
        mark "$slipway_stage" "done" "$slipway_step" 0 "$slipway_title"
    else
        echo "== $slipway_title: failed with exit code $code" >&2
        mark "$slipway_stage" failed "$slipway_step" "$code" "$slipway_title"
    fi
    slipway_step=
    return "$code"
}

# pull_once FILE COMMAND…: COMMAND writes FILE.part. Only if FILE is missing, one job at a time.
pull_once() {
    local file=$1 code=0
    shift
    mkdir -p "${file%/*}" || return
    slipway_lock "$file.lock" || return
    if [ -s "$file" ]; then
        echo "It is here already: $file"
    else
        rm -rf "$file.part"
        if "$@" 9>&-; then mv "$file.part" "$file" || code=$?; else code=$?; fi
    fi
    slipway_unlock "$file.lock"
    return "$code"
}

slipway_lock() {
    local code=0
    exec 9>"$1" || return
    flock -n 9 2>/dev/null || code=$?
    if [ "$code" -eq 1 ]; then
        echo "Another job is pulling this image. Waiting for it."
        flock 9 && return
    fi
    [ "$code" -eq 0 ] && return
    # A file system without flock: a folder is the lock. One of two hours belongs to a job that died.
    until mkdir "$1.d" 2>/dev/null; do
        [ -d "$1.d" ] || return 1
        [ -z "$(find "$1.d" -maxdepth 0 -mmin +120)" ] || rmdir "$1.d"
        sleep 5
    done
}

slipway_unlock() {
    exec 9>&-
    [ ! -d "$1.d" ] || rmdir "$1.d"
}

# However the script ends, by itself, by a failed step or by Slurm's SIGTERM, the end is written.
slipway_ended() {
    local code=$?
    trap - EXIT
    if [ -n "$slipway_step" ]; then
        (exit "$code")
        end success
    fi
    [ -z "${SLIPWAY_STEP:-}" ] || exit "$code" # one step of an allocation: the job goes on
    printf '{"code":%d,"stage":"%s","t":%s,"node":%s,"restart":%d}\n' "$code" "$slipway_stage" \
        "$(date +%s.%3N)" "$(slipway_json "${SLURMD_NODENAME:-$(uname -n)}")" \
        "${SLURM_RESTART_COUNT:-0}" >"$slipway_folder/exit.json.part"
    mv "$slipway_folder/exit.json.part" "$slipway_folder/exit.json"
    exit "$code"
}
trap slipway_ended EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

if [ -z "${SLIPWAY_STEP:-}" ]; then
    rm -f exit.json # of an earlier try, when Slurm started the job again
    mark node "done" node 0 "${SLURMD_NODENAME:-$(uname -n)}"
fi

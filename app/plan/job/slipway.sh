# shellcheck shell=bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the job script beside this file uses. It needs nothing but bash and coreutils, and writes
#   events.ndjson  a line when a step begins and when it ends
#   exit.json      how the job ended, however it ended
#   probe.ndjson   what slipway-probe says of the node, a row a check
# Where that program lies, and that it is the one that was put there, is in probe.sha256.

slipway_folder=$PWD
slipway_stage=node
slipway_step=
slipway_title=
slipway_node_folder=
# What was put beside this file, and its SHA-256. Slipway fills it in when it sends the files.
slipway_sums='{sums}'
umask go-w # nobody else may change what a job writes

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
    case $1 in image | image-[0-9]*) slipway_stage=image ;; check | check-container) slipway_stage=check ;; *) slipway_stage=running ;; esac
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
    failure,* | either,*)
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

# slipway_row PLACE ID STATE VALUE [WHY [FIX]]: a line of probe.ndjson, in the form in which slipway-probe writes them.
slipway_row() {
    local text
    text=$(printf '{"id":%s,"state":%s,"where":%s,"node":%s,"value":%s' "$(slipway_json "$2")" "$(slipway_json "$3")" \
        "$(slipway_json "$1")" "$(slipway_json "${SLURMD_NODENAME:-$(uname -n)}")" "$(slipway_json "$4")")
    [ -z "${5:-}" ] || text+=",\"why\":$(slipway_json "$5")"
    [ -z "${6:-}" ] || text+=",\"fix\":$(slipway_json "$6")"
    printf '%s}\n' "$text" >>"$slipway_folder/probe.ndjson"
    [ "$3" = ok ] || printf '%s: %s\n' "$1" "${5:-$4}"
}

# probe_ready: there is a slipway-probe in this folder, and it is byte by byte the one that was put on the cluster.
probe_ready() {
    local sum file probe=$slipway_folder/slipway-probe
    read -r sum file 2>/dev/null <"$slipway_folder/probe.sha256" || return
    [ "$(sha256sum 2>/dev/null <"$probe")" = "$sum  -" ] && return
    # A second name for the one file of all runs; a copy where the file system has no such names.
    rm -f "$probe"
    ln "$file" "$probe" 2>/dev/null || { cp "$file" "$probe" && chmod 700 "$probe"; } 2>/dev/null || return
    [ "$(sha256sum <"$probe")" = "$sum  -" ]
}

# probe_check host|container [COMMAND...]: what slipway-probe finds on this node, or in the container that COMMAND
# starts. Its rows go to probe.ndjson, a line of each to the log. It fails when one of them does.
probe_check() {
    local place=$1 code=0
    shift
    [ "$place" = host ] || slipway_row "$place" container ok "$*"
    if ! probe_ready; then
        [ ! -e "$slipway_folder/probe.sha256" ] || slipway_row "$place" probe.file warn "not as it was put there" \
            "slipway-probe is gone from the cluster or was changed there, so it is not started." "Launch again: it is put there anew."
        probe_without "$place" "$@"
        return
    fi
    # shellcheck disable=SC2046  # no word where there is no container
    "$@" "$slipway_folder/slipway-probe" check --where "$place" $(slipway_runtime "$@") \
        --rows "$slipway_folder/probe.ndjson" </dev/null || code=$?
    case $code in
    0 | 1) return "$code" ;;
    2 | 3) slipway_row "$place" probe.run warn "exit code $code" "slipway-probe could not write what it found." ;;
    12[89] | 1[3-8]?) slipway_row "$place" probe.run warn "exit code $code" "slipway-probe was ended by signal $((code - 128))." ;;
    *)
        if [ "$place" = container ] && ! "$@" sh -c : </dev/null; then
            slipway_row "$place" probe.run fail "exit code $code" "The container does not start." "Look at the lines above this one in the log."
            return 1
        fi
        slipway_row "$place" probe.run skip "cannot run here" \
            "slipway-probe needs glibc 2.17 or newer of its own architecture, in a folder that programs may be started from."
        ;;
    esac
    probe_without "$place" "$@"
}

# slipway_runtime [COMMAND...]: "--runtime NAME" where COMMAND starts a container. Those of enroot carry no sign of it inside.
slipway_runtime() {
    local word
    for word in "$@"; do
        case $word in
        apptainer | singularity | enroot) ;;
        --container-image=*) word=pyxis ;;
        *) continue ;;
        esac
        echo "--runtime $word"
        return
    done
}

# probe_without host|container [COMMAND...]: what can be told without the probe.
probe_without() {
    # shellcheck disable=SC2016  # those of that place are meant
    local place=$1 gpus has_gpu='[ -n "${SLURM_JOB_GPUS:-}${SLURM_GPUS_ON_NODE:-}" ]'
    shift
    if gpus=$("$@" nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader </dev/null 2>/dev/null); then
        printf '%s\n' "$gpus"
        slipway_row "$place" nvidia-smi ok "$gpus"
    elif "$@" sh -c "$has_gpu" </dev/null; then
        slipway_row "$place" nvidia-smi fail "no answer" "The job has a GPU, and nvidia-smi does not find it."
        return 1
    else
        slipway_row "$place" nvidia-smi skip "no answer" "There is no NVIDIA driver, and the job has no GPU."
    fi
}

# slipway_yours PATH: it belongs to you or to root, and nobody else may write it. (The sticky bit, as /tmp has it, lets
# others add files to a folder, but not replace yours.)
slipway_yours() {
    [ -n "$(find -H "$1" -maxdepth 0 \( -user "$EUID" -o -user 0 \) \( ! -perm /022 -o -type d -perm -1000 \) 2>/dev/null)" ]
}

# slipway_private FILE: FILE is yours or not there yet, and lies below a folder of yours that nobody else can enter.
slipway_private() {
    local at=$1
    [ ! -e "$at" ] || [ -O "$at" ] || return
    while at=${at%/*} && [ -n "$at" ]; do
        [ ! -O "$at" ] || [ -n "$(find -H "$at" -maxdepth 0 -perm /011)" ] || return 0
    done
    return 1
}

# slipway_trusted FILE: nobody else can have written FILE, or can put another one in its place.
slipway_trusted() {
    slipway_private "$1" && return
    slipway_yours "${1%/*}" && { [ ! -e "$1" ] || slipway_yours "$1"; } && return
    echo "Others may write to $1 or to its folder, so it is not used: it could be anybody's program." >&2
    echo "Remove it and run: chmod go-w '${1%/*}'. Or give the site an image folder that is yours alone." >&2
    return 77
}

# node_folder FOLDER: makes FOLDER on this node, yours alone. The end of a job script removes it; from nodes that are
# kept steps/overlays.sh does.
node_folder() {
    [ -n "${SLIPWAY_STEP:-}" ] || slipway_remove "$1" # what an earlier try of this job may have left
    [ -d "$1" ] || mkdir -m 700 "$1" || return
    if [ -L "$1" ] || [ ! -O "$1" ]; then
        echo "$1 on $(uname -n) belongs to somebody else, so nothing is written into it." >&2
        return 77
    fi
    slipway_node_folder=$1
}

# slipway_remove FOLDER: removes it if it is yours. Overlays have folders that are closed to their owner too.
slipway_remove() {
    [ -O "$1" ] && [ ! -L "$1" ] || return 0
    chmod -R u+rwX "$1" 2>/dev/null
    rm -rf "$1" || echo "Left behind on $(uname -n): $1" >&2
}

# mpi_hook [pmi2]: whether enroot here hands on what srun tells MPI's processes of each other. PMIx takes a hook for
# that, and of PMI2 enroot closes the socket; without them each process computes alone, as if it were the only one.
mpi_hook() {
    local folder hook
    if [ "${1:-}" = pmi2 ]; then
        echo "Error: enroot closes the socket by which --mpi=pmi2 tells the ranks of each other, so every rank would" \
            "compute alone. Start them with pyxis, which keeps it, or with --mpi=pmix." >&2
        return 1
    fi
    for folder in "${ENROOT_SYSCONF_PATH:-/etc/enroot}" "${ENROOT_CONFIG_PATH:-${XDG_CONFIG_HOME:-$HOME/.config}/enroot}"; do
        for hook in "$folder"/hooks.d/*.sh; do
            [ -x "$hook" ] && grep -qE 'PMIX?_' "$hook" && return
        done
    done
    echo "Error: enroot here has no hook for MPI, so every rank would compute alone. Copy 50-slurm-pmi.sh from" \
        "/usr/share/enroot/hooks.d to ~/.config/enroot/hooks.d, or ask the site for it in /etc/enroot/hooks.d." >&2
    return 1
}

# pull_once FILE COMMAND…: COMMAND writes FILE.part. Only if FILE is missing, one job at a time.
pull_once() {
    local file=$1 code=0
    shift
    mkdir -p "${file%/*}" || return
    slipway_trusted "$file" || return
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
    [ -z "$slipway_node_folder" ] || slipway_remove "$slipway_node_folder"
    exit "$code"
}
trap slipway_ended EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

# slipway_refuse WHY: ends the job before it runs anything. In a folder of somebody else it writes nothing.
slipway_refuse() {
    echo "Nothing was started. $1" >&2
    if [ -O . ]; then mark node failed files 77 "$1"; else trap - EXIT; fi
    exit 77
}

# slipway_compare: the files of the run are as they were sent, and lie where nobody else can put others in their place.
# You may change them yourself: a step by hand only says so, a whole job wants to be asked for it.
slipway_compare() {
    local changed
    slipway_yours . || slipway_refuse "The run folder belongs to somebody else, or others may write to it."
    [ -n "$slipway_sums" ] || return 0
    changed=$(sha256sum --check --quiet 2>/dev/null <<<"$slipway_sums") && return
    changed="Not as it was sent: ${changed//$'\n'/, }"
    if [ -n "${SLIPWAY_STEP:-}${SLIPWAY_CHANGED:-}" ] || [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ]; then
        echo "$changed"
    else
        echo "If it was you who changed it: SLIPWAY_CHANGED=yes sbatch job.sh" >&2
        slipway_refuse "$changed"
    fi
}

slipway_compare
if [ -z "${SLIPWAY_STEP:-}" ]; then
    rm -f exit.json # of an earlier try, when Slurm started the job again
    [ "${SLURM_RESTART_COUNT:-0}" -eq 0 ] || slipway_row host begin ok "try $((SLURM_RESTART_COUNT + 1))"
    mark node "done" node 0 "${SLURMD_NODENAME:-$(uname -n)}"
fi
probe_ready || : # a step may start it, so it is there from the beginning

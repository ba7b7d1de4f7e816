# shellcheck shell=bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Functions of the job script in this folder. Requires only bash and coreutils, and writes
#   events.ndjson  one line when a step begins and one when it ends
#   exit.json      how the job ended, however it ended
#   probe.ndjson   the report of slipway-probe, one row per check
#   log.times      how large the log was when: "SIZE SECONDS" for each second in which it grew
#   packages.path  where the packages are that were installed for the run
# probe.sha256 holds the path of that program and its checksum.

slipway_folder=$PWD
slipway_stage=node
slipway_step=
slipway_title=
slipway_digest=
slipway_node_folder=
slipway_log=slurm-${SLURM_JOB_ID:-}.out
# The other files of the run with their SHA-256. Slipway fills this in when it uploads them.
slipway_sums='{sums}'
umask go-w # no one else may change files that a job writes

# slipway_json TEXT: as a JSON string, with control characters replaced by blanks.
slipway_json() {
    local text=${1//\\/\\\\}
    text=${text//\"/\\\"}
    printf '"%s"' "${text//[[:cntrl:]]/ }"
}

# mark STAGE STATE STEP CODE TEXT [DIGEST]: one line of events.ndjson. DIGEST is of the image that the step made ready.
mark() {
    printf '{"t":%s,"stage":%s,"state":%s,"step":%s,"code":%d,"text":%s%s}\n' "$(date +%s.%3N)" \
        "$(slipway_json "$1")" "$(slipway_json "$2")" "$(slipway_json "$3")" "$4" \
        "$(slipway_json "$5")" "${6:+,\"image_digest\":$(slipway_json "$6")}" >>"$slipway_folder/events.ndjson"
}

# begin STEP TITLE: the steps "image" and "check" have their own stages, all others belong to "running".
begin() {
    slipway_step=$1 slipway_title=$2 slipway_digest=
    case $1 in image | image-[0-9]*) slipway_stage=image ;; check | check-container) slipway_stage=check ;; *) slipway_stage=running ;; esac
    printf '\n== %s\n' "$2"
    mark "$slipway_stage" begin "$1" 0 "$2"
}

# end [failure|either]: directly after the command of a step. Records its exit code and returns it. A step that is
# expected to fail is done when it fails, and failed when it does not; with "either" it only reports.
end() {
    local code=$?
    [ -n "$slipway_step" ] || return "$code"
    case ${1:-success},$code in
    failure,0)
        echo "== $slipway_title: was expected to fail, but succeeded" >&2
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
        mark "$slipway_stage" "done" "$slipway_step" 0 "$slipway_title" "$slipway_digest"
    else
        echo "== $slipway_title: failed with exit code $code" >&2
        mark "$slipway_stage" failed "$slipway_step" "$code" "$slipway_title"
    fi
    slipway_step=
    return "$code"
}

# slipway_row PLACE ID STATE VALUE [WHY [FIX]]: a line of probe.ndjson, in the format of slipway-probe.
slipway_row() {
    local text
    text=$(printf '{"id":%s,"state":%s,"where":%s,"node":%s,"value":%s' "$(slipway_json "$2")" "$(slipway_json "$3")" \
        "$(slipway_json "$1")" "$(slipway_json "${SLURMD_NODENAME:-$(uname -n)}")" "$(slipway_json "$4")")
    [ -z "${5:-}" ] || text+=",\"why\":$(slipway_json "$5")"
    [ -z "${6:-}" ] || text+=",\"fix\":$(slipway_json "$6")"
    printf '%s}\n' "$text" >>"$slipway_folder/probe.ndjson"
    [ "$3" = ok ] || printf '%s: %s\n' "$1" "${5:-$4}"
}

# probe_ready: slipway-probe is in this folder, and its checksum is that of the uploaded file.
probe_ready() {
    local sum file probe=$slipway_folder/slipway-probe
    read -r sum file 2>/dev/null <"$slipway_folder/probe.sha256" || return
    [ "$(sha256sum 2>/dev/null <"$probe")" = "$sum  -" ] && return
    # A hard link to the file that all runs share; a copy if the file system has no hard links.
    rm -f "$probe"
    ln "$file" "$probe" 2>/dev/null || { cp "$file" "$probe" && chmod 700 "$probe"; } 2>/dev/null || return
    [ "$(sha256sum <"$probe")" = "$sum  -" ]
}

# probe_check host|container [COMMAND...]: runs slipway-probe on this node, or in the container that COMMAND starts.
# Its rows go to probe.ndjson, a line for each to the log. It fails if one of the checks fails.
probe_check() {
    local place=$1 code=0
    shift
    [ "$place" = host ] || slipway_row "$place" container ok "$*"
    if ! probe_ready; then
        [ ! -e "$slipway_folder/probe.sha256" ] || slipway_row "$place" probe.file warn "changed after the upload" \
            "slipway-probe was deleted or changed on the cluster, so it is not started." "Launch again: it is uploaded again."
        probe_without "$place" "$@"
        return
    fi
    # shellcheck disable=SC2046  # no argument without a container
    "$@" "$slipway_folder/slipway-probe" check --where "$place" $(slipway_runtime "$@") \
        --rows "$slipway_folder/probe.ndjson" </dev/null || code=$?
    case $code in
    0 | 1) return "$code" ;;
    2 | 3) slipway_row "$place" probe.run warn "exit code $code" "slipway-probe could not write its report." ;;
    12[89] | 1[3-8]?) slipway_row "$place" probe.run warn "exit code $code" "slipway-probe was ended by signal $((code - 128))." ;;
    *)
        if [ "$place" = container ] && ! "$@" sh -c : </dev/null; then
            slipway_row "$place" probe.run fail "exit code $code" "The container does not start." "See the preceding lines of the log."
            return 1
        fi
        slipway_row "$place" probe.run skip "cannot run here" \
            "slipway-probe requires glibc 2.17 or newer for its architecture, and a folder from which programs may be started."
        ;;
    esac
    probe_without "$place" "$@"
}

# slipway_runtime [COMMAND...]: "--runtime NAME" if COMMAND starts a container. enroot's cannot be recognised from inside.
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

# probe_without host|container [COMMAND...]: the check of the GPU when the probe cannot run.
probe_without() {
    # shellcheck disable=SC2016  # expanded in the container, if there is one
    local place=$1 gpus has_gpu='[ -n "${SLURM_JOB_GPUS:-}${SLURM_GPUS_ON_NODE:-}" ]'
    shift
    if gpus=$("$@" nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader </dev/null 2>/dev/null); then
        printf '%s\n' "$gpus"
        slipway_row "$place" nvidia-smi ok "$gpus"
    elif "$@" sh -c "$has_gpu" </dev/null; then
        slipway_row "$place" nvidia-smi fail "no answer" "The job has a GPU, but nvidia-smi cannot find it."
        return 1
    else
        slipway_row "$place" nvidia-smi skip "no answer" "There is no NVIDIA driver, and the job has no GPU."
    fi
}

# slipway_yours PATH: it belongs to you or to root, and no one else may write to it. (With the sticky bit, as on /tmp,
# others may add files to a folder but cannot replace yours.)
slipway_yours() {
    [ -n "$(find -H "$1" -maxdepth 0 \( -user "$EUID" -o -user 0 \) \( ! -perm /022 -o -type d -perm -1000 \) 2>/dev/null)" ]
}

# slipway_private FILE: FILE is yours or does not exist yet, and is below a folder of yours that no one else can enter.
slipway_private() {
    local at=$1
    [ ! -e "$at" ] || [ -O "$at" ] || return
    while at=${at%/*} && [ -n "$at" ]; do
        [ ! -O "$at" ] || [ -n "$(find -H "$at" -maxdepth 0 -perm /011)" ] || return 0
    done
    return 1
}

# slipway_trusted FILE: no one else can have written FILE, or can replace it.
slipway_trusted() {
    slipway_private "$1" && return
    slipway_yours "${1%/*}" && { [ ! -e "$1" ] || slipway_yours "$1"; } && return
    echo "Other users may write to $1 or to its folder, so it is not used: someone else could have replaced it." >&2
    echo "Remove it and run: chmod go-w '${1%/*}'. Or set an image folder for the site that only you can write to." >&2
    return 77
}

# node_folder FOLDER: creates FOLDER on this node, accessible only to you. The job script removes it at its end; on nodes
# that are kept, steps/overlays.sh does.
node_folder() {
    [ -n "${SLIPWAY_STEP:-}" ] || slipway_remove "$1" # what an earlier attempt of this job may have left
    [ -d "$1" ] || mkdir -m 700 "$1" || return
    if [ -L "$1" ] || [ ! -O "$1" ]; then
        echo "$1 on $(uname -n) belongs to another user, so nothing is written into it." >&2
        return 77
    fi
    slipway_node_folder=$1
}

# slipway_remove FOLDER: removes it if it is yours. Overlays contain folders that even their owner cannot enter.
slipway_remove() {
    [ -O "$1" ] && [ ! -L "$1" ] || return 0
    chmod -R u+rwX "$1" 2>/dev/null
    rm -rf "$1" || echo "Could not be removed on $(uname -n): $1" >&2
}

# mpi_hook [pmi2]: whether enroot passes srun's PMI to the container. PMIx needs a hook for that, and enroot closes the
# socket of PMI2; without PMI each process computes alone, as if it were the only one.
mpi_hook() {
    local folder hook
    if [ "${1:-}" = pmi2 ]; then
        echo "Error: enroot closes the socket that --mpi=pmi2 needs to connect the ranks, so every rank would" \
            "compute alone. Use pyxis, which keeps the socket open, or --mpi=pmix." >&2
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

# pull_once FILE COMMAND…: if FILE is missing, runs COMMAND, which writes FILE.part. Only one job at a time does so.
pull_once() {
    local file=$1 code=0
    shift
    mkdir -p "${file%/*}" || return
    slipway_trusted "$file" || return
    slipway_lock "$file.lock" || return
    if [ -s "$file" ]; then
        echo "Already present: $file"
    else
        rm -rf "$file.part"
        if "$@" 9>&-; then mv "$file.part" "$file" || code=$?; else code=$?; fi
    fi
    [ "$code" -ne 0 ] || image_digest "$file" keep 9>&-
    slipway_unlock "$file.lock"
    return "$code"
}

# image_digest FILE [keep]: records the SHA-256 of an image file with the end of the step. It tells whether two runs used
# the same file. It is not the digest of a registry: each pull of an image writes another file. With "keep" the sum is
# written beside the file, with the size, inode and time that it belongs to, and is calculated only once.
image_digest() {
    local file=$1 kept=$1.slipway-digest now sum='' of=''
    [ -f "$file" ] && now=$(stat -Lc %s-%i-%.9Y "$file") || return 0
    # A sum that someone else could have written is not believed.
    if [ -f "$kept" ] && slipway_trusted "$kept" 2>/dev/null; then read -r sum of <"$kept" || sum=; fi
    if [ "$of" != "$now" ] || ! [[ $sum =~ ^[0-9a-f]{64}$ ]]; then
        if [ "${2:-}" != keep ] && [ "${now%%-*}" -gt $((4 << 30)) ]; then
            echo "Image digest: not calculated, because the file is larger than 4 GiB"
            return 0
        fi
        sum=$(sha256sum <"$file") && [ "$(stat -Lc %s-%i-%.9Y "$file")" = "$now" ] || return 0
        sum=${sum%% *}
        # noclobber: not through a link that someone else has put there
        [ "${2:-}" != keep ] || (rm -f "$kept" && set -C && printf '%s %s\n' "$sum" "$now" >"$kept") 2>/dev/null || :
    fi
    slipway_digest=sha256:$sum
    echo "Image digest: $slipway_digest"
}

# slipway_basis IMAGE FILE: all that a set of packages depends on: the requirements file and, if it names files of the
# folder, those; the image, or without one the Python of this node.
slipway_basis() {
    local image=$1 file=$2 sum='' of=''
    if [ "$image" = none ]; then
        command -v python3 && python3 -VV && uname -m || return
    else
        read -r sum of 2>/dev/null <"$image.slipway-digest" || :
        [ -n "$of" ] && [ "$of" = "$(stat -Lc %s-%i-%.9Y "$image")" ] || sum=$(stat -Lc '%n %s %i %Y' "$image") || return
        printf '%s\n' "$sum"
    fi
    cat "$file" || return
    if grep -qE '^[[:space:]]*(-[cer]|--(constraint|editable|requirement)|\.|/|.*file:)' "$file"; then
        cat code.manifest
    else
        grep -F wheels/ code.manifest || :
    fi
}

# slipway_files FOLDER: how many files a set of packages has. Python adds compiled ones while it is used.
slipway_files() {
    (cd "$1" && find . -type f ! -name '*.pyc' ! -path ./complete | wc -l)
}

# packages_once IMAGE COMMAND… FILE: the packages that the requirements file FILE names, below $packages. If they are not
# there, COMMAND installs them; it gets FILE and the folder to install into. They are kept for later runs with the same
# file and image, and counted as present only once they are complete, and as long as no file is missing: sites remove
# files that were not read for long, one by one. Only one job at a time installs a set. IMAGE is "none" without a
# container.
packages_once() {
    local image=$1 file=${!#} store=${packages:?} basis kept files='' code=0
    shift
    if [ ! -f "$file" ]; then
        echo "Error: the folder that was sent has no file ${file#code/}. Leave the field empty, or name a requirements file." >&2
        return 1
    fi
    basis=$(slipway_basis "$image" "$file") || return
    kept=$(printf '%s\n' "$basis" | sha256sum) || return
    kept=$store/${kept:0:32}
    mkdir -p "$store" || return
    slipway_trusted "$kept" || return
    slipway_lock "$kept.lock" "installing the same packages" || return
    [ ! -f "$kept/complete" ] || read -r files <"$kept/complete" || files=
    if [[ $files =~ ^[0-9]+$ ]] && [ "$(slipway_files "$kept")" -ge "$files" ]; then
        echo "Already installed: $kept"
        touch "$kept/complete"
    else
        rm -rf "$kept"
        mkdir "$kept" && "$@" "$kept" 9>&- && cp "$file" "$kept/" && slipway_files "$kept" >"$kept/complete" || code=$?
        [ "$code" -eq 0 ] || rm -rf "$kept"
    fi
    slipway_unlock "$kept.lock"
    [ "$code" -ne 0 ] || printf '%s\n' "$kept" >packages.path
    return "$code"
}

# slipway_lock FILE [WHAT]: WHAT is what the job does that has the lock.
slipway_lock() {
    local code=0
    exec 9>"$1" || return
    flock -n 9 2>/dev/null || code=$?
    if [ "$code" -eq 1 ]; then
        echo "Another job is ${2:-pulling this image}. Waiting for it."
        flock 9 && return
    fi
    [ "$code" -eq 0 ] && return
    # A file system without flock: a folder is the lock. A lock older than two hours belongs to a job that was killed.
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

# slipway_note_log: the size of the log and when it was last written, in log.times if it has grown since the last call.
slipway_note_log() {
    # Opened, because on NFS only an open sees what was written elsewhere.
    slipway_log_now=$(stat -L -c '%s %Y' - <"$slipway_folder/$slipway_log") || return 0
    [ "$slipway_log_now" = "${slipway_log_noted:-}" ] ||
        printf '%s\n' "$slipway_log_now" >>"$slipway_folder/log.times" || return 0
    slipway_log_noted=$slipway_log_now
} 2>/dev/null

# slipway_clock: calls it each second as long as this script runs, because a log has no times; after hours less often.
# Not a child of this shell, for which a step would wait with "wait". It ignores signals: what is printed after one counts.
slipway_clock() {
    [ -f "$slipway_folder/$slipway_log" ] || return 0
    slipway_note_log
    (
        trap '' TERM INT HUP
        while kill -0 "$$"; do
            slipway_note_log
            sleep $((SECONDS < 140000 ? 1 + SECONDS / 20000 : 8))
        done &
    ) </dev/null >/dev/null 2>&1
}

# However the script ends, by itself, after a failed step or on Slurm's SIGTERM, exit.json is written.
slipway_ended() {
    local code=$?
    trap - EXIT
    if [ -n "$slipway_step" ]; then
        (exit "$code")
        end success
    fi
    [ -z "${SLIPWAY_STEP:-}" ] || exit "$code" # one step of an allocation: the job continues
    [ ! -f "$slipway_folder/log.times" ] || slipway_note_log
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

# slipway_refuse WHY: ends the job before it runs anything. Writes nothing to a folder of another user.
slipway_refuse() {
    echo "Nothing was started. $1" >&2
    if [ -O . ]; then mark node failed files 77 "$1"; else trap - EXIT; fi
    exit 77
}

# slipway_compare: checks that the files of the run are as they were uploaded, in a folder where no one else can replace
# them. You may change them yourself: a step that you run by hand only reports it, a whole job has to be told to run.
slipway_compare() {
    local changed
    slipway_yours . || slipway_refuse "The run folder belongs to another user, or other users may write to it."
    [ -n "${SLIPWAY_STEP:-}" ] || [ ! -f "$slipway_log" ] || [ -s "$slipway_log" ] || rm -f log.times # a requeued job has begun its log again
    [ -n "$slipway_sums" ] || return 0
    changed=$(sha256sum --check --quiet 2>/dev/null <<<"$slipway_sums") && return
    changed="Changed after the upload: ${changed//$'\n'/, }"
    if [ -n "${SLIPWAY_STEP:-}${SLIPWAY_CHANGED:-}" ] || [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ]; then
        echo "$changed"
    else
        echo "If you changed it yourself: SLIPWAY_CHANGED=yes sbatch job.sh" >&2
        slipway_refuse "$changed"
    fi
}

slipway_compare
if [ -z "${SLIPWAY_STEP:-}" ]; then
    rm -f exit.json # of an earlier attempt, if Slurm has requeued the job
    [ "${SLURM_RESTART_COUNT:-0}" -eq 0 ] || slipway_row host begin ok "attempt $((SLURM_RESTART_COUNT + 1))"
    mark node "done" node 0 "${SLURMD_NODENAME:-$(uname -n)}"
    slipway_clock
fi
probe_ready || : # a step may start it, so it is prepared first

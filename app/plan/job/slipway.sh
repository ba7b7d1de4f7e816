# shellcheck shell=bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Functions of the job script in this folder. Requires only bash and coreutils, and writes
#   events.ndjson  one line when a step begins and one when it ends, and one every two seconds while an image is pulled
#   exit.json      how the job ended, however it ended
#   probe.ndjson   the report of slipway-probe, one row per check
#   log.times      how large the log was when: "SIZE SECONDS" for each second in which it grew
#   packages.path  where the packages are that were installed for the run
# secrets.env holds variables with secrets, if the launch named any, and is removed at the end.
# registry.env, if there is one, holds logins for the pulls; it is removed once they are done.
# probe.sha256 holds the path of that program and its checksum.

slipway_folder=$PWD
slipway_stage=node
slipway_step=
slipway_title=
slipway_digest=
slipway_build_lock=
slipway_signalled=
slipway_node_folder=
slipway_pull_file=
slipway_pull_pid=
slipway_pull_tmp=
slipway_pull_cache=
slipway_requeue=
# One task of an array is a run of its own: slurm-ARRAY_TASK.out.
slipway_log=slurm-${SLURM_ARRAY_TASK_ID:+${SLURM_ARRAY_JOB_ID}_}${SLURM_ARRAY_TASK_ID:-${SLURM_JOB_ID:-}}.out
# The other files of the run with their SHA-256. Slipway fills this in when it uploads them.
slipway_sums='{sums}'
umask go-w # no one else may change files that a job writes

# slipway_json TEXT...: each as a JSON string, in slipway_quoted, with control characters replaced by blanks. Without a
# process of its own, because a job marks many steps.
slipway_json() {
    local text
    slipway_quoted=()
    for text; do
        text=${text//\\/\\\\}
        text=${text//\"/\\\"}
        slipway_quoted+=("\"${text//[[:cntrl:]]/ }\"")
    done
}

# slipway_time: the seconds since 1970, in slipway_now. bash knows it itself since release 5.0.
slipway_time() {
    slipway_now=${EPOCHREALTIME:-$(date +%s.%3N)}
    slipway_now=${slipway_now/,/.}
}

# mark STAGE STATE STEP CODE TEXT [DIGEST]: one line of events.ndjson. DIGEST is of the image that the step made ready.
mark() {
    slipway_time
    slipway_json "$1" "$2" "$3" "$5" "${6:-}"
    printf '{"t":%s,"stage":%s,"state":%s,"step":%s,"code":%d,"text":%s%s}\n' "$slipway_now" "${slipway_quoted[@]:0:3}" \
        "$4" "${slipway_quoted[3]}" "${6:+,\"image_digest\":${slipway_quoted[4]}}" >>"$slipway_folder/events.ndjson"
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
    [ -z "$slipway_build_lock" ] || slipway_unlock "$slipway_build_lock"
    slipway_build_lock=
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
        slipway_forget_login "$slipway_step"
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
    slipway_json "$2" "$3" "$1" "${SLURMD_NODENAME:-$(uname -n)}" "$4" "${5:-}" "${6:-}"
    printf -v text '{"id":%s,"state":%s,"where":%s,"node":%s,"value":%s' "${slipway_quoted[@]:0:5}"
    [ -z "${5:-}" ] || text+=",\"why\":${slipway_quoted[5]}"
    [ -z "${6:-}" ] || text+=",\"fix\":${slipway_quoted[6]}"
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

# slipway_trusted FILE: no one else can have written FILE, or can replace it or one of your folders on the way to it.
slipway_trusted() {
    local at=${1%/*}
    slipway_private "$1" && return
    if slipway_yours "$at" && { [ ! -e "$1" ] || slipway_yours "$1"; }; then
        while [ -O "$at" ] && slipway_yours "$at" && [ "$at" != "${at%/*}" ]; do at=${at%/*}; done
        [ -O "$at" ] && ! slipway_yours "$at" || return 0
    fi
    echo "Other users may write to $1 or to $at, so it is not used: someone else could have replaced it." >&2
    echo "Remove it and run: chmod go-w '$at'. Or set an image folder for the site that only you can write to." >&2
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

# pull_once FILE COMMAND…: if FILE is missing, runs COMMAND, which writes FILE.part. Only one job at a time does so. Its
# progress is noted while it runs; if it fails, or the job is ended, nothing of it is left.
pull_once() {
    local file=$1 code=0 reused=
    shift
    mkdir -p "${file%/*}" || return
    slipway_trusted "$file" || return
    slipway_lock "$file.lock" || return
    if [ -s "$file" ]; then reused=$(date -r "$file" +%F); else slipway_pull "$file" "$@" || code=$?; fi
    [ "$code" -ne 0 ] || image_digest "$file" keep 9>&-
    slipway_unlock "$file.lock"
    if [ -n "$reused" ]; then
        echo "Already present: $file${slipway_digest:+, $slipway_digest} (pulled $reused)"
        mark image reused "$slipway_step" 0 "$reused"
    fi
    return "$code"
}

# slipway_registry_of REFERENCE: the registry of an image as Slipway names it: nvcr.io, login:5000, docker.io.
slipway_registry_of() {
    local name=${1#*://} host
    host=${name%%[/#]*}
    [[ $name == */* || $name == *#* ]] && [[ $host == *[.:]* || $host == localhost || $name == "$host#"* ]] || host=docker.io
    case ${host,,} in
    www.docker.io | index.docker.io | registry-1.docker.io | registry.hub.docker.com | hub.docker.com) host=docker.io ;;
    esac
    printf '%s\n' "${host,,}"
}

# slipway_asked_registries WORD…: the registries that a pull asks, or a build, whose last word is a definition file.
slipway_asked_registries() {
    local word line value kind=''
    for word in "$@"; do
        case $word in docker://* | oras://*) slipway_registry_of "$word" ;; esac
    done
    case " $* " in *" build "*) [ -f "$word" ] || return 0 ;; *) return 0 ;; esac
    while read -r line || [ -n "$line" ]; do
        [[ $line =~ ^([A-Za-z]+)[[:space:]]*:[[:space:]]*([^[:space:]]*) ]] || continue
        value=${BASH_REMATCH[2]}
        case ${BASH_REMATCH[1],,} in
        bootstrap) kind=${value,,} ;;
        from)
            case "$kind ${value%%/*}" in
            'docker '*'{{'* | 'oras '*'{{'*) echo '{{' ;; # known only to the build
            'docker '* | 'oras '*) slipway_registry_of "$value" ;;
            esac
            ;;
        esac
    done <"$word"
}

# slipway_login_of REGISTRY: its line in registry.env, if that file is yours alone. It holds, in base64, the logins that
# Slipway uploaded for the pulls of this job.
slipway_login_of() {
    local file=$slipway_folder/registry.env kind name rest
    if [ -L "$file" ] || [ ! -O "$file" ] || [ -n "$(find "$file" -maxdepth 0 -perm /077)" ]; then
        echo "registry.env is not used: others may read it, or it is not yours." >&2
        return 0
    fi
    while read -r kind name rest; do
        [ "$kind $name" != "login $1" ] || printf '%s\n' "$rest"
    done <"$file"
}

# slipway_forget_login STEP: removes the logins when no step after STEP needs them.
slipway_forget_login() {
    local kind name rest file=$slipway_folder/registry.env
    read -r kind name rest 2>/dev/null <"$file" || return 0
    [ "$kind $name" != "last $1" ] || rm -rf "$file" "$slipway_folder/registry.enroot"
}

# slipway_with_login COMMAND…: a pull or a build, with the login of the registry that it asks, if Slipway uploaded one.
# Only COMMAND gets it. Apptainer would offer it to every registry that it asks, so it gets none if these are several.
slipway_with_login() {
    local registries login user secret
    if [ ! -f "$slipway_folder/registry.env" ]; then
        "$@"
        return
    fi
    registries=$(slipway_asked_registries "$@" | sort -u)
    login=$(slipway_login_of "${registries%%$'\n'*}")
    if [[ $registries == *$'\n'* ]]; then
        echo "The login is not used: the images come from several registries, and it is for one of them." >&2
        login=
    fi
    read -r user secret <<<"$login"
    user=$(base64 -d <<<"$user") && secret=$(base64 -d <<<"$secret") || user=
    if [ -z "$user" ] || [ -z "$secret" ]; then
        "$@"
        return
    fi
    echo "Logging in to $registries as $user"
    case " $* " in
    *" enroot import "*) slipway_enroot_login "$registries" "$user" "$secret" "$@" ;;
    *)
        (
            export APPTAINER_DOCKER_USERNAME=$user APPTAINER_DOCKER_PASSWORD=$secret
            export SINGULARITY_DOCKER_USERNAME=$user SINGULARITY_DOCKER_PASSWORD=$secret
            "$@"
        )
        ;;
    esac
}

# slipway_enroot_login REGISTRY USER SECRET COMMAND…: enroot reads logins from a file of its folder of settings, so it gets
# a folder of its own, and the user in the name of the image.
slipway_enroot_login() {
    local host=${1%:*} user=$2 secret=$3 folder=$slipway_folder/registry.enroot code=0 word words=() hosts
    hosts=$host
    [ "$host" != docker.io ] || hosts='registry-1.docker.io auth.docker.io' # asked for the image, asked for a token
    shift 3
    if [[ $user$secret =~ [[:space:]\"] ]]; then
        echo "The login is not used: enroot takes no blanks or quotes in one." >&2
        "$@"
        return
    fi
    for word in "$@"; do
        case $word in
        docker://*) [[ ! $user =~ ^[[:alnum:]_.$+-]+$ ]] || word=docker://$user@${word#docker://} ;;
        esac
        words+=("$word")
    done
    (
        if [ "${secret#\$}" != "$secret" ]; then # enroot lets a shell read what begins with a dollar sign
            export SLIPWAY_SECRET=$secret
            secret=\$SLIPWAY_SECRET
        fi
        trap 'rm -rf "$folder"' EXIT
        rm -rf "$folder" && mkdir -m 700 "$folder" || exit
        umask 077
        for host in $hosts; do
            printf 'machine %s login %s password %s\n' "$host" "$user" "$secret"
        done >"$folder/.credentials" || exit
        export ENROOT_CONFIG_PATH=$folder
        "${words[@]}"
    ) || code=$?
    return "$code"
}

# slipway_pull FILE COMMAND…: runs COMMAND, and renames FILE.part. In the background, because a trap runs only after the
# program in the foreground has ended; with a process group of its own, so that all of it can be ended.
slipway_pull() {
    local file=$1 kind cache variable of='' code=0
    shift
    kind=$(slipway_runtime "$@")
    case ${kind#--runtime } in
    singularity) variable=SINGULARITY_TMPDIR cache=${SINGULARITY_CACHEDIR:-$HOME/.singularity} ;;
    enroot) variable=ENROOT_TEMP_PATH cache=${ENROOT_CACHE_PATH:-${XDG_CACHE_HOME:-$HOME/.cache}/enroot} ;;
    *) variable=APPTAINER_TMPDIR cache=${APPTAINER_CACHEDIR:-$HOME/.apptainer} ;;
    esac
    mkdir -p "$cache" || return
    rm -rf "$file.part"
    of=$(slipway_image_bytes "$slipway_step")
    slipway_pull_place "$cache" "${!variable:-}" "${of:-0}"
    slipway_pull_fits "$file" "$cache" "${of:-0}" || return
    slipway_pull_file=$file slipway_pull_cache=$cache
    slipway_pull_tidy "$cache" "$slipway_pull_tmp"
    slipway_pull_tmp=$(mktemp -d "$slipway_pull_tmp/slipway-pull.XXXXXX") || { slipway_pull_file='' && return 1; }
    printf '%s\n' "$file.lock" >"$slipway_pull_tmp/lock"
    exec 8>>"$cache/.slipway-pulls" && { flock -s -n 8 || :; } 2>/dev/null
    local -x "$variable=$slipway_pull_tmp"
    set -m
    slipway_with_login "$@" </dev/null 8>&- 9>&- &
    slipway_pull_pid=$!
    set +m
    slipway_pull_watch "$slipway_pull_pid" "$of"
    # A signal that is for the program ends wait, and not the pull.
    while kill -0 "$slipway_pull_pid" 2>/dev/null; do wait "$slipway_pull_pid" 2>/dev/null; done
    wait "$slipway_pull_pid" 2>/dev/null || code=$?
    if [ "$code" -eq 0 ]; then mv "$file.part" "$file" || code=$?; else slipway_pull_full "$file" "$cache"; fi
    slipway_pull_stop "$code"
    return "$code"
}

# slipway_image_bytes STEP: the compressed size of the image that STEP pulls, if the registry told it before the launch:
# a line "STEP BYTES" of image.bytes.
slipway_image_bytes() {
    local step bytes
    while read -r step bytes; do
        [ "$step" != "$1" ] || ! [[ $bytes =~ ^[1-9][0-9]{0,14}$ ]] || { echo "$bytes" && return; }
    done 2>/dev/null <"$slipway_folder/image.bytes" || :
} 2>/dev/null

# slipway_free FOLDER: the free bytes of its file system; nothing if that is not known.
slipway_free() {
    local free
    free=$(df -B1 --output=avail -- "$1" 2>/dev/null | tail -n 1) && free=${free//[!0-9]/} && echo "${free:-}"
}

slipway_size() {
    numfmt --to=iec-i --suffix=B --format='%.1f' "$1" 2>/dev/null || echo "$1 B"
}

# slipway_pull_place CACHE GIVEN BYTES: sets slipway_pull_tmp to the folder for the temporary files of a pull: GIVEN if
# there is one; else one of the node itself, which is faster, if it is large enough; else where there is most room.
slipway_pull_place() {
    local cache=$1 given=$2 enough=$((4 * $3)) best='' most=-1 room place seen=
    [ "$enough" -gt 0 ] || enough=$((64 << 30))
    for place in ${given:+"$given"} "${TMPDIR:-/tmp}" /tmp "$cache"; do
        [[ -d $place && -w $place && $seen != *"|$place|"* ]] || continue
        seen+="|$place|"
        # In memory, which counts as memory of the job
        [ "$place" = "$given" ] || [ "$place" = "$cache" ] || [ "$(stat -f -c %T "$place" 2>/dev/null)" != tmpfs ] || continue
        room=$(slipway_free "$place")
        if [ "$place" = "$given" ] || [ "${room:-0}" -gt "$most" ]; then best=$place most=${room:-0}; fi
        if [ "$place" = "$given" ] || [ "${room:-0}" -ge "$enough" ]; then break; fi
    done
    slipway_pull_tmp=${best:-$cache}
    case $slipway_pull_tmp in
    "$given") place="as the job's variables say" ;;
    "$cache") place="which has the most room" ;;
    *) if [ "$most" -ge "$enough" ]; then place="on the node itself"; else place="which has the most room"; fi ;;
    esac
    echo "Temporary files: in $slipway_pull_tmp, $place ($(slipway_size "$most") free)"
}

# slipway_pull_fits FILE CACHE BYTES: fails if a file system is certainly too small for an image of that compressed size.
# Quotas are not known here. Layers that are in the cache already need no more room there.
slipway_pull_fits() {
    local bytes=$3 folder need device free other
    [ "$bytes" -gt 0 ] || return 0
    local -A needs=()
    local -a parts=("1 ${1%/*}" "2 $slipway_pull_tmp")
    [ "$(du -s -B1 --apparent-size "$2" 2>/dev/null | cut -f 1)" -ge "$bytes" ] 2>/dev/null || parts+=("1 $2")
    for other in "${parts[@]}"; do
        device=$(stat -L -c %d "${other#* }" 2>/dev/null) || continue
        needs[$device]=$((${needs[$device]:-0} + ${other%% *}))
    done
    for other in "${parts[@]}"; do
        folder=${other#* }
        device=$(stat -L -c %d "$folder" 2>/dev/null) || continue
        need=$((${needs[$device]} * bytes)) free=$(slipway_free "$folder")
        [[ -n $free && $free -lt $need ]] || continue
        echo "Error: not enough room for the image: $folder has $(slipway_size "$free") free, and an image of" \
            "$(slipway_size "$bytes") (compressed) needs about $(slipway_size "$need") there while it is pulled." \
            "Nothing was pulled. Delete what is no longer needed there, or set another folder." >&2
        return 1
    done
}

# slipway_pull_full FILE CACHE: after a pull has failed, names the folders that are full.
slipway_pull_full() {
    local folder free
    for folder in "${1%/*}" "$2" "$slipway_pull_tmp"; do
        free=$(slipway_free "$folder")
        [[ -n $free && $free -lt $((8 << 20)) ]] || continue
        echo "Error: no space left on device: $folder has $(slipway_size "$free") free. The pull is" \
            "given up, and what it has written is removed." >&2
        return
    done
}

# slipway_pull_bytes PATH…: their size in all; folders that do not exist count nothing.
slipway_pull_bytes() {
    local sum
    sum=$(timeout 20 du -s -c -B1 --apparent-size -- "$@" 2>/dev/null | tail -n 1) && sum=${sum%%[!0-9]*} || sum=
    echo "${sum:-0}"
}

# slipway_pull_watch PID OF: notes each two seconds how far the pull is, less often after a quarter of an hour or if it
# takes long to find out. Not a child of this shell, as slipway_clock.
slipway_pull_watch() {
    (slipway_pull_rows "$@" &) </dev/null >/dev/null 2>&1 8>&- 9>&-
}

# Layers arrive in the cache, or with enroot beside the folders into which they are unpacked; the file system of the image
# is packed in the temporary folder, and the image file in the cache or at once where it belongs.
slipway_pull_rows() {
    local pid=$1 of=$2 count=0 pause=1 begun phase=download now shown
    local layers=("$slipway_pull_cache") packed=("$slipway_pull_file.part")
    [ ! -d "$slipway_pull_cache/cache" ] || layers=("$slipway_pull_cache/cache/blob") packed+=("$slipway_pull_cache/cache/oci-tmp")
    local first packs
    # What it has is of other images. The temporary folder may be inside.
    first=$(($(slipway_pull_bytes "${layers[@]}") - $(slipway_pull_inside)))
    packs=$(slipway_pull_bytes "${packed[@]}")
    while sleep "$pause" && kill -0 "$pid"; do
        begun=$SECONDS
        if [ -d "$slipway_pull_cache/cache" ] && [ "${#packed[@]}" -eq 1 ]; then # made by this pull
            layers=("$slipway_pull_cache/cache/blob") packed+=("$slipway_pull_cache/cache/oci-tmp") first=0
        fi
        now=$(($(slipway_pull_bytes "${packed[@]}") - packs + $(slipway_pull_named 'squashfs-*')))
        if [ "$now" -gt 0 ]; then
            phase=pack
        elif [ "$phase" != pack ]; then
            now=0
            [ -z "$(find "$slipway_pull_tmp" -mindepth 3 -maxdepth 3 -type d -print -quit)" ] || phase=extract
            if [ "$phase" = extract ]; then
                now=$(slipway_pull_bytes "$slipway_pull_tmp")
            else
                now=$(($(slipway_pull_bytes "${layers[@]}") - $(slipway_pull_inside) - first + $(slipway_pull_named '*')))
            fi
        fi
        kill -0 "$pid" || break
        [ "$now" -ge 0 ] || now=0
        shown=
        [ -z "$of" ] || [ "$phase" != download ] || shown=",\"of\":$of"
        slipway_time
        slipway_json "$slipway_step"
        printf '{"t":%s,"stage":"image","state":"progress","step":%s,"phase":"%s","bytes":%d%s}\n' "$slipway_now" \
            "${slipway_quoted[0]}" "$phase" "$now" "$shown" >>"$slipway_folder/events.ndjson"
        count=$((count + 1)) pause=2
        [ "$count" -lt 450 ] || pause=15
        [ "$count" -lt 900 ] || pause=120
        now=$((10 * (SECONDS - begun)))
        [ "$now" -le "$pause" ] || pause=$now
    done
}

# slipway_pull_inside: the bytes of the temporary folder, if it is inside what is counted as layers.
slipway_pull_inside() {
    case $slipway_pull_tmp/ in
    "${layers[0]}"/*) slipway_pull_bytes "$slipway_pull_tmp" ;;
    *) echo 0 ;;
    esac
}

# slipway_pull_named PATTERN: the bytes of the files of that name in the temporary folder, not deeper than its folders.
slipway_pull_named() {
    local size sum=0
    while read -r size; do sum=$((sum + size)); done < <(find "$slipway_pull_tmp" -mindepth 2 -maxdepth 2 -type f -name "$1" -printf '%s\n')
    echo "$sum"
}

# slipway_pull_stop [CODE]: ends what is left of a pull, and removes what is not complete.
slipway_pull_stop() {
    local tries=0 file=$slipway_pull_file
    if [ -n "$slipway_pull_pid" ]; then
        kill -TERM -- "-$slipway_pull_pid" || kill "$slipway_pull_pid"
        while kill -0 -- "-$slipway_pull_pid" && [ $((tries += 1)) -le 50 ]; do sleep 0.1; done
        [ "$tries" -le 50 ] || kill -KILL -- "-$slipway_pull_pid"
        wait "$slipway_pull_pid"
    fi 2>/dev/null
    slipway_pull_pid=
    [ -z "$file" ] || rm -rf "$file.part"
    # Half a layer can only be told from that of another pull when there is no other. A complete pull leaves none, and
    # what is older than this one belongs to a pull by hand.
    if [ -n "$file" ] && [ "${1:-1}" -ne 0 ] && flock -n 8 2>/dev/null; then
        slipway_pull_halves "$slipway_pull_cache" -newer "$slipway_pull_tmp/lock"
    fi
    exec 8>&-
    [ ! -d "$slipway_pull_tmp" ] || [[ $slipway_pull_tmp != */slipway-pull.* ]] || slipway_remove "$slipway_pull_tmp"
    slipway_pull_file='' slipway_pull_tmp=
}

# slipway_pull_cancel: the same at the end of the job.
slipway_pull_cancel() {
    local file=$slipway_pull_file
    echo "The pull was ended; what it has written is removed." >&2
    slipway_pull_stop
    slipway_unlock "$file.lock"
}

# slipway_pull_halves CACHE [TEST…]: removes layers that did not arrive completely, and images that were not packed.
slipway_pull_halves() {
    local cache=$1/cache
    shift
    [ ! -d "$cache" ] || find "$cache" -maxdepth 4 -regextype posix-extended -user "$EUID" -type f "$@" \
        \( -name 'oci-put-blob*' -o -path '*-tmp/tmp_*' -o -regex '.*/blobs/sha256/[0-9a-f]{64}[^/]+' \) -delete
} 2>/dev/null

# slipway_pull_tidy CACHE PLACE: removes what jobs have left that were killed: of this image, whose lock this job has, and
# of others after two hours if no job has their lock.
slipway_pull_tidy() {
    local folder lock
    for folder in "$1"/slipway-pull.* "$2"/slipway-pull.* "${TMPDIR:-/tmp}"/slipway-pull.*; do
        [[ -d $folder && -O $folder && ! -L $folder && -f $folder/lock ]] || continue
        read -r lock <"$folder/lock" || continue
        if [ "$lock" != "$slipway_pull_file.lock" ]; then
            [[ -n $(find "$folder" -maxdepth 0 -mmin +120) && ! -d $lock.d ]] || continue
            [ ! -f "$lock" ] || flock -n "$lock" true 2>/dev/null || continue
        fi
        slipway_remove "$folder"
    done
    slipway_pull_halves "$1" -mmin +120
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

# one_build FILE: waits until no other job builds FILE. The next one may when this step has ended.
one_build() {
    slipway_lock "$1.lock" "building this image" && slipway_build_lock=$1.lock
}

# plain_http FILE REGISTRY… -- COMMAND…: runs COMMAND (apptainer build …), over plain HTTP if the definition file FILE
# starts from an image of one of these registries.
plain_http() {
    local file=$1 plain=
    shift
    while [ "$1" != -- ]; do
        ! grep -qiE "^[[:space:]]*From[[:space:]]*:[[:space:]]*${1//./\\.}/" "$file" || plain=yes
        shift
    done
    shift
    if [ -z "$plain" ]; then
        "$@"
    elif [ "$1" = apptainer ]; then
        apptainer "$2" --no-https "${@:3}"
    else
        SINGULARITY_NOHTTPS=1 "$@"
    fi
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

# read_secrets [--requeue] NAME…: sets these variables from secrets.env, which the job removes at its end. A variable that
# is set already may be missing there: by hand, export it before sbatch. Nothing of the file is printed, even with set -x.
# --requeue: the file is kept when SIGTERM ends the job, which Slurm may then start again.
read_secrets() {
    local slipway_options=$-
    { set +vx; } 2>/dev/null
    slipway_read_secrets "$@"
    set -- "$?"
    case $slipway_options in *v*) set -v ;; esac
    case $slipway_options in *x*) set -x ;; esac
    return "$1"
}

slipway_read_secrets() {
    local slipway_name slipway_missing='' slipway_file=$slipway_folder/secrets.env
    if [ "${1:-}" = --requeue ]; then
        slipway_requeue=yes
        shift
    fi
    if [ -e "$slipway_file" ] || [ -L "$slipway_file" ]; then
        if [ -z "$(find "$slipway_file" -maxdepth 0 -type f -user "$EUID" ! -perm /077 2>/dev/null)" ]; then
            echo "Error: secrets.env is not used: it is not a file of yours that only you can read." >&2
            return 77
        fi
        # shellcheck disable=SC1090  # written by Slipway
        . "$slipway_file" || return
    fi
    for slipway_name in "$@"; do
        [ -n "${!slipway_name+set}" ] || slipway_missing+=" $slipway_name"
    done
    [ -n "$slipway_missing" ] || return 0
    echo "Error: there is no value for$slipway_missing: secrets.env is removed when a job has ended." \
        "Launch the run again, or export the variable before sbatch." >&2
    return 77
}

# checkpoint_folder FOLDER LINK: makes LINK, a path below code/, a link to FOLDER. FOLDER is kept when the run has ended, so a
# requeued job and the runs that continue this one find there what was saved. A new FOLDER begins with the files that the
# folder that was sent has under that name.
checkpoint_folder() {
    local folder=$1 link=$2 at=$2
    mkdir -p "${folder%/*}" && slipway_trusted "$folder" || return
    while at=${at%/*} && [ "$at" != "${at#*/}" ]; do
        [ ! -L "$at" ] || { slipway_no_link "$at" "a symbolic link"; return 1; }
    done
    if [ -e "$link" ] && [ ! -d "$link" ]; then
        slipway_no_link "$link" "a file"
        return 1
    elif [ -L "$link" ] && [ "$(readlink "$link")" != "$folder" ]; then
        slipway_no_link "$link" "a symbolic link"
        return 1
    elif [ ! -d "$folder" ]; then
        # Renamed when it is complete: a job that is killed here leaves no half copy.
        rm -rf "$folder.part"
        mkdir "$folder.part" || return
        if [ -d "$link" ]; then
            cp -a "$link/." "$folder.part" && chmod -R u+rwX "$folder.part" || return
        fi
        mv -T "$folder.part" "$folder" || return
    elif [ -d "$link" ] && [ ! -L "$link" ]; then
        echo "Checkpoints: those of $folder are used, not those of the folder that was sent."
    fi
    [ ! -L "$link" ] || return 0
    rm -rf "$link"
    mkdir -p "${link%/*}" && ln -sn "$folder" "$link"
}

slipway_no_link() {
    echo "Error: ${1#code/} is $2 in the folder that was sent, so no checkpoint folder can be put there." \
        "Name another folder for the checkpoints, or leave it out with a .slipwayignore." >&2
}

# signalled NAME COMMAND…: runs COMMAND, which gets the signal NAME, and SIGTERM, when this script gets it. In the
# foreground it would get neither: bash waits for its end first.
signalled() {
    local name=$1 child code=0 again=yes ended=
    shift
    "$@" <&0 &
    child=$!
    trap 'again=yes; kill -s "$name" "$child"' "$name"
    trap 'again=yes ended=yes; kill "$child"' TERM
    while [ -n "$again" ]; do # a signal ends wait, and not the command
        again=
        wait "$child" && code=0 || code=$?
    done 2>/dev/null
    trap : "$name"
    slipway_leave_at TERM 143
    [ -z "$ended" ] || slipway_leave 143
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

# slipway_forget_secrets CODE: removes secrets and logins at the end of the job. A job that Slurm may start again needs
# them again: read_secrets --requeue, or "requeue" in the first line of registry.env, after the last step that pulls.
slipway_forget_secrets() {
    local kind='' name='' rest=''
    read -r kind name rest 2>/dev/null <"$slipway_folder/registry.env" || :
    rm -rf "$slipway_folder/registry.enroot"
    [ "$kind $rest" != "last requeue" ] || slipway_requeue=yes
    [ "$1,$slipway_requeue" = 143,yes ] || rm -f "$slipway_folder/secrets.env" "$slipway_folder/registry.env"
}

# However the script ends, by itself, after a failed step or on Slurm's SIGTERM, exit.json is written.
slipway_ended() {
    local code=$?
    trap 'code=143' TERM # it no longer ends this script, and is not forgotten
    trap - EXIT
    code=${slipway_signalled:-$code}
    if [ "$slipway_requeue" = yes ] && [ "$code" -ne 143 ] && [ -z "${SLIPWAY_STEP:-}" ]; then
        # A program that requeues its own job may end before Slurm's SIGTERM arrives.
        sleep 2 >/dev/null 2>&1 &
        wait "$!"
    fi
    trap '' TERM INT # exit.json is written in any case
    [ -z "$slipway_pull_file" ] || slipway_pull_cancel
    if [ -n "$slipway_step" ]; then
        (exit "$code")
        end success
    fi
    [ -z "${SLIPWAY_STEP:-}" ] || exit "$code" # one step of an allocation: the job continues
    slipway_forget_secrets "$code"
    [ ! -f "$slipway_folder/log.times" ] || slipway_note_log
    slipway_time
    slipway_json "${SLURMD_NODENAME:-$(uname -n)}"
    printf '{"code":%d,"stage":"%s","t":%s,"node":%s,"restart":%d}\n' "$code" "$slipway_stage" "$slipway_now" \
        "${slipway_quoted[0]}" "${SLURM_RESTART_COUNT:-0}" >"$slipway_folder/exit.json.part"
    mv "$slipway_folder/exit.json.part" "$slipway_folder/exit.json"
    [ -z "$slipway_node_folder" ] || slipway_remove "$slipway_node_folder"
    exit "$code"
}
# slipway_leave CODE: at a signal. Of the code, $? keeps nothing if the signal came between two commands.
slipway_leave() {
    slipway_signalled=$1
    exit "$1"
}
# slipway_leave_at SIGNAL CODE. bash 5.2 may run a trap while it parses a command substitution, and then reads it as the
# rest of that: without a ")" it fails, and the signal is lost. Elsewhere the second line is never read.
slipway_leave_at() {
    # shellcheck disable=SC2064 # CODE is known now
    trap "slipway_leave $2"$'\n)' "$1"
}
trap slipway_ended EXIT
slipway_leave_at TERM 143
slipway_leave_at INT 130

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

# shellcheck shell=bash
# Builds the parts in the background and reports their progress. The percentage is counted from the lines of apt and
# dpkg; it is unknown until apt has printed the number of packages.

declare -A part_pid=()

# begin_part PART
begin_part() {
    say_stage "$1" running "Starting"
    : >"$log_dir/$1.log" # its progress is read before the shell below opens it
    # The build ends with this program, however that ends: setpriv passes the kill to unshare, and unshare to its namespace.
    setpriv --pdeathsig KILL -- unshare "${mapping[@]}" --mount --pid --ipc --fork --kill-child=KILL --mount-proc -- \
        bash "$lib/make-part.sh" "$1" >"$log_dir/$1.log" 2>&1 </dev/null {lock_fd}>&- &
    part_pid[$1]=$!
}

# progress LOG: "PERCENT WHAT", PERCENT null if unknown. apt runs twice (the essential packages, then the rest); for an
# image only the second counts.
progress() {
    awk '
        BEGIN { runs_wanted = 2 }
        /^Essential packages: present/ { total = runs = got = unpacked = setup = 0; runs_wanted = 1; what = "" }
        / newly installed, / { total += 3 * $3; runs++ }
        /^Get:.* [0-9.]+ k?M?B\]$/ && !/InRelease|Packages/ { got++; what = "Downloading " $5 }
        /^Unpacking / { unpacked++; what = "Unpacking " $2 }
        /^Setting up / { setup++; what = "Setting up " $3 }
        /^I: (creating tarball|cleaning package lists)/ { what = "Writing the result"; ending = 1 }
        END {
            if (got < unpacked) got = unpacked
            if (what == "") what = "Reading the package lists"
            sub(/:.*/, "", what)
            if (ending) print 99, what
            else if (runs < runs_wanted || total == 0) print "null", what
            else printf "%d %s\n", 99 * (got + unpacked + setup) / total, what
        }' "$1"
}

# explain_failure PART LOG: what happened, why, what to do next
explain_failure() {
    local log=$2 free
    free=$(df --output=avail -m -- "$state_dir" | tail -n 1)
    if [[ $1 == slurm-* ]] && grep -q '^wrong release: ' "$log"; then
        echo "$(sed -n 's/^wrong release: //p' "$log"), not ${1#slurm-}. Ask for another release, or for the newest: --slurm newest."
    elif [[ $1 == slurm-* ]] && grep -qiE "does not have a release file|404 +not found" "$log"; then
        echo "The Debian mirror $(debian_mirror) does not have Debian ${release_suite[${1#slurm-}]}, which Slurm ${1#slurm-} comes from. Set SLIPWAY_DEBIAN_MIRROR to a mirror that has it, such as one of Debian's archive for old releases; then run up again."
    elif grep -qi 'no space left on device' "$log" || [ "$free" -lt 20 ]; then
        echo "The disk of $state_dir is full ($((free)) MiB free). Free about $needed_megabytes MiB, or set SLIPWAY_DEMO_DIR to a folder on another disk; then run up again; it continues with what is missing."
    elif grep -qiE 'failed to fetch|could not resolve|could not connect|connection (failed|refused|timed out)|no longer has a release file|does not have a release file|unable to connect' "$log"; then
        echo "A Debian package could not be downloaded. Check the network and the proxy, or set SLIPWAY_DEBIAN_MIRROR; then run up again; it continues with what is missing."
    else
        echo "${stage_title[$1]} could not be built. Run up again; if it fails at the same step, see the log."
    fi
}

# watch_part PART: reports its progress; true when it has succeeded, 2 while it is running; a failure ends the program
watch_part() {
    local part=$1 pid=${part_pid[$1]} percent what
    if kill -0 "$pid" 2>/dev/null; then
        read -r percent what < <(progress "$log_dir/$part.log")
        say_stage "$part" running "$what" "$percent"
        return 2
    fi
    if wait "$pid" && part_finished "$part"; then
        unset "part_pid[$part]"
        say_stage "$part" "done" "$(part_size "$part")"
        return 0
    fi
    unset "part_pid[$part]"
    fail "$part" "$(explain_failure "$part" "$log_dir/$part.log")" "$log_dir/$part.log"
}

part_size() {
    case $1 in
        slurm-*) tail -n 1 "$log_dir/$1.log" ;;
        base-system) echo "Debian $suite with Slurm, Apptainer and sshd" ;;
        *) tail -n 1 "$log_dir/$1.log" ;;
    esac
}

end_parts() {
    local part
    for part in "${!part_pid[@]}"; do
        # Waiting for it keeps bash from reporting the kill.
        { kill -KILL "${part_pid[$part]}" && wait "${part_pid[$part]}"; } 2>/dev/null
    done
    part_pid=()
}

# shellcheck shell=bash
# demo-cluster up: build what is missing, start the nodes, wait until a user can log in and submit.

lock_fd=
finished=no

# take_lock: only one program at a time may change a state folder; a second one waits
take_lock() {
    while :; do
        exec {lock_fd}>>"$lock_file" || return 1
        if ! flock --nonblock "$lock_fd"; then
            say_stage check running "Waiting for another demo-cluster program that uses $state_dir"
            flock "$lock_fd" || return 1
        fi
        # "reset" deletes the file, and a lock on a deleted file protects nothing.
        [ "$lock_file" -ef "/proc/self/fd/$lock_fd" ] && return
        exec {lock_fd}>&-
    done
}

lock_is_held() { [ -e "$lock_file" ] && ! flock --nonblock "$lock_file" true; }

foreign_folder() { [ -d "$state_dir" ] && ! [ -d "$stamp_dir" ] && [ -n "$(ls -A -- "$state_dir" 2>/dev/null)" ]; }

open_state() {
    if foreign_folder; then
        fail check "$state_dir contains other files. Set SLIPWAY_DEMO_DIR to a new or empty folder." "" 2
    fi
    make_state_dirs || fail check "$state_dir cannot be created or written. Set SLIPWAY_DEMO_DIR to a folder that you can write to."
    take_lock || fail check "The lock file in $state_dir cannot be locked."
}

# not_asked_for STAGE WANTED...: the stage is an image that was not requested
not_asked_for() {
    local stage=$1
    shift
    [[ $stage == *-image && " $* " != *" $stage "* ]]
}

# use_plan RELEASE: the stages of a start with that release of Slurm
use_plan() {
    local part
    if [ -z "${release_suite[$1]:-}" ]; then
        finished=yes # a running cluster keeps running
        fail check "There is no Slurm $1 here. Known releases: $release_words." "" 2
    fi
    part=$(release_part "$1")
    [ -n "$part" ] || return 0
    stages=("${stages[@]:0:2}" "$part" "${stages[@]:2}")
    stage_title["$part"]=$(release_title "$1")
}

command_up() {
    trap 'leave_up' EXIT
    trap 'exit 130' INT TERM HUP
    use_plan "$release_wanted"
    say_plan
    open_state
    check_machine
    local wanted part before
    before=$(read_release && echo "$slurm_word")
    use_release "$release_wanted"
    mapfile -t wanted < <(echo base-system; release_part "$slurm_word"; image_parts)
    local missing=()
    for part in "${wanted[@]}"; do part_finished "$part" || missing+=("$part"); done

    local refusal
    if ! refusal=$(choose_emulation "$emulate_wanted"); then
        finished=yes # nothing was started, so a running cluster keeps running
        fail check "$refusal" "" 2
    fi
    if host_supervisor_alive && [ ${#missing[@]} -eq 0 ] && ! emulate_changes && [ "$before" = "$slurm_word" ] && [ -e "$run_dir/ready" ] &&
        [ -s "$ssh_dir/registry_password" ] && [ -z "$(ailment)" ]; then # without it an earlier version has started it
        rm -f -- "$emulate_file.new"
        read_emulation
        for part in "${stages[@]:1}"; do
            if not_asked_for "$part" "${wanted[@]}"; then say_stage "$part" skipped "Not requested"; else say_stage "$part" skipped "Already present"; fi
        done
        finished=yes
        say_ready
        return
    fi
    stop_cluster || fail nodes "Processes of the last start do not end. See the logs in $log_dir, or restart this machine." "$log_dir/cluster.log"
    { take_emulation && keep_release; } || fail nodes "$emulate_file or $release_file cannot be written."
    for part in "${stages[@]}"; do
        ! not_asked_for "$part" "${wanted[@]}" || say_stage "$part" skipped "Not requested"
    done
    build_and_start "${missing[@]}"

    check_registry
    say_stage ready running "Logging in over ssh"
    wait_until 10 as_demo true 2>"$log_dir/ready.log" || fail ready "Logging in to the cluster failed. Run up again; if it fails again, see the logs." "$log_dir/sshd-login.log"
    write_connection || fail ready "connection.json could not be written to $state_dir."
    : >"$run_dir/ready"
    finished=yes
    say_stage ready "done" "$(how_to_log_in)"
    say_ready
}

how_to_log_in() {
    local to
    to="-p $(cat "$ssh_dir/port") demo@127.0.0.1"
    case $emulate_login in
        password) echo "ssh $to, with the password in $ssh_dir/password" ;;
        password-and-token) echo "ssh $to, with the password in $ssh_dir/password and the code that \"demo-cluster token\" prints" ;;
        *) echo "ssh -i $ssh_dir/id_ed25519 $to" ;;
    esac
}

say_ready() {
    if [ "$json" = yes ]; then
        printf '{"event":"ready","connection":%s,"emulates":%s,"slurm":"%s"}\n' "$(json_text "$connection_file")" "$(json_text "$emulate_id")" "$slurm_word"
    else
        printf 'The cluster is running%s. Connection details: %s\n' "$emulate_title$(slurm_title)" "$connection_file"
    fi
}

# However "up" ends before it has finished, nothing that is half started keeps running.
leave_up() {
    local code=$?
    trap '' INT TERM HUP
    end_parts
    if [ $finished = no ] && [ -n "$lock_fd" ]; then
        stop_cluster
        [ $code -ne 130 ] || say_error "$current_stage" "Stopped before it was ready. Run up again; it continues with what is missing."
    fi
    exit $code
}

# build_and_start MISSING...: the base system and the images side by side, another release of Slurm after the base system;
# the cluster starts as soon as its root is there
build_and_start() {
    local images=() part building='' base=finished root started=no release=''
    for part in base-system $(release_part "$slurm_word") $(image_parts); do
        if [[ " $* " != *" $part "* ]]; then
            say_stage "$part" skipped "Built before"
        elif [ "$part" = base-system ]; then
            base=building
            root="base-system"
            begin_part base-system
        elif [[ $part == slurm-* ]]; then
            release=$part
        else
            images+=("$part")
        fi
    done
    while [ $base = building ] || [ $started = no ] || [ -n "$building" ] || [ ${#images[@]} -gt 0 ]; do
        if [ -z "$building" ] && [ ${#images[@]} -gt 0 ]; then
            building=${images[0]}
            images=("${images[@]:1}")
            begin_part "$building"
        fi
        if [ $base = building ] && watch_part "$root"; then base=finished; fi
        if [ $base = finished ] && [ -n "$release" ]; then
            base=building
            root=$release release=''
            begin_part "$root"
        fi
        if [ -n "$building" ] && watch_part "$building"; then building=; fi
        if [ $base = finished ] && [ $started = no ]; then
            start_cluster
            started=yes
            continue
        fi
        [ $base = finished ] && [ -z "$building" ] || sleep 0.5
    done
    rm -f -- "$work_dir"/essential.*
}

start_cluster() {
    local log=$log_dir/cluster.log
    say_stage nodes running "Starting login, gpu01 and gpu02"
    make_keys || fail nodes "The keys could not be created in $ssh_dir."
    describe_gpus
    : >"$log"
    rm -f -- "$log_dir/accounting.failed"
    # Right after a crash the last cluster may still be ending, so a failed start is tried once more.
    start_nodes || { stop_cluster && sleep 1 && start_nodes; } || fail nodes "The nodes did not start. The last lines of the log show the step that failed." "$(first_said "$log" "$log_dir"/node-*.log)"
    keep_port || fail nodes "No free port on 127.0.0.1 was found for the ssh relay." "$log"
    say_stage nodes "done" "login, gpu01, gpu02$emulate_title; $(gpu_facts reason)"
    say_stage slurm running "Waiting for both compute nodes"
    wait_until "$(has_accounting && echo 120 || echo 45)" slurm_decided
    accounting_failed
    slurm_ready || fail slurm "Slurm did not become ready: $(slurm_states). Run up again; if it fails again, see the log." "$log_dir/slurmctld-login.log"
    say_stage slurm "done" "$(in_node login sinfo --version), gpu01 and gpu02 are idle"
}

start_nodes() {
    rm -f -- "$run_dir"/nodes/* "$run_dir/port" "$run_dir/ready"
    setsid bash "$lib/host-supervisor.sh" </dev/null >>"$log_dir/cluster.log" 2>&1 {lock_fd}>&- &
    disown
    wait_until 3 host_supervisor_alive
    wait_until 30 nodes_decided
    nodes_alive
}

# first_said FILE...: the first log that is not empty
first_said() {
    local file
    for file in "$@"; do [ -s "$file" ] && { echo "$file"; return; }; done
    echo "$1"
}

nodes_alive() { host_supervisor_alive && [ -s "$run_dir/port" ] && in_node login true && in_node gpu01 true && in_node gpu02 true; } 2>/dev/null
nodes_decided() { nodes_alive || ! host_supervisor_alive; }
slurm_states() { in_node login timeout 5 sinfo --noheader -N -o '%N %t' 2>/dev/null | sort -u | tr '\n' ' '; }
slurm_ready() { { ! has_accounting || [ -e "$accounting_dir/registered" ]; } && [[ $(slurm_states) =~ ^gpu01\ (idle|mix|alloc|comp)\ gpu02\ (idle|mix|alloc|comp)\ $ ]]; }

slurm_decided() { slurm_ready || [ -s "$log_dir/accounting.failed" ]; }

# accounting_failed: if so, ends this start with the reason that login has written
accounting_failed() {
    local said
    [ -s "$log_dir/accounting.failed" ] || return 0
    said=$(tail -n 1 "$log_dir/accounting.failed")
    fail slurm "${said% *} Run up again; if it fails again, see the log." "$log_dir/${said##* }.log"
}

# registry_has NAME:TAG
registry_has() {
    # shellcheck disable=SC2016
    in_node login timeout 5 bash -c 'exec 3<>/dev/tcp/login/5000 || exit 1
        printf "HEAD /v2/%s/manifests/%s HTTP/1.0\r\nHost: login:5000\r\nAccept: application/vnd.docker.distribution.manifest.v2+json\r\n\r\n" "$1" "$2" >&3
        read -r answer <&3 && [[ $answer == *" 200 "* ]]' bash "${1%:*}" "${1#*:}" 2>/dev/null
}

# private_registry_asks: it answers, and wants a login
private_registry_asks() {
    # shellcheck disable=SC2016
    in_node login timeout 5 bash -c 'exec 3<>/dev/tcp/login/5001 || exit 1
        printf "GET /v2/ HTTP/1.0\r\nHost: login:5001\r\n\r\n" >&3
        read -r answer <&3 && [[ $answer == *" 401 "* ]]' 2>/dev/null
}

check_registry() {
    local part names=
    say_stage registry running "Checking that it serves the images"
    while read -r part; do
        wait_until 10 registry_has "$(image_of "$part")" ||
            fail registry "The registry does not serve $(image_of "$part"). Run up again; if it fails again, see the log." "$log_dir/docker-registry-login.log"
        names+="${names:+, }$(image_of "$part")"
    done < <(image_parts)
    wait_until 10 private_registry_asks ||
        fail registry "The private registry does not ask for a login. Run up again; if it fails again, see the log." "$log_dir/private-registry-login.log"
    say_stage registry "done" "login:5000 has $names; login:5001 has them for those who log in"
}

# shellcheck shell=bash
# demo-cluster down, status, reset, shell.

# host_supervisor_pid: also of a cluster that an older version started, which called the file keeper.pid
host_supervisor_pid() { remembered "$run_dir/host-supervisor.pid" || remembered "$run_dir/keeper.pid"; }
host_supervisor_alive() { host_supervisor_pid >/dev/null; }
host_supervisor_gone() { ! host_supervisor_alive; }
process_gone() { [ -z "$2" ] || [ "$(start_time "$1")" != "$2" ]; }
supervisor_gone() { ! remembered "$run_dir/supervisor.pid" >/dev/null; }

# stop_cluster: true when no process of the cluster is left
stop_cluster() {
    local pid begun
    if pid=$(host_supervisor_pid); then
        begun=$(start_time "$pid")
        kill -TERM "$pid" 2>/dev/null
        # It deletes the file with its id before it ends, so the process itself is waited for.
        wait_until 15 process_gone "$pid" "$begun" || kill -KILL "$pid" 2>/dev/null
    fi
    # A host supervisor that was killed could not clean up. When the first process ends, the whole namespace ends.
    end_remembered "$run_dir/supervisor.pid" KILL
    wait_until 5 supervisor_gone && wait_until 2 host_supervisor_gone || return 1
    rm -f -- "$run_dir"/*.pid "$run_dir"/nodes/* "$run_dir/ready" "$run_dir/port" "$run_dir/ssh.sock"
    remove_cgroups
}

command_down() {
    if [ -d "$stamp_dir" ]; then
        take_lock
        stop_cluster || { say_error nodes "Some processes of the cluster do not end. See the logs in $log_dir, or restart this machine." "$log_dir/cluster.log"; exit 1; }
    fi
    say_down
}

say_down() {
    if [ "$json" = yes ]; then echo '{"event":"down"}'; else echo "The cluster is down."; fi
}

command_reset() {
    if foreign_folder; then
        say_error check "$state_dir was not created by this program. Nothing was deleted."
        exit 2
    fi
    if [ -d "$state_dir" ]; then
        make_state_dirs && take_lock
        stop_cluster || { say_error nodes "Some processes of the cluster do not end. Nothing was deleted. See the logs in $log_dir, or restart this machine." "$log_dir/cluster.log"; exit 1; }
        # By name, so that a wrong SLIPWAY_DEMO_DIR deletes no other files; the folder itself only if nothing else is in it.
        local entry entries=()
        for entry in accounting base registry stamps work log run ssh home scratch slurmctld nodes places cache connection.json connection.json.new emulate.json emulate.json.new emulate.vars emulate.vars.new releases slurm.release slurm.release.new; do
            entries+=("$state_dir/$entry")
        done
        entries+=("${old_emulation_files[@]}" "$state_dir"/slurmctld-*)
        in_mapping rm -rf --one-file-system -- "${entries[@]}" && rm -f -- "$lock_file" ||
            { say_error check "Some files in $state_dir could not be deleted. Look at what is left, then run reset again."; exit 1; }
        rmdir -- "$state_dir" 2>/dev/null
    fi
    say_down
}

# ailment: what is wrong with the running cluster; prints nothing if it is healthy
ailment() {
    local node banner=
    for node in "${node_names[@]}"; do
        node_alive "$node" || { echo "the node $node has ended"; return; }
    done
    { exec 8<>"/dev/tcp/127.0.0.1/$(cat "$ssh_dir/port")" && read -r -t 5 banner <&8; exec 8>&-; } 2>/dev/null
    [[ $banner == SSH-* ]] || { echo "sshd on login does not respond"; return; }
    [[ $(in_node login timeout 5 scontrol ping 2>/dev/null) == *"is UP"* ]] || { echo "slurmctld on login does not respond"; return; }
    slurm_ready || echo "not all nodes accept jobs: $(slurm_states)"
}

command_status() {
    local state detail part built=0 wanted=0 trouble
    read_emulation
    read_release
    while read -r part; do
        wanted=$((wanted + 1))
        part_finished "$part" && built=$((built + 1))
    done < <(echo base-system; release_part "$slurm_word"; image_parts)
    if host_supervisor_alive && [ -e "$run_dir/ready" ]; then
        trouble=$(ailment)
        if [ -z "$trouble" ]; then
            state=running detail="gpu01 and gpu02 accept jobs$emulate_title$(slurm_title); $(gpu_facts reason)"
        else
            state=broken detail="$trouble"
        fi
    elif lock_is_held; then
        state=starting detail="$built of $wanted parts built"
    elif host_supervisor_alive; then
        state=broken detail="it is only partly started; run up or down"
    elif [ $built -eq $wanted ]; then
        state=stopped detail="everything is built"
    elif ! [ -d "$stamp_dir" ] || [ -z "$(ls -A -- "$stamp_dir")" ]; then
        state=absent detail="nothing is built"
    else
        state=partial detail="$built of $wanted parts built"
    fi
    if [ "$json" = yes ]; then
        printf '{"event":"status","state":"%s","detail":%s,"connection":%s,"emulates":%s,"slurm":"%s"}\n' "$state" "$(json_text "$detail")" \
            "$([ $state = running ] && json_text "$connection_file" || echo null)" "$([ $state = running ] && json_text "$emulate_id" || echo '""')" "$slurm_word"
    else
        printf '%s: %s\n' "$state" "$detail"
    fi
}

command_shell() {
    local node=${1:-login}
    [ $# -eq 0 ] || shift
    [ $# -gt 0 ] || set -- bash -l
    [[ " ${node_names[*]} " == *" $node "* ]] || { usage >&2; exit 2; }
    node_alive "$node" || { echo "The cluster is not running: demo-cluster up starts it." >&2; exit 1; }
    in_node "$node" "$@"
}

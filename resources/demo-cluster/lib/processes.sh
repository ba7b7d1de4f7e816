# shellcheck shell=bash
# Namespaces, and the processes that this cluster started. A process is known by its id and its start time, so that
# an id that the kernel gave to someone else meanwhile is never signalled.

# mapping: makes an ordinary user root over a range of user ids of their own. The host's root needs no mapping.
mapping=()
enter_mapping=()
if [ "$(id -u)" -ne 0 ]; then
    mapping=(--user --map-root-user --map-auto)
    enter_mapping=(--user)
fi

# in_mapping COMMAND...: as the owner of the cluster's files. Files of sub-ids can only be deleted this way.
in_mapping() {
    if [ ${#mapping[@]} -eq 0 ]; then "$@"; else unshare "${mapping[@]}" -- "$@"; fi
}

# start_time PID: the kernel's clock ticks at the start of that process; prints nothing if there is none
start_time() {
    local line
    { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
    # The name in field 2 may contain blanks and brackets, so fields are counted from its last bracket.
    line=${line##*) }
    # shellcheck disable=SC2086
    set -- $line
    [ "$1" = Z ] && return 1
    echo "${20}"
}

# remember PID FILE
remember() { echo "$1 $(start_time "$1")" >"$2"; }

# remembered FILE: the process id, if that same process is still running
remembered() {
    local pid begun
    [ -r "$1" ] && read -r pid begun <"$1" && [ -n "$begun" ] && [ "$(start_time "$pid")" = "$begun" ] && echo "$pid"
}

# end_remembered FILE SIGNAL
end_remembered() {
    local pid
    pid=$(remembered "$1") && kill "-$2" "$pid" 2>/dev/null
}

# wait_until SECONDS COMMAND...: true as soon as COMMAND is
wait_until() {
    local limit=$(($(now_ms) + $1 * 1000))
    shift
    until "$@"; do
        [ "$(now_ms)" -lt $limit ] || return 1
        sleep 0.1
    done
}

node_alive() { remembered "$run_dir/nodes/$1.pid" >/dev/null; }

# in_node NODE COMMAND...: as root in that node
in_node() {
    local pid
    pid=$(remembered "$run_dir/nodes/$1.pid") || return 125
    shift
    nsenter --target "$pid" "${enter_mapping[@]}" --mount --net --pid --uts --ipc -- \
        /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM="${TERM:-dumb}" "$@"
}

# fuse_is_open: may every user open the host's /dev/fuse?
fuse_is_open() {
    local mode
    mode=$(stat -c %a /dev/fuse 2>/dev/null) && (((0${mode} & 6) == 6))
}

# users_have_fuse: on the nodes, either through a device file of their own or through the host's
users_have_fuse() {
    fuse_is_open || { mknod "$run_dir/fuse-probe" c 10 229 2>/dev/null && rm -f -- "$run_dir/fuse-probe"; }
}

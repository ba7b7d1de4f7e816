# shellcheck shell=bash
# Can this machine run the cluster? What prevents it is read from a few files, below SLIPWAY_DEMO_SYSROOT if a test sets it.

needed_megabytes=3000

# userns_obstacle UID USER: what prevents user namespaces here, and how to allow them; prints nothing if nothing does
userns_obstacle() {
    local uid=$1 user=$2 root=${SLIPWAY_DEMO_SYSROOT:-} file
    file=/proc/sys/kernel/unprivileged_userns_clone
    if [ "$(cat "$root$file" 2>/dev/null)" = 0 ]; then
        echo "The kernel denies user namespaces to ordinary users ($file is 0). Apptainer needs them in every job. To allow them: sudo sysctl -w kernel.unprivileged_userns_clone=1 (to keep it, write kernel.unprivileged_userns_clone=1 to /etc/sysctl.d/90-userns.conf)."
        return
    fi
    file=/proc/sys/user/max_user_namespaces
    if [ "$(cat "$root$file" 2>/dev/null)" = 0 ]; then
        echo "The kernel allows no user namespaces ($file is 0). To allow them: sudo sysctl -w user.max_user_namespaces=15000 (to keep it, write user.max_user_namespaces=15000 to /etc/sysctl.d/90-userns.conf)."
        return
    fi
    file=/proc/sys/kernel/apparmor_restrict_unprivileged_userns
    if [ "$(cat "$root$file" 2>/dev/null)" = 1 ]; then
        echo "AppArmor denies user namespaces to ordinary users ($file is 1). To allow them: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (to keep it, write kernel.apparmor_restrict_unprivileged_userns=0 to /etc/sysctl.d/90-userns.conf)."
        return
    fi
    [ "$uid" -eq 0 ] && return
    if ! [ -e "$root/usr/bin/newuidmap" ] || ! [ -e "$root/usr/bin/newgidmap" ]; then
        echo "newuidmap and newgidmap are missing; an ordinary user needs them for a range of user ids. Install them: sudo apt-get install uidmap."
        return
    fi
    for file in /etc/subuid /etc/subgid; do
        if ! awk -F : -v user="$user" -v uid="$uid" '($1 == user || $1 == uid) && $3 >= 65536 { found = 1 } END { exit !found }' "$root$file" 2>/dev/null; then
            echo "The user $user has no range of 65536 ids in $file. Add one: sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $user (choose another range if that one is in use)."
            return
        fi
    done
}

# missing_programs: the Debian packages to install for programs that are missing
missing_programs() {
    local pair
    for pair in mmdebstrap:mmdebstrap ip:iproute2 socat:socat unshare:util-linux nsenter:util-linux setpriv:util-linux \
        flock:util-linux ssh:openssh-client ssh-keygen:openssh-client jq:jq perl:perl; do
        command -v "${pair%:*}" >/dev/null || echo "${pair#*:}"
    done | sort -u | tr '\n' ' '
}

# The stage "check". Exit code 3: impossible on this machine; 1: something must be fixed first.
check_machine() {
    local obstacle missing free
    say_stage check running "Checking this machine"
    obstacle=$(userns_obstacle "$(id -u)" "$(id -un)")
    [ -z "$obstacle" ] || fail check "$obstacle" "" 3
    missing=$(missing_programs)
    [ -z "$missing" ] || fail check "Some programs are missing. Install them: sudo apt-get install $missing" "" 3
    if ! unshare "${mapping[@]}" --mount --net --pid --ipc --uts --fork --mount-proc true 2>"$log_dir/check.log"; then
        fail check "This machine does not allow new namespaces (a container must be started with the right to create them). The output of unshare follows." "$log_dir/check.log" 3
    fi
    image_parts >/dev/null || fail check "SLIPWAY_DEMO_IMAGES names an unknown image. Known images: ${all_images[*]}." "" 2
    if ! part_finished base-system && [ -z "$(debian_mirror)" ]; then
        fail check "apt on this machine is not configured with a Debian archive. Set SLIPWAY_DEBIAN_MIRROR to one." "" 3
    fi
    free=$(df --output=avail -m -- "$state_dir" | tail -n 1)
    if ! part_finished base-system && [ "$free" -lt $needed_megabytes ]; then
        fail check "The disk of $state_dir has $((free)) MiB free; building needs about $needed_megabytes. Free some space, or set SLIPWAY_DEMO_DIR to a folder on another disk."
    fi
    local who="as root"
    if [ "$(id -u)" -ne 0 ]; then
        who="as an ordinary user"
        fuse_is_open || who+="; /dev/fuse is closed to users, so Apptainer unpacks images instead of mounting them (sudo chmod 666 /dev/fuse opens it)"
    fi
    say_stage check "done" "$(nproc) CPUs, $((free / 1024)) GiB of disk free, $who"
}

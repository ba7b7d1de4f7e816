#!/usr/bin/env bash
# The first process of one node, still with the host's files: prepares the node's root and moves into it.
#   node.sh NAME
set -euo pipefail
lib=$(dirname -- "${BASH_SOURCE[0]}")
# shellcheck source=paths.sh
. "$lib/paths.sh"
# shellcheck source=releases.sh
. "$lib/releases.sh"
# shellcheck source=cgroups.sh
. "$lib/cgroups.sh"
# shellcheck source=emulate.sh
. "$lib/emulate.sh"
# shellcheck source=runtime.sh
. "$lib/runtime.sh"
# shellcheck source=gpu.sh
. "$lib/gpu.sh"
# shellcheck source=processes.sh
. "$lib/processes.sh"
read_emulation
read_release
name=$1
root=$run_dir/root

# Its id as seen by the host, and as seen by the supervisor, whose /proc is still mounted here.
read -r line <"$run_dir/hostproc/self/stat"
read -ra fields <<<"${line##*) }"
echo "${line%% *} ${fields[19]}" >"$run_dir/nodes/$name.pid"
read -r line </proc/self/stat
echo "${line%% *}" >"$run_dir/nodes/$name.inner"

mount --bind "$base_dir" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys" 2>/dev/null || mount --rbind /sys "$root/sys"
! has_memory_cgroups || put_cgroups_into "$root"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"

mkdir -p "$root/dev/pts" "$root/dev/shm" "$root/run/lock" "$root/run/slipway" "$root/run/old"
for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
# Everyone must be able to open it, or Apptainer cannot mount an image. An ordinary user cannot change the host's
# permissions; where it is closed, Apptainer must not find squashfuse, so that it unpacks images instead, which is slower.
if ! mknod -m 666 "$root/dev/fuse" c 10 229 2>/dev/null; then
    if fuse_is_open; then
        touch "$root/dev/fuse"
        mount --bind /dev/fuse "$root/dev/fuse"
    else
        for program in squashfuse squashfuse_ll; do
            [ ! -e "$root/usr/bin/$program" ] || mount --bind /dev/null "$root/usr/bin/$program"
        done
    fi
fi
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for i in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${i%%:*}" "$root/dev/${i##*:}"; done

# /tmp is the node's own and on disk: Apptainer unpacks images there, which would fill the memory.
own=$state_dir/nodes/$name
rm -rf -- "$own"
mkdir -p "$own/tmp"
chmod 1777 "$own/tmp"
mount --bind "$own/tmp" "$root/tmp"
mount --bind "$own/tmp" "$root/var/tmp"
chmod 755 "$state_dir/home" "$state_dir/scratch"
mount --bind "$state_dir/home" "$root/home"
mount --bind "$state_dir/scratch" "$root/scratch"
mount --bind "$run_dir/tiny" "$root/scratch-tiny"
mount --bind "$log_dir" "$root/var/log/demo"
# The other folders of the site's paths are kept like the scratch folder.
for place in "${emulate_places[@]}"; do
    mkdir -p "$state_dir/places/$place" "$root/$place"
    chmod 755 "$state_dir/places" "$state_dir/places/$place"
    mount --bind "$state_dir/places/$place" "$root/$place"
done
put_runtime_into "$name" "$root"

if [ "$name" = login ]; then
    mkdir -p "$root/var/lib/docker-registry" "$root/var/spool/slurmctld"
    mount --bind "$registry_dir" "$root/var/lib/docker-registry"
    mount --bind "$slurmctld_dir" "$root/var/spool/slurmctld"
    if has_accounting; then
        mkdir -p "$root/var/lib/slipway-accounting"
        mount --bind "$accounting_dir" "$root/var/lib/slipway-accounting"
        install -m 755 "$lib/accounting.sh" "$root/run/slipway/accounting.sh"
    fi
    install -d -m 700 "$root/run/slipway/ssh"
    install -m 600 "$ssh_dir/host_ed25519" "$ssh_dir/id_ed25519.pub" "$ssh_dir/password" "$ssh_dir/registry_password" \
        "$root/run/slipway/ssh/"
    # The secret, then the PAM module's mode: time-based codes.
    { cat "$ssh_dir/totp" && echo '" TOTP_AUTH'; } >"$root/run/slipway/ssh/totp"
    chmod 400 "$root/run/slipway/ssh/totp"
else
    put_gpus_into "$name" "$root"
fi
install -m 755 "$lib/node-init.sh" "$root/run/slipway/node-init"

hostname "$name" 2>/dev/null || echo "$name" >/proc/sys/kernel/hostname
for _ in {1..200}; do
    ip link show eth0 >/dev/null 2>&1 && break
    sleep 0.05
done
ip link set lo up
ip addr add "$(node_address "$name")/24" dev eth0
ip link set eth0 up

# pivot_root, not chroot: the kernel refuses user namespaces, and so Apptainer, to a process in a chroot.
cd "$root"
pivot_root . run/old
cd /
umount -l /run/old
exec /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root /bin/bash /run/slipway/node-init "$name"

# shellcheck shell=bash disable=SC2154
# Memory limits by the kernel, for a cluster with accounting on a machine that gives them: as root, and where memory is in a hierarchy of
# cgroups of version 1, which is what Slurm's plug-in of that release takes without systemd. Elsewhere Slurm samples memory instead.

memory_cgroups=/sys/fs/cgroup/memory

# has_memory_cgroups: in a user namespace of an ordinary user nothing there is writable
has_memory_cgroups() { has_accounting && [ -w "$memory_cgroups/cgroup.event_control" ]; }

# own_cgroups: of this state folder, so that two clusters, or this one and a Slurm of the machine's own, do not meet
own_cgroups() { echo "$memory_cgroups/slipway-demo-$(stat -c %i -- "$state_dir")"; }

# put_cgroups_into ROOT: both nodes share them; Slurm makes a folder for each node
put_cgroups_into() {
    local own
    own=$(own_cgroups)
    mkdir -p -- "$own" && mount -t tmpfs -o mode=755 tmpfs "$1/sys/fs/cgroup" && mkdir "$1/sys/fs/cgroup/memory" &&
        mount --bind "$own" "$1/sys/fs/cgroup/memory"
}

# remove_cgroups: once the cluster is down
remove_cgroups() {
    local own
    own=$(own_cgroups)
    [ ! -d "$own" ] || find "$own" -depth -type d -exec rmdir -- {} + 2>/dev/null || true
}

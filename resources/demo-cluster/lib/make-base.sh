# shellcheck shell=bash
# The root tree that all nodes share.

make_base() {
    local tree=$work/tree
    mmdebstrap "${settings[@]}" --variant=minbase --include="$(packages "${base_packages[@]}")" '' "$tree" \
        "deb $mirror $suite main" "deb $mirror $apptainer_suite main" </dev/null
    # The keys that the packages made are everyone's who has this tree; sshd gets the instance's own at each start.
    rm -f -- "$tree"/etc/ssh/ssh_host_*
    local id=1000 user
    for user in demo:/bin/bash demo-csh:/bin/tcsh demo-fish:/usr/bin/fish; do
        chroot "$tree" useradd --uid $id --user-group --no-create-home --shell "${user#*:}" --comment "Slipway demo" "${user%:*}"
        id=$((id + 1))
    done
    # Apptainer then builds with the root-mapped namespace, which works in a user's own mapping as well as for root.
    : >"$tree/etc/subuid"
    : >"$tree/etc/subgid"
    # Which node has the runtime on its PATH, and under which name, is decided at each start: the links lead into /run,
    # which is a node's own. Apptainer looks for its other files below the parent of the folder that it lies in.
    local name
    mkdir -p "$tree/usr/slipway"
    mv -- "$tree/usr/bin/apptainer" "$tree/usr/slipway/apptainer"
    for name in apptainer singularity; do ln -sfn "/run/slipway/bin/$name" "$tree/usr/bin/$name"; done
    # Modules are what some sites have: a login shell learns of them where the cluster is emulating one of those.
    mv -- "$tree/etc/profile.d/lmod.sh" "$tree/usr/slipway/lmod.sh"
    mkdir -p "$tree/scratch" "$tree/scratch-tiny" "$tree/var/log/demo" "$tree/usr/local/lib/slipway"
    rm -rf -- "$base_dir"
    mv -- "$tree" "$base_dir"
}

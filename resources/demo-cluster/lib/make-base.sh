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
    mkdir -p "$tree/scratch" "$tree/scratch-tiny" "$tree/var/log/demo" "$tree/usr/local/lib/slipway"
    rm -rf -- "$base_dir"
    mv -- "$tree" "$base_dir"
}

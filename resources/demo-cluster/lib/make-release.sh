# shellcheck shell=bash disable=SC2154
# The root tree with another release of Slurm.

# in_tree TREE COMMAND...: as root in that tree
in_tree() {
    local tree=$1
    shift
    env -u APT_CONFIG -u TMPDIR DEBIAN_FRONTEND=noninteractive chroot "$tree" "$@" </dev/null
}

# pin PACKAGES SUITE PRIORITY
pin() { printf 'Package: %s\nPin: release n=%s\nPin-Priority: %s\n\n' "$@"; }

# prepare_apt TREE SUITE MORE...: Slurm from that Debian release, all else as it is
prepare_apt() {
    local tree=$1 from=$2
    rm -f -- "$tree"/etc/apt/sources.list.d/*
    printf 'deb %s %s main\n' "$mirror" "$suite" "$mirror" "$from" | sort -u >"$tree/etc/apt/sources.list"
    {
        pin '*' "$suite" 900
        pin '*' "$from" 100
        pin "slurm* libslurm* ${*:3}" "$from" 1001
    } >"$tree/etc/apt/preferences.d/slurm"
    cat >"$tree/etc/apt/apt.conf.d/90slipway" <<TEXT
Acquire::Check-Valid-Until "false";
Acquire::Retries "3";
Acquire::Languages "none";
${proxy:+Acquire::http::Proxy "$proxy";}
TEXT
    # Nothing is started here.
    printf '#!/bin/sh\nexit 101\n' >"$tree/usr/sbin/policy-rc.d"
    chmod 755 "$tree/usr/sbin/policy-rc.d"
    cp -L /etc/resolv.conf "$tree/etc/resolv.conf"
}

# make_release WORD: /usr is linked, not copied: whatever replaces a file there makes a new one.
make_release() {
    local word=$1 from=${release_suite[$1]} tree=$work/tree device file said
    local more=() mounted=("$work/tree/proc" "$work/tree/var/cache/apt/archives")
    read -ra more <<<"${release_more[$word]:-}"
    mkdir -p "$tree"
    for file in "$plain_base_dir"/*; do
        if [ "${file##*/}" = usr ]; then cp -al -- "$file" "$tree/"; else cp -a -- "$file" "$tree/"; fi
    done
    for device in null zero full random urandom; do
        if [ ! -c "$tree/dev/$device" ]; then
            : >"$tree/dev/$device"
            mount --bind "/dev/$device" "$tree/dev/$device"
            mounted+=("$tree/dev/$device")
        fi
    done
    mount -t proc proc "$tree/proc"
    mount --bind "$archives" "$tree/var/cache/apt/archives"
    prepare_apt "$tree" "$from" "${more[@]%%*-}"
    in_tree "$tree" apt-get --quiet --error-on=any update
    # One run of apt, for the progress that is counted from its lines.
    echo "Essential packages: present"
    in_tree "$tree" apt-get --quiet --yes --allow-downgrades --no-install-recommends -o DPkg::Options::=--force-unsafe-io \
        -o DPkg::Options::=--force-confold install "${release_packages[@]}" "${more[@]}"
    # Slurm's plug-in for PMIx opens the library by a name that only the package for developers has.
    for file in "$tree"/usr/lib/*/{,pmix2/lib/}libpmix.so.2; do
        [ -e "${file%.2}" ] || ln -s libpmix.so.2 "${file%.2}"
    done
    said=$(in_tree "$tree" slurmctld -V)
    if [ "$word" != newest ] && [[ $said != *" ${word%-accounting}."* ]]; then
        echo "wrong release: Debian $from has $said" >&2
        return 1
    fi
    umount "${mounted[@]}"
    rm -rf -- "$tree"/var/lib/apt/lists/* "$tree/usr/sbin/policy-rc.d"
    mkdir -p -- "$state_dir/releases"
    rm -rf -- "${state_dir:?}/releases/$word"
    mv -- "$tree" "$state_dir/releases/$word"
    echo "$said, of Debian $from"
}

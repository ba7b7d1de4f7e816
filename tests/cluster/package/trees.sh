# shellcheck shell=bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Fresh Debian systems in root trees, with the Debian package of Slipway in them. Sourced by check-trees.sh and
# check-demo.sh, which set $build. The trees come from the Debian mirror that this machine's apt is configured with, or
# SLIPWAY_DEBIAN_MIRROR; downloaded packages are kept beside the cache of the demo cluster.

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../demo/checks.sh
. "$here/../demo/checks.sh"
lib=$(dirname -- "$demo_cluster")/lib
# shellcheck source=../../../resources/demo-cluster/lib/paths.sh
. "$lib/paths.sh"
# shellcheck source=../../../resources/demo-cluster/lib/parts.sh
. "$lib/parts.sh"
need_programs mmdebstrap unshare cpack dpkg-shlibdeps
if [ "$(id -u)" -ne 0 ]; then
    echo "FAIL  cannot run: only root can install packages into a tree" >&2
    exit 1
fi
# shellcheck disable=SC2154 # set by the script that sources this file
trees=$build/tests/package
mirror=$(debian_mirror)
if [ -z "$mirror" ]; then
    echo "FAIL  cannot run: apt names no Debian mirror; set SLIPWAY_DEBIAN_MIRROR" >&2
    exit 1
fi

# make_package: of the programs that are built there. Compressing it well would take longer than the rest.
make_package() {
    rm -rf -- "$trees/packed"
    mkdir -p "$trees/packed"
    cpack -G DEB --config "$build/CPackConfig.cmake" -B "$trees/packed" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip &&
        mv -- "$trees/packed"/slipway_*.deb "$trees/slipway.deb" && rm -rf -- "$trees/packed"
}

# make_tree SUITE PACKAGES [FIELD]: a minimal system with these packages, into which apt installs Slipway's with what it
# depends on, and what that field of the package names
make_tree() {
    local made=$1 fetched=$cache_dir-package-$1 deb proxy options=()
    export archives=$trees/$1.archives package=$trees/slipway.deb more=''
    [ -z "${3:-}" ] || more=$(dpkg-deb --field "$package" "$3" | tr , ' ') || return 1
    rm -rf -- "${trees:?}/$made" "$archives"
    mkdir -p -- "$archives/partial" "$fetched"
    for deb in "$fetched"/*.deb; do [ ! -e "$deb" ] || ln -- "$deb" "$archives/" 2>/dev/null || cp -- "$deb" "$archives/"; done
    # A proxy that apt knows of on this machine holds there too.
    proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy 2>/dev/null || true)
    [ -z "$proxy" ] || options=(--aptopt="Acquire::http::Proxy \"$proxy\"")
    # shellcheck disable=SC2016 # what the hooks name is theirs
    unshare --mount --propagation private -- mmdebstrap --mode=root --variant=minbase --include="ca-certificates,$2" "${options[@]}" \
        --skip=essential/unlink,output/dev,cleanup/apt/lists \
        --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' --aptopt='Acquire::Languages "none"' \
        --dpkgopt=force-unsafe-io \
        --setup-hook='mkdir -p "$1/var/cache/apt/archives" && mount --bind "$archives" "$1/var/cache/apt/archives"' \
        --customize-hook='cp "$package" "$1/var/tmp/"' \
        --customize-hook='env -u APT_CONFIG chroot "$1" apt-get install --yes --no-install-recommends /var/tmp/slipway.deb $more' \
        --customize-hook='umount "$1/var/cache/apt/archives"' \
        "$made" "$trees/$made" "deb $mirror $made main" </dev/null || return 1
    rm -f -- "$fetched"/*.deb
    mv -- "$archives"/*.deb "$fetched/"
    rm -rf -- "$archives"
}

# inside SUITE COMMAND…: as root in the tree, with /usr read-only and processes of its own. A command that is killed
# takes all below it along. pivot_root, not chroot: the kernel refuses user namespaces to a process in a chroot.
inside() {
    local tree=$trees/$1
    shift
    mkdir -p "$cache_dir"
    # The programs of a build with sanitizers run here with libraries that they were not built with, so leaks in those
    # are not looked for.
    # shellcheck disable=SC2016 # expanded there
    unshare --mount --pid --fork --kill-child=KILL --propagation private -- bash -euc '
        mount --bind "$0" "$0"
        cd "$0"
        mount -t proc proc proc
        mount --rbind /sys sys
        mount --rbind /dev dev
        mount --bind usr usr
        mount -o remount,bind,ro usr
        mkdir -p var/cache/slipway var/old
        mount --bind "$1" var/cache/slipway
        cp -L /etc/resolv.conf etc/resolv.conf
        shift
        pivot_root . var/old
        cd /
        umount -l /var/old
        exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM=dumb \
            ASAN_OPTIONS=detect_leaks=0 SLIPWAY_DEMO_CACHE=/var/cache/slipway "$@"' \
        "$tree" "$cache_dir" "$@" </dev/null
}

# prints TEXT SUITE COMMAND…: succeeds, and says that
prints() {
    local text=$1 output
    shift
    output=$(inside "$@" 2>&1) || { echo "$output"; return 1; }
    echo "$output"
    grep -qF -- "$text" <<<"$output"
}

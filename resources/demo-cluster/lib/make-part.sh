#!/usr/bin/env bash
# Makes one part. Runs in namespaces of its own, as root of the cluster's user mapping, with the output in a log:
#   make-part.sh base-system|NAME-image|slurm-RELEASE
# If it is killed, it leaves only work/PART, which the next run deletes first.
set -euo pipefail
shopt -s nullglob
lib=$(dirname -- "${BASH_SOURCE[0]}")
# shellcheck source=paths.sh
. "$lib/paths.sh"
# shellcheck source=parts.sh
. "$lib/parts.sh"
# shellcheck source=releases.sh
. "$lib/releases.sh"
# shellcheck source=make-base.sh
. "$lib/make-base.sh"
# shellcheck source=make-image.sh
. "$lib/make-image.sh"
# shellcheck source=make-release.sh
. "$lib/make-release.sh"
# shellcheck source=copy-part.sh
. "$lib/copy-part.sh"

# As mmdebstrap's hooks, inside its namespaces: make-part.sh add TREE PACKAGE..., make-part.sh complete NAME TREE
case $1 in
    add)
        add_packages "${@:2}"
        exit ;;
    complete)
        complete_tree "$2" "$3"
        exit ;;
esac

finish_part() {
    rm -rf -- "$work"
    part_hash "$part" >"$stamp_dir/$part.new"
    mv -- "$stamp_dir/$part.new" "$stamp_dir/$part"
}

part=$1
work=$work_dir/$part
if other_has "$part" && copy_part "$part"; then
    finish_part
    exit
fi
archives=$work_dir/$part.archives
export archives
mirror=$(debian_mirror)
[ -n "$mirror" ] || { echo "no Debian mirror: apt on this machine is not configured with one" >&2; exit 1; }

rm -rf -- "$work" "${stamp_dir:?}/$part"
mkdir -p -- "$work/tmp" "$archives/partial"
chmod 755 "$work" "$work/tmp"
export TMPDIR=$work/tmp

# Packages that were fetched before, here or by another instance, are not fetched again; apt checks their hashes.
fetched=$cache_dir/$part
for deb in "$fetched"/*.deb; do
    [ -e "$archives/${deb##*/}" ] || ln -- "$deb" "$archives/" 2>/dev/null || cp -- "$deb" "$archives/"
done

keep_fetched() {
    local deb
    mkdir -p -- "$fetched" 2>/dev/null && [ -w "$fetched" ] || return 0
    for deb in "$archives"/*.deb; do
        # The file appears complete: another instance may be reading.
        [ -e "$fetched/${deb##*/}" ] || ln -- "$deb" "$fetched/" 2>/dev/null ||
            { cp -- "$deb" "$fetched/.${deb##*/}.$$" && mv -- "$fetched/.${deb##*/}.$$" "$fetched/${deb##*/}"; }
    done
    for deb in "$fetched"/*.deb; do
        # Otherwise older versions would accumulate.
        [ -e "$archives/${deb##*/}" ] || rm -f -- "$deb"
    done
    rm -rf -- "$archives"
}

# A proxy that apt knows of on this machine holds here too.
proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy 2>/dev/null || true)
# Its lists and settings are those of one mirror and one proxy.
essential=$work_dir/essential.$(printf '%s\n' "$mirror" "$suite" "$proxy" | sha256sum | cut -c 1-12).tar
# shellcheck disable=SC2016  # what the hooks name is theirs
settings=(
    --mode=root --verbose --skip=essential/unlink --skip=output/dev
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' --aptopt='Acquire::Languages "none"'
    --aptopt="APT::Default-Release \"$suite\""
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/info/*'
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/lintian/*'
    --dpkgopt='force-unsafe-io'
    --setup-hook='mkdir -p "$1/var/cache/apt/archives" && mount --bind "$archives" "$1/var/cache/apt/archives"'
    # Before apt's own clean-up, which would empty the folder.
    --customize-hook='umount "$1/var/cache/apt/archives"'
)
[ -z "$proxy" ] || settings+=(--aptopt="Acquire::http::Proxy \"$proxy\"")

# packages NAME...: as mmdebstrap wants them
packages() { local IFS=,; echo "$*"; }

case $part in
    base-system) make_base ;;
    slurm-*) make_release "${part#slurm-}" ;;
    *-image) make_image "${part%-image}" ;;
    *) exit 2 ;;
esac
keep_fetched
finish_part

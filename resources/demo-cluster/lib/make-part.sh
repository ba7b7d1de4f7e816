#!/usr/bin/env bash
# Makes one part. Runs in namespaces of its own, as root of the cluster's user mapping, with the output in a log:
#   make-part.sh base-system|python-image|pytorch-image
# Killed at any moment it leaves work/PART only, which the next run deletes first.
set -euo pipefail
shopt -s nullglob
lib=$(dirname -- "${BASH_SOURCE[0]}")
# shellcheck source=paths.sh
. "$lib/paths.sh"
# shellcheck source=parts.sh
. "$lib/parts.sh"

part=$1
work=$work_dir/$part
archives=$work_dir/$part.archives
mirror=$(debian_mirror)
[ -n "$mirror" ] || { echo "no Debian mirror: apt on this machine names none" >&2; exit 1; }

rm -rf -- "$work" "$stamp_dir/$part"
mkdir -p -- "$work/tmp" "$archives/partial"
chmod 755 "$work" "$work/tmp"
export TMPDIR=$work/tmp

# Packages that were fetched before, here or by another instance, are not fetched again; apt checks their hashes.
fetched=$cache_dir/$part
for deb in "$fetched"/*.deb; do
    [ -e "$archives/${deb##*/}" ] || cp -- "$deb" "$archives/"
done

keep_fetched() {
    local deb
    mkdir -p -- "$fetched" 2>/dev/null && [ -w "$fetched" ] || return 0
    for deb in "$archives"/*.deb; do
        # A whole file appears at once: another instance may be reading.
        [ -e "$fetched/${deb##*/}" ] || { cp -- "$deb" "$fetched/.${deb##*/}.$$" && mv -- "$fetched/.${deb##*/}.$$" "$fetched/${deb##*/}"; }
    done
    for deb in "$fetched"/*.deb; do
        # Older versions would gather for ever.
        [ -e "$archives/${deb##*/}" ] || rm -f -- "$deb"
    done
    rm -rf -- "$archives"
}

# A proxy that apt knows of on this machine holds here too.
proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy 2>/dev/null || true)
settings=(
    --mode=root --verbose --skip=essential/unlink --skip=output/dev
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' --aptopt='Acquire::Languages "none"'
    --aptopt="APT::Default-Release \"$suite\""
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/info/*'
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/lintian/*'
    --dpkgopt='force-unsafe-io'
    --setup-hook="mkdir -p \"\$1/var/cache/apt/archives\" && mount --bind '$archives' \"\$1/var/cache/apt/archives\""
    # Before apt's own clean-up, which would empty the folder.
    --customize-hook="umount \"\$1/var/cache/apt/archives\""
)
[ -z "$proxy" ] || settings+=(--aptopt="Acquire::http::Proxy \"$proxy\"")

# packages NAME...: as mmdebstrap wants them
packages() { local IFS=,; echo "$*"; }

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

# store_blob FILE DIGEST: into the registry's storage, the layout that docker-registry itself writes
store_blob() {
    local target
    target=$(registry_blob "$2")
    mkdir -p -- "${target%/*}"
    mv -- "$1" "$target"
}

# store_link FOLDER DIGEST
store_link() {
    mkdir -p -- "$1"
    printf 'sha256:%s' "$2" >"$1/link.new"
    mv -- "$1/link.new" "$1/link"
}

digest_of() { sha256sum <"$1" | cut -d ' ' -f 1; }

# An image is one layer, the tar that mmdebstrap writes; it goes into the registry's storage as it comes out.
make_image() {
    local image=$1 layer=$work/layer config=$work/config manifest=$work/manifest arch diff_id digest size
    shift
    mmdebstrap "${settings[@]}" --variant=essential --include="$(packages "$@")" \
        --customize-hook='ln -sf python3 "$1/usr/bin/python"' \
        --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/log/* "$1"/var/cache/debconf/*' \
        '' - "deb $mirror $suite main" </dev/null |
        tee >(sha256sum | cut -d ' ' -f 1 >"$work/diff_id") | gzip -1 >"$layer"
    # The hash is written by a process that nobody waits for.
    until [ -s "$work/diff_id" ]; do sleep 0.05; done
    read -r diff_id <"$work/diff_id"
    arch=$(dpkg --print-architecture)

    local path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    printf '{"architecture":"%s","os":"linux","config":{"Env":["PATH=%s","LC_ALL=C.UTF-8"],"Cmd":["/usr/bin/python3"]},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}' \
        "$arch" "$path" "$diff_id" >"$config"
    local layer_digest config_digest
    layer_digest=$(digest_of "$layer") config_digest=$(digest_of "$config")
    local oci=application/vnd.oci.image
    printf '{"schemaVersion":2,"mediaType":"%s.manifest.v1+json","config":{"mediaType":"%s.config.v1+json","digest":"sha256:%s","size":%d},"layers":[{"mediaType":"%s.layer.v1.tar+gzip","digest":"sha256:%s","size":%d}]}' \
        $oci $oci "$config_digest" "$(stat -c %s "$config")" $oci "$layer_digest" "$(stat -c %s "$layer")" >"$manifest"
    digest=$(digest_of "$manifest")
    size=$(stat -c %s "$layer")

    local repository=$registry_dir/docker/registry/v2/repositories/${image%:*} tag=${image#*:}
    # What an earlier make of this image left would stay for ever: nothing else names it.
    if [ -d "$repository/_layers/sha256" ]; then
        local old
        for old in "$repository"/_layers/sha256/*; do
            rm -rf -- "$(dirname -- "$(registry_blob "${old##*/}")")"
        done
        rm -rf -- "$repository"
    fi
    store_blob "$layer" "$layer_digest"
    store_blob "$config" "$config_digest"
    store_blob "$manifest" "$digest"
    store_link "$repository/_layers/sha256/$layer_digest" "$layer_digest"
    store_link "$repository/_layers/sha256/$config_digest" "$config_digest"
    store_link "$repository/_manifests/revisions/sha256/$digest" "$digest"
    store_link "$repository/_manifests/tags/$tag/index/sha256/$digest" "$digest"
    store_link "$repository/_manifests/tags/$tag/current" "$digest"
    echo "image $image: $((size / 1048576)) MiB"
}

case $part in
    base-system) make_base ;;
    python-image) make_image "$image_python" "${python_packages[@]}" ;;
    pytorch-image) make_image "$image_pytorch" "${pytorch_packages[@]}" ;;
    *) exit 2 ;;
esac
keep_fetched
rm -rf -- "$work"
part_hash "$part" >"$stamp_dir/$part.new"
mv -- "$stamp_dir/$part.new" "$stamp_dir/$part"

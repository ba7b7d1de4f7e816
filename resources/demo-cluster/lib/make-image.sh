# shellcheck shell=bash
# An image, made of Debian packages, and put into the registry's storage.

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

# complete_tree IMAGE TREE: what an image holds besides packages. Called by mmdebstrap, as a hook.
complete_tree() {
    local tree=$2
    ! declare -F "complete_$1" >/dev/null || "complete_$1" "$tree"
    [ ! -e "$tree/usr/bin/python3" ] || ln -sf python3 "$tree/usr/bin/python"
    rm -rf -- "$tree"/var/lib/apt/lists/* "$tree"/var/log/* "$tree"/var/cache/debconf/*
}

# json_environment IMAGE: PATH and the image's own variables, as the configuration of an image wants them
json_environment() {
    local variable
    printf '"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin","LC_ALL=C.UTF-8"'
    for variable in ${image_environment[$1]:-}; do printf ',"%s"' "$variable"; done
}

# make_essential: the tar of the packages that every image begins with, and their lists. The first image that is made
# makes it; each of the others begins from it, which takes it 15 s of CPU less. Lists older than an hour are fetched
# again, because they name packages that the archive may no longer have.
make_essential() {
    [ -z "$(find "$essential" -mmin -60 2>/dev/null)" ] || return 0
    mmdebstrap "${settings[@]}" --variant=essential --skip=cleanup/apt/lists '' "$essential.new.tar" "deb $mirror $suite main" </dev/null
    mv -- "$essential.new.tar" "$essential"
}

# add_packages TREE NAME...: called by mmdebstrap, as a hook. apt runs outside, because the tree has none. The devices that
# packages expect are mounted one by one: an ordinary user's mmdebstrap has made none.
add_packages() {
    local tree=$1 device mounted=()
    shift
    [ $# -gt 0 ] || return 0
    mkdir -p "$tree/dev"
    for device in null zero full random urandom; do
        [ ! -c "$tree/dev/$device" ] || continue
        : >"$tree/dev/$device"
        mount --bind "/dev/$device" "$tree/dev/$device"
        mounted+=("$tree/dev/$device")
    done
    APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get -o Dir::Bin::dpkg=env -o DPkg::Options::=--unset=TMPDIR -o DPkg::Options::=dpkg \
        -o "DPkg::Chroot-Directory=$tree" --yes install "$@"
    for device in "${mounted[@]}"; do umount "$device" && rm -f -- "$device"; done
}

# make_image NAME: an image is one layer, the tar that mmdebstrap writes; it goes into the registry's storage as it comes out.
make_image() {
    local image=${image_name[$1]} layer=$work/layer config=$work/config manifest=$work/manifest arch diff_id digest size
    local exclude program=sh part_script
    part_script="bash $(printf %q "$lib/make-part.sh")"
    make_essential
    echo "Essential packages: present"
    set -f
    for exclude in ${image_excludes[$1]:-}; do settings+=(--dpkgopt="path-exclude=$exclude"); done
    set +f
    [[ ${image_packages[$1]} != *python3* ]] || program=python3
    # The options of dpkg are this image's own, not those of the tar, and so are the devices that mmdebstrap has made.
    mmdebstrap --setup-hook="tar -C \"\$1\" --exclude=./etc/dpkg/dpkg.cfg.d --exclude='./dev/*' -xf $(printf %q "$essential")" \
        --customize-hook="$part_script add \"\$1\" ${image_packages[$1]}" \
        "${settings[@]}" --variant=custom --skip=update \
        --customize-hook="$part_script complete $1 \"\$1\"" \
        '' - "deb $mirror $suite main" </dev/null |
        tee >(sha256sum | cut -d ' ' -f 1 >"$work/diff_id") | gzip -1 >"$layer"
    # The hash is written by a process that nobody waits for.
    until [ -s "$work/diff_id" ]; do sleep 0.05; done
    read -r diff_id <"$work/diff_id"
    arch=$(dpkg --print-architecture)

    printf '{"architecture":"%s","os":"linux","config":{"Env":[%s],"Cmd":["/usr/bin/%s"]},"history":[{"created_by":"mmdebstrap"}],"rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}' \
        "$arch" "$(json_environment "$1")" $program "$diff_id" >"$config"
    local layer_digest config_digest
    layer_digest=$(digest_of "$layer") config_digest=$(digest_of "$config")
    # Docker's media types, and a history above: enroot's first request names no type, and docker-registry answers it with
    # a manifest of schema 1, which it can make of these alone.
    local docker=application/vnd.docker
    printf '{"schemaVersion":2,"mediaType":"%s.distribution.manifest.v2+json","config":{"mediaType":"%s.container.image.v1+json","digest":"sha256:%s","size":%d},"layers":[{"mediaType":"%s.image.rootfs.diff.tar.gzip","digest":"sha256:%s","size":%d}]}' \
        $docker $docker "$config_digest" "$(stat -c %s "$config")" $docker "$layer_digest" "$(stat -c %s "$layer")" >"$manifest"
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

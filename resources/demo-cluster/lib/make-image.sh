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

# make_image NAME: an image is one layer, the tar that mmdebstrap writes; it goes into the registry's storage as it comes out.
make_image() {
    local image=${image_name[$1]} layer=$work/layer config=$work/config manifest=$work/manifest arch diff_id digest size
    local exclude names program=sh
    set -f
    for exclude in ${image_excludes[$1]:-}; do settings+=(--dpkgopt="path-exclude=$exclude"); done
    # shellcheck disable=SC2086
    names=$(packages ${image_packages[$1]})
    set +f
    [[ $names != *python3* ]] || program=python3
    mmdebstrap "${settings[@]}" --variant=essential ${names:+"--include=$names"} \
        --customize-hook="bash $(printf %q "$lib/make-part.sh") complete $1 \"\$1\"" \
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

# shellcheck shell=bash disable=SC2154
# A part that another instance of the same user has finished, SLIPWAY_DEMO_FROM, is copied from there and not built again.

# other_has PART: finished there, of the same inputs. Releases of Slurm are made of the base system here.
other_has() {
    [ -n "${SLIPWAY_DEMO_FROM:-}" ] && [[ $1 != slurm-* ]] && ! [ "$SLIPWAY_DEMO_FROM" -ef "$state_dir" ] || return 1
    local state_dir=$SLIPWAY_DEMO_FROM
    local stamp_dir=$state_dir/stamps plain_base_dir=$state_dir/base registry_dir=$state_dir/registry
    part_finished "$1"
}

# copy_part PART: false when that does not work, because files are changed meanwhile; then it is built.
copy_part() {
    rm -rf -- "$work" "${stamp_dir:?}/$1"
    mkdir -p -- "$work" || return 1
    if [ "$1" = base-system ]; then copy_base; else copy_image "$(image_of "$1")"; fi
}

# share FROM TO: the same files, where both folders are on one disk, else copies of them. For what is replaced and never
# written to: half of the disk that several instances would take.
share() { cp -al -- "$1" "$2" 2>/dev/null || { rm -rf -- "$2" && cp -a --one-file-system --reflink=auto -- "$1" "$2"; }; }

# Each start writes the settings of its own instance into the tree; in /usr it replaces files.
copy_base() {
    local file
    mkdir -m "$(stat -c %a -- "$SLIPWAY_DEMO_FROM/base")" -- "$work/tree" || return 1
    for file in "$SLIPWAY_DEMO_FROM"/base/*; do
        if [ "${file##*/}" = usr ]; then
            share "$file" "$work/tree/usr" || return 1
        else
            cp -a --one-file-system --reflink=auto -- "$file" "$work/tree/" || return 1
        fi
    done
    rm -rf -- "$plain_base_dir" && mv -- "$work/tree" "$plain_base_dir"
}

# copy_image NAME:TAG: what its repository names first, so that all of it is there once the repository is
copy_image() {
    local repository=docker/registry/v2/repositories/${1%:*} digest to
    for digest in "$SLIPWAY_DEMO_FROM/registry/$repository"/{_layers,_manifests/revisions}/sha256/*; do
        to=$(registry_blob "${digest##*/}")
        mkdir -p -- "${to%/*}" &&
            share "$SLIPWAY_DEMO_FROM/${to#"$state_dir"/}" "$work/blob" &&
            mv -- "$work/blob" "$to" || return 1
    done
    cp -a -- "$SLIPWAY_DEMO_FROM/registry/$repository" "$work/repository" &&
        rm -rf -- "${registry_dir:?}/$repository" &&
        mkdir -p -- "$registry_dir/${repository%/*}" &&
        mv -- "$work/repository" "$registry_dir/$repository" &&
        echo "image $1: copied from $SLIPWAY_DEMO_FROM"
}

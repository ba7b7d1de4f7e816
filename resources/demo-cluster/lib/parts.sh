# shellcheck shell=bash disable=SC2034
# What is built once and kept: the base system, the images, and trees with other releases of Slurm. A part is finished when its stamp holds the hash of its
# inputs and its product is present.

# shellcheck source=images.sh
. "$lib/images.sh"

suite=trixie
apptainer_suite=sid               # Debian has Apptainer in sid only; trixie's libraries satisfy it
base_packages=(
    slurm-wlm munge openssh-server apptainer docker-registry
    squashfuse squashfs-tools fuse3 fuse-overlayfs uidmap fakeroot
    iproute2 procps python3-minimal ca-certificates libpam-modules libpam-google-authenticator bash-completion less tcsh fish curl
    lmod liblua5.4-0
)

# debian_mirror: where packages come from: the setting, or what this machine's own apt is configured with
debian_mirror() {
    if [ -n "${SLIPWAY_DEBIAN_MIRROR:-}" ]; then
        echo "$SLIPWAY_DEBIAN_MIRROR"
        return
    fi
    # The archive that has the release itself, not the one with its security updates: the shortest codename of them.
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
        awk '$2 == "main" && $1 !~ /-/ { print $3; exit }'
}

# part_inputs PART: text that changes when the part must be rebuilt
part_inputs() {
    echo "$1 $(uname -m) $suite $apptainer_suite"
    case $1 in
        base-system) echo "${base_packages[*]}" && cat -- "$lib/make-base.sh" ;;
        slurm-*)
            # A copy of the base system: it is as old as that.
            part_inputs base-system
            echo "${release_suite[${1#slurm-}]} ${release_packages[*]} ${release_more[${1#slurm-}]:-}"
            cat -- "$lib/make-release.sh" ;;
        *-image)
            local image=${1%-image}
            echo "${image_name[$image]} ${image_packages[$image]} ${image_excludes[$image]:-} ${image_environment[$image]:-}"
            cat -- "$lib/make-image.sh"
            ! declare -F "complete_$image" >/dev/null || declare -f "complete_$image"
            [ "$image" != python ] || cat -- "$lib/make-wheels.py" ;;
    esac
    # Only make-part.sh's options of mmdebstrap: a changed comment is no reason to rebuild.
    sed -n '/^settings=(/,/^)/p' "$lib/make-part.sh"
}

part_hash() { part_inputs "$1" | sha256sum | cut -d ' ' -f 1; }

# registry_blob DIGEST: the file that holds it in the registry's storage
registry_blob() { echo "$registry_dir/docker/registry/v2/blobs/sha256/${1:0:2}/$1/data"; }

# image_present NAME:TAG: its manifest and everything in it are in the registry's storage
image_present() {
    local link=$registry_dir/docker/registry/v2/repositories/${1%:*}/_manifests/tags/${1#*:}/current/link digest size manifest
    [ -s "$link" ] || return 1
    read -r digest <"$link" || [ -n "$digest" ]
    manifest=$(registry_blob "${digest#sha256:}")
    [ -s "$manifest" ] || return 1
    while read -r digest size; do
        [ "$(stat -c %s "$(registry_blob "$digest")" 2>/dev/null)" = "$size" ] || return 1
    done < <(grep -o 'sha256:[0-9a-f]*","size":[0-9]*' "$manifest" | sed 's/sha256:\([0-9a-f]*\)","size":/\1 /')
}

part_present() {
    case $1 in
        base-system)
            local file
            for file in usr/sbin/slurmctld usr/sbin/slurmd usr/sbin/munged usr/sbin/sshd usr/slipway/apptainer usr/bin/docker-registry \
                etc/munge etc/shadow; do
                # Links point inside the tree. Folders of a sub-id cannot be read, so files in them are not checked.
                [ -e "$plain_base_dir/$file" ] || [ -L "$plain_base_dir/$file" ] || return 1
            done ;;
        slurm-*) [ -L "$state_dir/releases/${1#slurm-}/usr/sbin/slurmctld" ] && [ -d "$state_dir/releases/${1#slurm-}/etc/munge" ] ;;
        *) image_present "$(image_of "$1")" ;;
    esac
}

part_finished() {
    [ "$(cat -- "$stamp_dir/$1" 2>/dev/null)" = "$(part_hash "$1")" ] && part_present "$1"
}

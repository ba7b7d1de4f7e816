#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# archive_image.sh ARCHIVE NAME keep|remove: NAME.sif from a docker-archive, in the folder of images that were built.
set -eu

archive=${1:?usage: archive_image.sh ARCHIVE NAME keep|remove}
name=${2:?usage: archive_image.sh ARCHIVE NAME keep|remove}
afterwards=${3:-keep}

refuse() {
    echo "Error: $*" >&2
    exit 1
}

case $name in
*[!A-Za-z0-9._-]* | .* | -*) refuse "\"$name\" cannot be the name of an image: use letters, digits, dots, hyphens and underscores." ;;
esac
case $archive in
/*) ;;
*) archive=$SLURM_SUBMIT_DIR/$archive ;;
esac
# A colon would begin the name of an image in the archive.
case $archive in
*:*) refuse "the path of the archive contains a colon, which apptainer cannot read: $archive" ;;
esac
[ -f "$archive" ] || refuse "there is no archive $archive. Was its upload complete?"

if command -v apptainer >/dev/null; then
    runtime=apptainer
elif command -v singularity >/dev/null; then
    runtime=singularity
elif command -v enroot >/dev/null; then
    refuse "enroot reads no archives of Docker, only a registry or a running Docker daemon (dockerd://). Push the image to a registry, and pull it from there."
else
    refuse "neither apptainer nor singularity was found on $(uname -n)."
fi

# Uploads lie in images/archives, and what was built in images/built.
case $archive in
*/archives/*) folder=${archive%/archives/*}/built ;;
*) folder=${archive%/*} ;;
esac
umask 077
mkdir -p "$folder"
image=$folder/$name.sif
part=$image.part
trap 'rm -f "$part"' EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

bytes=$(stat -L -c %s "$archive")
echo "Archive: $archive ($(numfmt --to=iec "$bytes"))"
begun=$(date +%s)
"$runtime" build --force "$part" "docker-archive:$archive"
mv -f "$part" "$image"
seconds=$(($(date +%s) - begun))

size=$(stat -L -c %s "$image")
# The list of images shows the sum with the file that it belongs to.
if sum=$(sha256sum <"$image"); then
    rm -f "$image.slipway-digest"
    printf '%s %s\n' "${sum%% *}" "$(stat -Lc %s-%i-%.9Y "$image")" >"$image.slipway-digest"
fi
echo "Image: $image"
echo "Size: $(numfmt --to=iec "$size") ($size bytes)"
echo "Time: $seconds s"
printf '@slipway {"sample":"image_bytes","x":1,"x_name":"image","y":%s,"unit":"B"}\n' "$size"
printf '@slipway {"sample":"build_seconds","x":1,"x_name":"image","y":%s,"unit":"s"}\n' "$seconds"
if [ "$afterwards" = remove ]; then
    rm -f "$archive"
    echo "Removed: $archive"
fi

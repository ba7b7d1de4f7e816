#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The size of the image and how long its build took; and a copy of its definition file in the home folder, because
# images lie in scratch, where files are deleted: keep_definition.sh DEFINITION IMAGE
set -u

definition=${1:?} image=${2:?}
name=${image##*/}
if ! bytes=$(stat -L -c %s "$image" 2>/dev/null); then
    echo "Error: there is no image file $image" >&2
    exit 1
fi
printf '%6s  %s\n' "$(numfmt --to=iec "$bytes")" "$image"
printf '@slipway {"sample":"image_bytes","x":1,"x_name":"image","y":%d,"unit":"B"}\n' "$bytes"
began=$(cat build.begun 2>/dev/null)
if [[ $began =~ ^[0-9]+$ ]]; then
    # The image was written last; what comes after the build does not count.
    seconds=$(($(stat -L -c %Y "$image") - began))
    [ "$seconds" -ge 0 ] || seconds=0
    printf 'Built in %d:%02d minutes\n' $((seconds / 60)) $((seconds % 60))
    printf '@slipway {"sample":"build_seconds","x":1,"x_name":"image","y":%d,"unit":"s"}\n' "$seconds"
fi

folder=${HOME:?}/slipway/definitions
kept=$folder/${name%.sif}.def
if cmp -s "$definition" "$kept"; then
    echo "Definition file: already kept as $kept"
elif mkdir -p "$folder" && cp --backup=numbered "$definition" "$kept"; then
    echo "Definition file: kept as $kept"
else
    echo "The definition file could not be kept as $kept; the image is there, and the run folder has the file in code/."
fi

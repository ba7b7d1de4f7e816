#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Prints the paths of image files, and the command that opens a shell in each: where_they_lie.sh FILE...
set -eu

for file in "$@"; do
    case $file in
        *.sqsh) start='enroot start' ;;
        *) start="$(basename "$(command -v apptainer || command -v singularity || echo apptainer)") shell --nv" ;;
    esac
    echo "$file"
    echo "  Manually, inside a job: $start $file"
done

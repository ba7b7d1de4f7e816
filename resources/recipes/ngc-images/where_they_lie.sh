#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Says where image files lie, and how a shell is opened in each by hand: where_they_lie.sh FILE...
set -eu

for file in "$@"; do
    case $file in
        *.sqsh) start='enroot start' ;;
        *) start="$(basename "$(command -v apptainer || command -v singularity || echo apptainer)") shell --nv" ;;
    esac
    echo "$file"
    echo "  By hand, inside a job: $start $file"
done

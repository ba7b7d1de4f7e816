#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The sizes of image files, in a readable form and, one line each, for the chart: image_sizes.sh FILE...
# The first file is point 1 of the chart, the second point 2, and so on.
set -eu

number=0
for file in "$@"; do
    number=$((number + 1))
    if ! bytes=$(stat -L -c %s "$file" 2>/dev/null); then
        echo "Error: there is no image file $file" >&2
        exit 1
    fi
    printf '%6s  %s\n' "$(numfmt --to=iec "$bytes")" "${file##*/}"
    printf '@slipway {"sample":"image_bytes","x":%d,"x_name":"image","y":%d,"unit":"B"}\n' "$number" "$bytes"
done

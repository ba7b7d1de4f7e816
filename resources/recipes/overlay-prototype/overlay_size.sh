#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The contents of an overlay folder: overlay_size.sh FOLDER LABEL
set -eu

folder=$1
bytes=$(du -s --block-size=1 --apparent-size "$folder" 2>/dev/null | cut -f 1)
files=$(find "$folder" -type f 2>/dev/null | wc -l)
echo "The overlay $folder contains $files files, $bytes bytes."
find "$folder" -type f -path '*/upper/*' 2>/dev/null | head -n 20
printf '@slipway {"sample":"overlay_bytes","x":%d,"x_name":"look","y":%d,"unit":"B"}\n' "${2:-1}" "$bytes"

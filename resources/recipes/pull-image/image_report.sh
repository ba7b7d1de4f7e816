#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# image_report.sh FILE: the size of the image, and how long its pull took in this job.

set -u
image=${1:?usage: image_report.sh FILE}
if [ ! -e "$image" ]; then
    echo "Error: there is no image $image. Was the pull refused? See its messages above." >&2
    exit 1
fi

# The pull writes the file, so a file that is older than this job existed before.
bytes=$(du -sb -- "$image" | cut -f1)
begun=$(sed -n 's/^{"t":\([0-9.]*\),"stage":"image","state":"begin".*/\1/p' events.ndjson 2>/dev/null | tail -n 1)
ended=$(sed -n 's/^{"t":\([0-9.]*\),"stage":"image","state":"done".*/\1/p' events.ndjson 2>/dev/null | tail -n 1)
human=$(awk -v bytes="$bytes" 'BEGIN { if (bytes >= 1e9) printf "%.1f GB", bytes / 1e9; else printf "%.0f MB", bytes / 1e6 }')

echo "Image: $image"
# As tutorials print it. ls uses powers of 1024 and rounds up: its 3.4G is at most 3.65 GB.
ls -lh -- "$image"
echo "Size: $human ($bytes bytes)"
printf '@slipway {"sample":"image_size","x":1,"x_name":"pull","y":%s,"unit":"B"}\n' "$bytes"

if [ -z "$begun" ] || [ -z "$ended" ]; then
    echo "Time: unknown, no pull was recorded in this job."
elif [ "$(stat -c %Y -- "$image")" -lt "${begun%.*}" ]; then
    echo "Time: none. The image was already present, so nothing was pulled."
else
    seconds=$(awk -v a="$begun" -v b="$ended" 'BEGIN { printf "%.1f", b - a }')
    rate=$(awk -v n="$bytes" -v s="$seconds" 'BEGIN { printf "%.1f", n / 1e6 / (s > 0.1 ? s : 0.1) }')
    echo "Time: $seconds s from the request to the finished file, $rate MB/s."
    printf '@slipway {"sample":"pull_seconds","x":1,"x_name":"pull","y":%s,"unit":"s"}\n' "$seconds"
fi

free=$(df -P -B1 -- "${image%/*}" | awk 'NR == 2 { printf "%.0f GB", $4 / 1e9 }')
echo "Free space on its file system: $free"

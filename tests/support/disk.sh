# shellcheck shell=bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The space on the disks that tests/run writes to: checked before, watched meanwhile, and said at the end, because a
# test that a full disk fails rarely says so. Sourced; sizes are in MiB.

# free_space FOLDER…: of the fullest of their disks; a folder that is not there yet counts as the one it will be made in
free_space() {
    local folder folders=()
    for folder; do
        while [ ! -e "$folder" ]; do folder=$(dirname -- "$folder"); done
        folders+=("$folder")
    done
    df --output=avail --block-size=1M -- "${folders[@]}" | tail -n +2 | sort -n | head -n 1 | tr -d ' '
}

# gigabytes MIB: "12.5 GiB"
gigabytes() { awk -v mib="$1" 'BEGIN { printf "%.1f GiB", mib / 1024 }'; }

# watch_disk FILE FOLDER…: keeps the lowest free space in that file for as long as this program runs
watch_disk() {
    local file=$1 free lowest
    shift
    lowest=$(free_space "$@")
    echo "$lowest" >"$file"
    while sleep 2 && kill -0 $$ 2>/dev/null; do
        free=$(free_space "$@")
        [ "$free" -ge "$lowest" ] || { lowest=$free && echo "$lowest" >"$file"; }
    done
}

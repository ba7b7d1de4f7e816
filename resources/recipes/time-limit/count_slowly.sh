#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# count_slowly.sh MINUTES: works longer than the job's limit. Shows what a time limit looks like in a log, and what is left.

minutes=${1:?usage: count_slowly.sh MINUTES}
every=5
steps=$((minutes * 60 / every))
mkdir -p results
# Slurm sends SIGTERM at the limit and SIGKILL some seconds later: time for a last file.
trap 'echo "The time limit is reached. Work that was not saved is lost."; exit 143' TERM
for ((step = 1; step <= steps; step++)); do
    sleep "$every" &
    wait $!
    echo "Step $step of $steps: $((100 * step / steps)) % of the work after $SECONDS s"
    printf '@slipway {"sample":"work_done","x":%d,"x_name":"step","y":%d,"unit":"%%"}\n' "$step" $((100 * step / steps))
    echo "$step of $steps" >results/steps.txt
done
echo "All done: the limit is longer than the work. Request less time to see the failure."

#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# eat_memory.sh MIB SECONDS: allocates memory piece by piece until the job's limit ends it, or until it has MIB;
# then it keeps the memory for SECONDS. Shows what "out of memory" looks like in a log.

most=${1:?usage: eat_memory.sh MIB SECONDS}
hold=${2:-30}
piece=32
pieces=()
step=0
echo "This job may use ${SLURM_MEM_PER_NODE:-an unknown number of} MiB on this node."
while [ $((step * piece)) -lt "$most" ]; do
    step=$((step + 1))
    # Held in a variable of this shell: written memory, not only reserved.
    pieces+=("$(head -c "${piece}M" /dev/zero | tr '\0' x)")
    echo "Taken: $((step * piece)) MiB"
    printf '@slipway {"sample":"memory","x":%d,"x_name":"piece","y":%d,"unit":"B"}\n' "$step" $((step * piece * 1048576))
done
echo "Allocated all ${#pieces[@]} pieces. Keeping them for $hold s, because some clusters check only from time to time."
sleep "$hold"
echo "The job was not ended: its limit is higher. Request less memory to see the failure."

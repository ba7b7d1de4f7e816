#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# take_node_away.sh SECONDS: some seconds from now this job is put back into the queue, once.
# It plays what a real cluster does when a node fails or a more urgent job needs it.

seconds=${1:?usage: take_node_away.sh SECONDS}
if [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ]; then
    echo "Slurm has started this job again (restart $SLURM_RESTART_COUNT). It may end in peace now."
    exit 0
fi
echo "In $seconds s this job goes back into the queue: scontrol requeue $SLURM_JOB_ID"
(
    sleep "$seconds"
    scontrol requeue "$SLURM_JOB_ID"
) >&2 </dev/null &

#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# take_node_away.sh SECONDS: requeues this job after some seconds, once, as a cluster does when a node fails or
# a job with a higher priority needs it.

seconds=${1:?usage: take_node_away.sh SECONDS}
if [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ]; then
    echo "Slurm has started this job again (restart $SLURM_RESTART_COUNT). It will not be requeued again."
    exit 0
fi
echo "In $seconds s this job is requeued: scontrol requeue $SLURM_JOB_ID"
(
    sleep "$seconds"
    scontrol requeue "$SLURM_JOB_ID"
) >&2 </dev/null &

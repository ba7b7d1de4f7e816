#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sums a buffer over all tasks of the job, and measures the bandwidth: all_reduce.sh PROGRAM LEAST MOST GPUS
# PROGRAM: nccl, the test in NVIDIA's PyTorch images; gloo, the same on CPUs, in this folder.
set -eu

program=${1:-} least=${2:-} most=${3:-} gpus=${4:-1}

case $program in
    nccl)
        command -v all_reduce_perf_mpi >/dev/null || {
            echo "Error: this image has no all_reduce_perf_mpi; NVIDIA's PyTorch images have it" >&2
            exit 1
        }
        set -- all_reduce_perf_mpi -b "$least" -e "$most" -f 2 -g "$gpus"
        ;;
    gloo) set -- python3 all_reduce_gloo.py --least "$least" --most "$most" ;;
    *)
        echo "Usage: all_reduce.sh nccl|gloo LEAST MOST [GPUS]" >&2
        exit 2
        ;;
esac
# All tasks run the same command, so only one prints it.
[ "${SLURM_PROCID:-0}" != 0 ] || echo "+ $*"
exec "$@"

#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Adds up a buffer over all tasks of the job, and measures how fast: all_reduce.sh PROGRAM LEAST MOST GPUS
# PROGRAM: nccl, the test that NVIDIA's PyTorch images bring along; gloo, the same over CPUs, beside this script.
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
# The tasks say the same; one of them is enough.
[ "${SLURM_PROCID:-0}" != 0 ] || echo "+ $*"
exec "$@"

#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# One task of the job, already inside the container: one_task.sh ENGINE NODES PROCESSES EPOCHS ITEMS BATCH WIDTH
# Values that differ between tasks are read here. In the job script, $SLURM_NODEID would be the first node's for all tasks.
set -eu

if [ $# -ne 7 ]; then
    echo "Usage: one_task.sh lightning|torch NODES PROCESSES EPOCHS ITEMS BATCH WIDTH" >&2
    exit 2
fi
engine=$1 nodes=$2 processes=$3 epochs=$4 items=$5 batch=$6 width=$7

export NODE_RANK="${SLURM_NODEID:-0}"

case $engine in
    lightning)
        exec python3 lightning_ddp.py --nodes "$nodes" --processes "$processes" --epochs "$epochs" \
            --items "$items" --batch "$batch" --width "$width"
        ;;
    torch)
        # The same layout without Lightning: sets what Lightning would read from Slurm.
        export RANK="${SLURM_PROCID:-0}" LOCAL_RANK="${SLURM_LOCALID:-0}" WORLD_SIZE="${SLURM_NTASKS:-1}"
        if [ "$WORLD_SIZE" -ne $((nodes * processes)) ]; then
            echo "Error: Slurm started $WORLD_SIZE tasks; $nodes nodes with $processes processes each are needed" >&2
            exit 1
        fi
        [ "$RANK" != 0 ] || echo "Plain PyTorch instead of Lightning; one task per process, as Lightning requires"
        exec python3 pt_ddp.py --epochs "$epochs" --items "$items" --batch "$batch" --width "$width"
        ;;
    *)
        echo "Error: the engine is lightning or torch, not $engine" >&2
        exit 2
        ;;
esac

#!/bin/bash
#SBATCH -N2 --ntasks-per-node=1 -c1 --mem=1500M -t 15:00
MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))
WORLD_SIZE=$SLURM_NTASKS
export MASTER_ADDR MASTER_PORT WORLD_SIZE
# shellcheck disable=SC2016  # each task's own number
srun bash -c 'RANK=$SLURM_PROCID exec apptainer exec pytorch.sif python3 ddp.py'

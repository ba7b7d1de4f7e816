#!/bin/bash
#SBATCH -N2 --ntasks-per-node=1 -c2 --mem=2G -t 15:00
address=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun apptainer exec pytorch.sif torchrun --nnodes 2 --nproc_per_node 2 --rdzv_id "$SLURM_JOB_ID" --rdzv_backend c10d \
    --rdzv_endpoint "$address:$((10000 + SLURM_JOB_ID % 10000))" ddp.py

#!/bin/bash
#SBATCH -N1 -c1 --mem=100M -t 5:00 --requeue --open-mode=append
echo "restart ${SLURM_RESTART_COUNT:-0}"
[ "${SLURM_RESTART_COUNT:-0}" -gt 0 ] || sleep 300

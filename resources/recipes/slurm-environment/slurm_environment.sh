#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What Slurm allocated to this job: its variables, which programs read, with an explanation.

say() { # say NAME MEANING
    local value=${!1-}
    printf '%-24s %-22s %s\n' "$1" "${value:-(not set)}" "$2"
}

printf '%-24s %-22s %s\n' "Variable" "Value" "Meaning"
say SLURM_JOB_ID "the number to name in squeue and scancel"
say SLURM_JOB_PARTITION "the queue that it runs in"
say SLURM_JOB_NUM_NODES "how many nodes"
say SLURM_JOB_NODELIST "which ones"
say SLURM_NTASKS "how many tasks srun starts by default"
say SLURM_CPUS_PER_TASK "CPUs of each task"
say SLURM_CPUS_ON_NODE "CPUs of the job on this node"
say SLURM_MEM_PER_NODE "memory of the job on this node, in MiB"
say SLURM_MEM_PER_CPU "memory for each CPU, in MiB"
say SLURM_GPUS_ON_NODE "GPUs of the job on this node"
say SLURM_JOB_GPUS "their numbers, as the node counts them"
say CUDA_VISIBLE_DEVICES "the GPUs that CUDA programs may use"
say SLURM_SUBMIT_DIR "the folder that the job was sent from"

echo
echo "Everything with GPU in its name:"
env | grep GPU | sort || echo "(nothing: the job requested no GPU)"

gpus=${SLURM_GPUS_ON_NODE:-0}
cpus=${SLURM_CPUS_ON_NODE:-$(nproc)}
echo
echo "In short: $cpus CPUs and $gpus GPUs on ${SLURMD_NODENAME:-$(uname -n)}."
printf '@slipway {"event":"allocation","text":"%s CPUs and %s GPUs on this node"}\n' "$cpus" "$gpus"

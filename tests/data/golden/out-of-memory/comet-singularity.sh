#!/bin/bash -l
#SBATCH --job-name=out-of-memory
#SBATCH --account=csc000
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=00:10:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # kept when Slurm starts the job again

# Out of memory on Comet. Runs in the folder that it lies in; by hand: sbatch job.sh
. ./slipway.sh || exit  # begin, end, probe_check, pull_once: they note how it goes

module load singularity/2.5.1

export PYTHONUNBUFFERED=1  # lines arrive as they are printed
export COLUMNS=120         # tables keep their shape
mkdir -p results

# Meant to fail: the job asks for less memory than this takes.
begin eat "Take more and more memory"
bash eat_memory.sh 2048 30
end || exit

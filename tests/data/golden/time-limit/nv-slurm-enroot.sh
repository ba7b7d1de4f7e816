#!/bin/bash -l
#SBATCH --job-name=time-limit
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=00:01:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # kept when Slurm starts the job again

# Time is up on The tutorial's cluster. Runs in the folder that it lies in; by hand: sbatch job.sh
. ./slipway.sh || exit  # begin, end, probe_check, pull_once: they note how it goes

export PYTHONUNBUFFERED=1  # lines arrive as they are printed
export COLUMNS=120         # tables keep their shape
mkdir -p results

# Meant to fail: the job's time is shorter than this work.
begin work "Work for too long"
bash count_slowly.sh 10
end || exit

#!/bin/bash -l
#SBATCH --job-name=nccl-two-by-two
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=32G
#SBATCH --gpus-per-node=h100:2   # 2 of the node's L40S 46 GB or H100
#SBATCH --time=00:20:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# NCCL with two GPUs per node on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export ENROOT_CACHE_PATH="/tmp/${USER}_apptainer_cache"  # image layers: large, so on the node itself
export PYTHONUNBUFFERED=1                                # output appears at once
export COLUMNS=120                                       # wide tables are not wrapped
export MASTER_ADDR="$SLURMD_NODENAME"                    # where this script runs: the first node of the job
export MASTER_PORT="$((10000 + SLURM_JOB_ID % 10000))"   # from the job id, so that two jobs do not use the same port
export OMP_NUM_THREADS="${SLURM_CPUS_PER_TASK:-1}"       # threads per task: as many as its CPUs
mkdir -p "$ENROOT_CACHE_PATH" results

image="$MYDATA/containers/nvcr.io/nvidia/nvidia+pytorch+24.03-py3.sqsh"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    enroot import --output "$image.part" docker://nvcr.io#nvidia/pytorch:24.03-py3
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    srun -N 1 -n 1 --cpus-per-task=8 --container-image="$image" \
    --container-mounts="$PWD":"$PWD" --container-workdir="$PWD"
end

# One process per node; -g sets its number of GPUs.
# A hook of enroot adds the node's NVIDIA driver to images that set NVIDIA_VISIBLE_DEVICES, as NVIDIA's do; there is no --nv.
begin run "Sum over all GPUs"
srun --mpi=pmi2 --cpus-per-task=8 --container-image="$image" \
    --container-mounts="$PWD":"$PWD" --container-workdir="$PWD" \
    sh all_reduce.sh nccl 1G 4G 2
end || exit

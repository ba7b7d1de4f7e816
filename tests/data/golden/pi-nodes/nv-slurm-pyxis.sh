#!/bin/bash -l
#SBATCH --job-name=calculate-pi-mpi
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --cpus-per-task=1
#SBATCH --mem=8G
#SBATCH --time=00:10:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Pi on several nodes on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

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
mkdir -p "$ENROOT_CACHE_PATH" results

image="$MYDATA/containers/nvcr.io/nvidia/nvidia+pytorch+24.03-py3.sqsh"

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    enroot import --output "$image.part" docker://nvcr.io#nvidia/pytorch:24.03-py3
end || exit

# The launcher runs outside and starts one container per rank, on all nodes.
begin pi "Estimate pi on every node"
srun --mpi=pmi2 --container-image="$image" --container-mounts="$PWD":"$PWD" \
    --container-workdir="$PWD" --container-entrypoint \
    python3 pi_mpi.py 10000000
end || exit

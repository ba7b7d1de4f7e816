#!/bin/bash -l
#SBATCH --job-name=nv-lesson
#SBATCH --partition=alpha
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --gres=gpu:1             # 1 of the node's 8 A100-SXM4 40 GB
#SBATCH --time=00:15:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# The missing --nv on Taurus, Alpha Centauri. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export SINGULARITY_CACHEDIR="/scratch/ws/0/$USER-slipway/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                                                # output appears at once
export COLUMNS=120                                                       # wide tables are not wrapped
mkdir -p "$SINGULARITY_CACHEDIR" results

image="/scratch/ws/0/$USER-slipway/slipway/images/nvcr.io/nvidia/pytorch_21.08-py3.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    singularity pull --force "$image.part" docker://nvcr.io/nvidia/pytorch:21.08-py3
end || exit

# nvidia-smi is part of the driver, which is on the node: without --nv it is not available inside.
begin smi-without "nvidia-smi without --nv"
srun --cpus-per-task=4 singularity exec "$image" \
    nvidia-smi
end failure || exit

begin without "A program without --nv"
srun --cpus-per-task=4 singularity exec "$image" \
    python3 find_gpus.py --least 1
end failure || exit

# Everything after the image is passed to the program. This program reports it; most ignore it.
begin wrong-place "--nv in the wrong place"
srun --cpus-per-task=4 singularity exec "$image" \
    python3 find_gpus.py --nv
end failure || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    singularity exec --nv "$image"
end

# --nv binds the node's NVIDIA driver into the container; without it no GPU is visible inside.
begin with "A program with --nv"
srun --cpus-per-task=4 singularity exec --nv "$image" \
    python3 find_gpus.py --least 1
end || exit

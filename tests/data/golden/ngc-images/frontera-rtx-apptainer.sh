#!/bin/bash -l
#SBATCH --job-name=ngc-images
#SBATCH --partition=rtx
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=03:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Pull images from NGC on Frontera. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

module load tacc-apptainer

export APPTAINER_CACHEDIR="$SCRATCH/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                           # output appears at once
export COLUMNS=120                                  # wide tables are not wrapped
export FI_PROVIDER=tcp
mkdir -p "$APPTAINER_CACHEDIR" results

image="$SCRATCH/slipway/images/nvcr.io/nvidia/cuda_12.4.1-devel-ubuntu22.04.sif"
image_pytorch="$SCRATCH/slipway/images/nvcr.io/nvidia/pytorch_24.03-py3.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force "$image.part" \
    docker://nvcr.io/nvidia/cuda:12.4.1-devel-ubuntu22.04
end || exit

begin image-2 "Pull the image (PyTorch image)"
pull_once "$image_pytorch" \
    apptainer pull --force "$image_pytorch.part" docker://nvcr.io/nvidia/pytorch:24.03-py3
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec "$image"
end

# The script is on the cluster; the system and the programs that it finds are the image's.
begin look-cuda "Look into the CUDA image"
apptainer exec "$image" \
    sh look_inside.sh
end || exit

begin look-pytorch "Look into the PyTorch image"
apptainer exec "$image_pytorch" \
    sh look_inside.sh
end || exit

begin sizes "Sizes of the images"
bash image_sizes.sh "$image" "$image_pytorch"
end || exit

# The full paths, for commands that you type yourself.
begin where "Paths of the images"
sh where_they_lie.sh "$image" "$image_pytorch"
end || exit

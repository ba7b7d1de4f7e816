#!/bin/bash -l
#SBATCH --job-name=gpu-in-container
#SBATCH --account=csc000
#SBATCH --partition=gengpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --gres=gpu:1             # 1 of the node's A100
#SBATCH --time=00:10:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # what is there already is kept

# GPU in a container on Quest. Runs in the folder that it lies in; by hand: sbatch job.sh

# slipway.sh brings begin, end, probe_check and pull_once, which note how it goes. In a shared folder others
# may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the one that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

module load singularity

export SINGULARITY_CACHEDIR="$HOME/slipway/cache"  # image layers: large, and in $HOME, so mind its quota
export PYTHONUNBUFFERED=1                          # lines arrive as they are printed
export COLUMNS=120                                 # tables keep their shape
mkdir -p "$SINGULARITY_CACHEDIR" results

image="$HOME/slipway/images/nvcr.io/nvidia/cuda_12.4.1-devel-ubuntu22.04.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not meet. When it is there, this is instant.
begin image "Pull the image"
pull_once "$image" \
    singularity pull --force "$image.part" \
    docker://nvcr.io/nvidia/cuda:12.4.1-devel-ubuntu22.04
end || exit

# The node's own view: its driver, its GPUs.
begin host "nvidia-smi on the node"
nvidia-smi
end either

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    singularity exec --nv -B /projects:/projects "$image"
end

# --nv binds the node's NVIDIA driver into the container; without it no GPU is found in there.
begin inside "nvidia-smi in the container"
srun --cpus-per-task=4 singularity exec --nv -B /projects:/projects "$image" \
    nvidia-smi
end either

# With Apptainer and Singularity the mistake, on purpose: no --nv, so the driver stays outside.
# enroot and pyxis have no such option. They bring the driver in by themselves, and this works.
begin without "nvidia-smi without Apptainer's --nv"
srun --cpus-per-task=4 singularity exec -B /projects:/projects "$image" \
    nvidia-smi
end either

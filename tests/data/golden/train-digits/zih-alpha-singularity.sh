#!/bin/bash -l
#SBATCH --job-name=train-digits
#SBATCH --partition=alpha
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --gres=gpu:1             # 1 of the node's 8 A100-SXM4 40 GB
#SBATCH --time=00:20:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # what is there already is kept

# Train and report on Taurus, Alpha Centauri. Runs in the folder that it lies in; by hand: sbatch job.sh

# slipway.sh brings begin, end, probe_check and pull_once, which note how it goes. In a shared folder others
# may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the one that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export SINGULARITY_CACHEDIR="/scratch/ws/0/$USER-slipway/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                                                # lines arrive as they are printed
export COLUMNS=120                                                       # tables keep their shape
mkdir -p "$SINGULARITY_CACHEDIR" results

image="/scratch/ws/0/$USER-slipway/slipway/images/docker.io/pytorch/pytorch_1.10.0-cuda11.3-cudnn8-runtime.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not meet. When it is there, this is instant.
begin image "Pull the image"
pull_once "$image" \
    singularity pull --force "$image.part" \
    docker://pytorch/pytorch:1.10.0-cuda11.3-cudnn8-runtime
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    singularity exec --nv "$image"
end

# The same program in the same container, once a lane.
# --nv binds the node's NVIDIA driver into the container; without it no GPU is found in there.
# A lane that fails does not stop the others; the job then ends with its exit code.
begin train-gpu "GPU"
srun --cpus-per-task=8 singularity exec --nv "$image" \
    python3 train_digits.py --device cuda --epochs 5 --images 20000 --batch 64 --noise 0.35 \
    --seed 1 --lane GPU
end || failed=$?

begin train-cpu "CPU"
srun --cpus-per-task=8 singularity exec "$image" \
    python3 train_digits.py --device cpu --epochs 5 --images 20000 --batch 64 --noise 0.35 \
    --seed 1 --lane CPU
end || failed=$?

exit "${failed:-0}"

#!/bin/bash -l
#SBATCH --job-name=train-digits
#SBATCH --account=csc000
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --gres=gpu:1             # 1 of the node's 4 A100 40 GB
#SBATCH --time=00:20:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Train and report on Swift. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

module load apptainer

export APPTAINER_CACHEDIR="/scratch/$USER/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                                 # output appears at once
export COLUMNS=120                                        # wide tables are not wrapped
mkdir -p "$APPTAINER_CACHEDIR" results

image="/scratch/$USER/slipway/images/docker.io/pytorch/pytorch_2.4.1-cuda12.1-cudnn9-runtime.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force "$image.part" \
    docker://pytorch/pytorch:2.4.1-cuda12.1-cudnn9-runtime
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec --nv "$image"
end

# The same program in the same container, once per lane.
# --nv binds the node's NVIDIA driver into the container; without it no GPU is visible inside.
# A lane that fails does not stop the others; the job then ends with its exit code.
begin train-gpu "GPU"
srun --cpus-per-task=8 apptainer exec --nv "$image" \
    python3 train_digits.py --device cuda --epochs 5 --images 20000 --batch 64 --noise 0.35 \
    --seed 1 --lane GPU
end || failed=$?

begin train-cpu "CPU"
srun --cpus-per-task=8 apptainer exec "$image" \
    python3 train_digits.py --device cpu --epochs 5 --images 20000 --batch 64 --noise 0.35 \
    --seed 1 --lane CPU
end || failed=$?

exit "${failed:-0}"

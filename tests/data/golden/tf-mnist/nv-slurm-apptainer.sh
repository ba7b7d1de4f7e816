#!/bin/bash -l
#SBATCH --job-name=tf-mnist
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=8G
#SBATCH --gpus-per-node=1        # 1 of the node's L40S 46 GB or H100
#SBATCH --time=01:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# MNIST with TensorFlow on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export APPTAINER_CACHEDIR="/tmp/${USER}_apptainer_cache"  # image layers: large, so on the node itself
export PYTHONUNBUFFERED=1                                 # output appears at once
export COLUMNS=120                                        # wide tables are not wrapped
mkdir -p "$APPTAINER_CACHEDIR" results

image="$MYDATA/containers/docker.io/tensorflow/tensorflow_2.15.0-gpu.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force "$image.part" docker://tensorflow/tensorflow:2.15.0-gpu
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec --nv "$image"
end

# The same program and the same container; with Apptainer and Singularity the CPU lane starts it without --nv.
# --nv binds the node's NVIDIA driver into the container; without it no GPU is visible inside.
# A lane that fails does not stop the others; the job then ends with its exit code.
begin train-gpu "GPU"
srun apptainer exec --nv "$image" \
    python3 mnist_training.py --device gpu --epochs 10 --batch 32 --data '' --lane GPU
end || failed=$?

begin train-cpu "CPU"
srun apptainer exec "$image" \
    python3 mnist_training.py --device cpu --epochs 10 --batch 32 --data '' --lane CPU
end || failed=$?

exit "${failed:-0}"

#!/bin/bash -l
#SBATCH --job-name=matmul-scaling
#SBATCH --partition=gpu2
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=6
#SBATCH --mem=32G
#SBATCH --gres=gpu:1             # 1 of the node's 4 K80
#SBATCH --time=00:30:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Matmul scaling on Taurus, gpu2. Runs in its own folder; by hand: sbatch job.sh

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

image="/scratch/ws/0/$USER-slipway/slipway/images/docker.io/pytorch/pytorch_1.7.1-cuda11.0-cudnn8-runtime.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    singularity pull --force "$image.part" \
    docker://pytorch/pytorch:1.7.1-cuda11.0-cudnn8-runtime
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    singularity exec --nv "$image"
end

# The same program in the same container, once per lane, one after the other.
# --nv binds the node's NVIDIA driver into the container; without it no GPU is visible inside.
# A lane that fails does not stop the others; the job then ends with its exit code.
begin run-gpu "GPU"
srun --cpus-per-task=6 singularity exec --nv "$image" \
    python3 matmul_scaling.py --device cuda --threads 0 --sizes 512,1024,2048,4096,8192 \
    --repeats 7 --warmup 2 --dtype float32 --lane GPU
end || failed=$?

begin run-cpu "CPU, all threads"
srun --cpus-per-task=6 singularity exec "$image" \
    python3 matmul_scaling.py --device cpu --threads 6 --sizes 512,1024,2048,4096,8192 \
    --repeats 7 --warmup 2 --dtype float32 --lane 'CPU, all threads'
end || failed=$?

begin run-cpu-1 "CPU, 1 thread"
srun --cpus-per-task=6 singularity exec "$image" \
    python3 matmul_scaling.py --device cpu --threads 1 --sizes 512,1024,2048,4096,8192 \
    --repeats 7 --warmup 2 --dtype float32 --lane 'CPU, 1 thread'
end || failed=$?

exit "${failed:-0}"

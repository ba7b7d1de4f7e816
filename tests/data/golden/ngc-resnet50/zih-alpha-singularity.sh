#!/bin/bash -l
#SBATCH --job-name=ngc-resnet50
#SBATCH --partition=alpha
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=6
#SBATCH --mem=50000M
#SBATCH --gres=gpu:1             # 1 of the node's 8 A100-SXM4 40 GB
#SBATCH --time=08:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# ResNet-50 from NGC on Taurus, Alpha Centauri. Runs in its own folder; by hand: sbatch job.sh

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

image="/scratch/ws/0/$USER-slipway/slipway/images/nvcr.io/nvidia/pytorch_21.06-py3.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    singularity pull --force "$image.part" docker://nvcr.io/nvidia/pytorch:21.06-py3
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    singularity exec --nv -B /scratch/ws/0/ada/imagenet:/data/imagenet:ro "$image"
end

# One container for all GPUs of the node; multiproc.py inside starts one process per GPU.
# --nv binds the node's NVIDIA driver into the container; without it no GPU is visible inside.
begin train "Train ResNet-50"
srun --cpus-per-task=6 singularity exec --nv \
    -B /scratch/ws/0/ada/imagenet:/data/imagenet:ro "$image" \
    python /workspace/examples/resnet50v1.5/multiproc.py --nnodes=1 --nproc_per_node 1 \
    --node_rank=0 /workspace/examples/resnet50v1.5/main.py --data-backend dali-cpu \
    --raport-file raport.json --workspace results -j 16 -p 100 --lr 2.048 \
    --optimizer-batch-size 2048 --warmup 8 --arch resnet50 -c fanin \
    --label-smoothing 0.1 --lr-schedule cosine --mom 0.875 --wd 3.0517578125e-05 -b 256 \
    --epochs 1 /data/imagenet
end || exit

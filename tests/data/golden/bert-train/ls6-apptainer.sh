#!/bin/bash -l
#SBATCH --job-name=bert-train
#SBATCH --partition=gpu-a100
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Train BERT on Lonestar6. Runs in its own folder; by hand: sbatch job.sh

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
export HF_HOME="$PWD/huggingface"                   # the model is downloaded to the run folder, not to $HOME
mkdir -p "$APPTAINER_CACHEDIR" results

image="$SCRATCH/slipway/images/docker.io/huggingface/transformers-pytorch-gpu_4.41.2.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force "$image.part" \
    docker://huggingface/transformers-pytorch-gpu:4.41.2
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec --nv "$image"
end

# The program is in the run folder, so that it can be changed without a new image.
# --nv binds the node's NVIDIA driver into the container; without it no GPU is visible inside.
begin train "Train and evaluate"
apptainer exec --nv "$image" \
    python3 bert_classifier.py --device cuda --output results \
    --source https://raw.githubusercontent.com/eriksf/bert-classifier/main \
    --model bert-base-uncased --epochs 5 --batch 16 --rate 2e-5
end || exit

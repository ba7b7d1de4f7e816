#!/bin/bash -l
#SBATCH --job-name=pip-overwrites-torch
#SBATCH --partition=gpu-a100
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# How pip overwrites PyTorch on Lonestar6. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

# Overlays are on the node itself, because they do not work on NFS, Lustre, GPFS or FUSE. The steps
# share this folder; it is deleted when the job ends.
overlays=${TMPDIR:-/tmp}/slipway-$SLURM_JOB_ID
node_folder "$overlays" || exit

module load tacc-apptainer

export APPTAINER_CACHEDIR="$SCRATCH/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                           # output appears at once
export COLUMNS=120                                  # wide tables are not wrapped
mkdir -p "$APPTAINER_CACHEDIR" results

image="$SCRATCH/slipway/images/nvcr.io/nvidia/pytorch_24.03-py3.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force "$image.part" docker://nvcr.io/nvidia/pytorch:24.03-py3
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec "$image"
end

begin before "List the packages of the image"
mkdir -p "$overlays"/overlay &&
apptainer exec --fakeroot --overlay "$overlays"/overlay "$image" \
    python3 what_changed.py before
end || exit

# The intended mistake. The overlay stores what pip writes; the image does not change.
begin install "Install without constraints"
mkdir -p "$overlays"/overlay &&
apptainer exec --fakeroot --overlay "$overlays"/overlay "$image" \
    sh pip_install.sh '' 'torch torchvision torchaudio'
end || exit

begin after "List what was replaced"
mkdir -p "$overlays"/overlay &&
apptainer exec --fakeroot --overlay "$overlays"/overlay "$image" \
    python3 what_changed.py after
end || exit

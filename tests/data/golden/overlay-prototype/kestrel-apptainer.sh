#!/bin/bash -l
#SBATCH --job-name=overlay-prototype
#SBATCH --account=csc000
#SBATCH --partition=gpu-h100
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=32G
#SBATCH --gres=gpu:1             # 1 of the node's 4 H100 SXM 80 GB
#SBATCH --time=01:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Prototype in an overlay on Kestrel. Runs in its own folder; by hand: sbatch job.sh

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

module load apptainer

export APPTAINER_CACHEDIR="/scratch/$USER/.apptainer"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                              # output appears at once
export COLUMNS=120                                     # wide tables are not wrapped
mkdir -p "$APPTAINER_CACHEDIR" results

image="/scratch/$USER/slipway/images/nvcr.io/nvidia/cuda_12.4.1-devel-ubuntu22.04.sif"

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

# --overlay stores the changes; --fakeroot makes the commands run as root inside.
begin install "Install and compile in the overlay"
mkdir -p "$overlays"/overlay &&
srun --cpus-per-task=16 apptainer exec --fakeroot -B /nopt:/nopt \
    --overlay "$overlays"/overlay "$image" \
    sh build_nbody.sh cuda
end || exit

begin size "Contents of the overlay"
bash overlay_size.sh "$overlays/overlay" 1
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec --nv -B /nopt:/nopt "$image"
end

# --nv binds the node's NVIDIA driver into the container; without it no GPU is visible inside.
begin run "Run it with the overlay"
mkdir -p "$overlays"/overlay &&
srun --cpus-per-task=16 apptainer exec --nv --fakeroot -B /nopt:/nopt \
    --overlay "$overlays"/overlay "$image" \
    nbody -benchmark -numbodies=200000
end || exit

# The image itself has not changed, so this finds nothing.
begin without "Look for it without the overlay"
srun --cpus-per-task=16 apptainer exec -B /nopt:/nopt "$image" \
    ls -l /usr/local/bin/nbody
end failure || exit

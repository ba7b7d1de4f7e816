#!/bin/bash -l
#SBATCH --job-name=overlay-prototype
#SBATCH --partition=gpu-a100
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # what is there already is kept

# Prototype in an overlay on Lonestar6. Runs in the folder that it lies in; by hand: sbatch job.sh

# slipway.sh brings begin, end, probe_check and pull_once, which note how it goes. In a shared folder others
# may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the one that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

# Overlays lie on the node itself, as none can lie on NFS, Lustre, GPFS or FUSE. The steps share this
# folder, and it goes when the job ends.
overlays=${TMPDIR:-/tmp}/slipway-$SLURM_JOB_ID
node_folder "$overlays" || exit

module load tacc-apptainer

export APPTAINER_CACHEDIR="$SCRATCH/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                           # lines arrive as they are printed
export COLUMNS=120                                  # tables keep their shape
mkdir -p "$APPTAINER_CACHEDIR" results

image="$SCRATCH/slipway/images/nvcr.io/nvidia/cuda_12.4.1-devel-ubuntu22.04.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not meet. When it is there, this is instant.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force "$image.part" \
    docker://nvcr.io/nvidia/cuda:12.4.1-devel-ubuntu22.04
end || exit

# --overlay takes what is written, --fakeroot lets the commands believe that they are root.
begin install "Install and compile in the overlay"
mkdir -p "$overlays"/overlay &&
apptainer exec --fakeroot --overlay "$overlays"/overlay "$image" \
    sh build_nbody.sh cuda
end || exit

begin size "What the overlay holds"
bash overlay_size.sh "$overlays/overlay" 1
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec --nv "$image"
end

# --nv binds the node's NVIDIA driver into the container; without it no GPU is found in there.
begin run "Run it, with the overlay"
mkdir -p "$overlays"/overlay &&
apptainer exec --nv --fakeroot --overlay "$overlays"/overlay "$image" \
    nbody -benchmark -numbodies=200000
end || exit

# The image itself has not changed: this finds nothing.
begin without "Look for it, without the overlay"
apptainer exec "$image" \
    ls -l /usr/local/bin/nbody
end failure || exit

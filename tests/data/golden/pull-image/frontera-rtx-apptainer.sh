#!/bin/bash -l
#SBATCH --job-name=pull-image
#SBATCH --partition=rtx
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Pull an image on Frontera. Runs in its own folder; by hand: sbatch job.sh

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
export FI_PROVIDER=tcp
mkdir -p "$APPTAINER_CACHEDIR" results

image="$SCRATCH/slipway/images/docker.io/tensorflow/tensorflow_2.17.0-gpu.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force "$image.part" docker://tensorflow/tensorflow:2.17.0-gpu
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec "$image"
end

# A container has its own system, but neither a kernel nor a driver.
begin inside "Look inside"
apptainer exec "$image" \
    sh look_inside.sh
end || exit

begin report "Size and time"
bash image_report.sh "$image"
end || exit

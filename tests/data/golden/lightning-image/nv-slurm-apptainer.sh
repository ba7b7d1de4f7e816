#!/bin/bash -l
#SBATCH --job-name=lightning-image
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=64G
#SBATCH --gpus-per-node=1        # 1 of the node's L40S 46 GB or H100
#SBATCH --time=01:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Lightning image on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

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

image="$MYDATA/containers/nvcr.io/nvidia/pytorch_24.03-py3.sif"
built_lightning="$MYDATA/containers/built/lightning.sif"

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

begin before "List the packages of the base image"
srun --cpus-per-task=16 apptainer exec "$image" \
    python3 what_changed.py before
end || exit

# By hand: apptainer build --fakeroot lightning.sif Definition.lightning
begin build "Build the image"
mkdir -p "${built_lightning%/*}" &&
    one_build "$built_lightning" &&
    slipway_with_login apptainer build --force --fakeroot "$built_lightning.part" \
    Definition.lightning &&
    mv "$built_lightning.part" "$built_lightning" &&
    ls -lh "$built_lightning" &&
    image_digest "$built_lightning" keep
end || exit

begin after "Check that nothing was replaced"
srun --cpus-per-task=16 apptainer exec "$built_lightning" \
    python3 what_changed.py after --must-not-replace
end || exit

begin size "Size of the image"
bash image_sizes.sh "$image" "$built_lightning"
end || exit

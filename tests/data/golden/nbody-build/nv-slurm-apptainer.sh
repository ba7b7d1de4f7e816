#!/bin/bash -l
#SBATCH --job-name=nbody-build
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=32G
#SBATCH --gpus-per-node=1        # 1 of the node's L40S 46 GB or H100
#SBATCH --time=03:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# N-body, plain build on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

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

built_nbody="$MYDATA/containers/built/nbody.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# --fakeroot lets %post install packages without root permissions on the node.
# By hand: apptainer build --fakeroot nbody.sif Definition.nbody
begin build "Build the image"
mkdir -p "${built_nbody%/*}" &&
    one_build "$built_nbody" &&
    slipway_with_login apptainer build --force --fakeroot "$built_nbody.part" \
    Definition.nbody &&
    mv "$built_nbody.part" "$built_nbody" &&
    ls -lh "$built_nbody" &&
    image_digest "$built_nbody" keep
end || exit

begin size "Size of the image"
bash image_sizes.sh "$built_nbody"
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec --nv "$built_nbody"
end

# --nv binds the node's NVIDIA driver into the container; without it no GPU is visible inside.
begin run "Try it"
srun --cpus-per-task=16 apptainer exec --nv "$built_nbody" \
    nbody -benchmark -numbodies=200000
end || exit

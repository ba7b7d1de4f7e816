#!/bin/bash -l
#SBATCH --job-name=nbody-multistage
#SBATCH --partition=cpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=00:10:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# N-body, small image on Demo cluster. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export APPTAINER_CACHEDIR="$SCRATCH/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                           # output appears at once
export COLUMNS=120                                  # wide tables are not wrapped
mkdir -p "$APPTAINER_CACHEDIR" results

built_nbody="$SCRATCH/slipway/images/built/nbody.sif"
built_nbody_efficient="$SCRATCH/slipway/images/built/nbody-efficient.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

begin plain "Build the plain image"
mkdir -p "${built_nbody%/*}" &&
    one_build "$built_nbody" &&
    slipway_with_login apptainer build --force --fakeroot --no-https "$built_nbody.part" \
    Definition.nbody &&
    mv "$built_nbody.part" "$built_nbody" &&
    ls -lh "$built_nbody" &&
    image_digest "$built_nbody" keep
end || exit

# The first stage compiles; the second contains only the program.
# By hand: apptainer build --fakeroot nbody-efficient.sif Definition.nbody-efficient
begin small "Build in two stages"
mkdir -p "${built_nbody_efficient%/*}" &&
    one_build "$built_nbody_efficient" &&
    slipway_with_login apptainer build --force --fakeroot \
    --no-https "$built_nbody_efficient.part" Definition.nbody-efficient &&
    mv "$built_nbody_efficient.part" "$built_nbody_efficient" &&
    ls -lh "$built_nbody_efficient" &&
    image_digest "$built_nbody_efficient" keep
end || exit

begin sizes "Compare the sizes"
bash image_sizes.sh "$built_nbody" "$built_nbody_efficient"
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec "$built_nbody"
end

begin run-plain "Run the plain image"
srun --cpus-per-task=2 apptainer exec "$built_nbody" \
    nbody -benchmark -numbodies=2048
end || exit

begin run-small "Run the small image"
srun --cpus-per-task=2 apptainer exec "$built_nbody_efficient" \
    nbody -benchmark -numbodies=2048
end || exit

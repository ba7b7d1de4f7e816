#!/bin/bash -l
#SBATCH --job-name=own-image
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=01:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Your own image on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

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

built_name="$MYDATA/containers/built/image.sif"

# What a build without root needs: user namespaces, entries in /etc/subuid, the program fakeroot.
begin route "How this node can build"
bash build_check.sh code/image.def
end || exit

# In code/, your folder as it was at the launch, so that %files finds its sources.
begin build "Build the image"
mkdir -p "${built_name%/*}" &&
    one_build "$built_name" &&
    (cd code &&
        slipway_with_login apptainer build --force --fakeroot "$built_name.part" image.def) &&
    mv "$built_name.part" "$built_name" &&
    ls -lh "$built_name" &&
    image_digest "$built_name" keep
end || exit

begin keep "Size, and the definition file"
bash keep_definition.sh code/image.def "$built_name"
end || exit

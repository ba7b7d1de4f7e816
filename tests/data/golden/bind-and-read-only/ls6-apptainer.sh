#!/bin/bash -l
#SBATCH --job-name=bind-and-read-only
#SBATCH --partition=gpu-a100
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=00:20:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Folders in a container on Lonestar6. Runs in its own folder; by hand: sbatch job.sh

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

begin outside "Look around on the node"
sh who_and_where.sh
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec --nv "$image"
end

# The run folder is visible inside, because the container starts in it. The home folder and /tmp depend on the
# runtime: Apptainer mounts both; enroot and pyxis have their own /tmp, and mount the home folder if the site says so.
# --nv binds the node's NVIDIA driver into the container; without it no GPU is visible inside.
begin inside "Look around in the container"
apptainer exec --nv "$image" \
    sh who_and_where.sh
end || exit

begin write "Write a file in the container"
apptainer exec --nv "$image" \
    sh say_hello.sh container.txt
end || exit

begin read "Read it on the node"
cat container.txt
end || exit

# Prints the folder's mode. On the node this folder usually does not exist.
begin allowed "Is the folder writable for everyone?"
apptainer exec "$image" \
    ls -lhd /workspace
end || exit

# The image is read-only, whatever the mode of its folders. This step is expected to fail.
begin read-only "Write into the image"
apptainer exec "$image" \
    touch /workspace/test
end failure || exit

begin folder "Create a folder to bind"
mkdir -p data
end || exit

# The run's folder data is bound to /data inside.
begin bound "Write into the bound folder"
apptainer exec -B "$PWD"/data:/data "$image" \
    sh say_hello.sh /data/hello.txt
end || exit

begin see "See it on the node"
ls -l data
end || exit

# Bound read-only, as is advisable for data sets. This step is expected to fail.
begin bound-read-only "Write to a read-only bind"
apptainer exec -B "$PWD"/data:/data:ro "$image" \
    touch /data/no.txt
end failure || exit

# Not bound, so the file is not visible, although it exists on the node.
begin not-bound "Look for it without the bind"
apptainer exec "$image" \
    cat /data/hello.txt
end failure || exit

#!/bin/bash -l
#SBATCH --job-name=bind-and-read-only
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=4
#SBATCH --mem=16G
#SBATCH --gpus-per-node=1        # 1 of the node's L40S 46 GB or H100
#SBATCH --time=00:20:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Folders in a container on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export ENROOT_CACHE_PATH="/tmp/${USER}_apptainer_cache"  # image layers: large, so on the node itself
export PYTHONUNBUFFERED=1                                # output appears at once
export COLUMNS=120                                       # wide tables are not wrapped
mkdir -p "$ENROOT_CACHE_PATH" results

image="$MYDATA/containers/nvcr.io/nvidia/nvidia+pytorch+24.03-py3.sqsh"

# The configuration of enroot start. Slurm's variables are passed on, as Apptainer does; those of the
# step are left to enroot's MPI hook, which also sets what belongs to them. The command runs directly,
# without the image's entry point.
cat >enroot.conf <<'END'
environ() { env | sed -n '/^SLURM_STEP/d; /^SLURMD*_/p'; }
rc() { exec "$@"; }
END

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    enroot import --output "$image.part" docker://nvcr.io#nvidia/pytorch:24.03-py3
end || exit

begin outside "Look around on the node"
sh who_and_where.sh
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    enroot start --conf enroot.conf --mount "$PWD":"$PWD" --env PYTHONUNBUFFERED \
    ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" env --chdir="$PWD"
end

# The run folder is visible inside, because the container starts in it. The home folder and /tmp depend on the
# runtime: Apptainer mounts both; enroot and pyxis have their own /tmp, and mount the home folder if the site says so.
# A hook of enroot adds the node's NVIDIA driver to images that set NVIDIA_VISIBLE_DEVICES, as NVIDIA's do; there is no --nv.
begin inside "Look around in the container"
srun --cpus-per-task=4 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" \
    env --chdir="$PWD" \
    sh who_and_where.sh
end || exit

begin write "Write a file in the container"
srun --cpus-per-task=4 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" \
    env --chdir="$PWD" \
    sh say_hello.sh container.txt
end || exit

begin read "Read it on the node"
cat container.txt
end || exit

# Prints the folder's mode. On the node this folder usually does not exist.
begin allowed "Is the folder writable for everyone?"
srun --cpus-per-task=4 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED "$image" env --chdir="$PWD" \
    ls -lhd /workspace
end || exit

# The image is read-only, whatever the mode of its folders. This step is expected to fail.
begin read-only "Write into the image"
srun --cpus-per-task=4 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED "$image" env --chdir="$PWD" \
    touch /workspace/test
end failure || exit

begin folder "Create a folder to bind"
mkdir -p data
end || exit

# The run's folder data is bound to /data inside.
begin bound "Write into the bound folder"
srun --cpus-per-task=4 enroot start --conf enroot.conf --mount "$PWD"/data:/data \
    --mount "$PWD":"$PWD" --env PYTHONUNBUFFERED "$image" env --chdir="$PWD" \
    sh say_hello.sh /data/hello.txt
end || exit

begin see "See it on the node"
ls -l data
end || exit

# Bound read-only, as is advisable for data sets. This step is expected to fail.
begin bound-read-only "Write to a read-only bind"
srun --cpus-per-task=4 enroot start --conf enroot.conf \
    --mount "$PWD"/data:/data:none:x-create=auto,rbind,ro --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED "$image" env --chdir="$PWD" \
    touch /data/no.txt
end failure || exit

# Not bound, so the file is not visible, although it exists on the node.
begin not-bound "Look for it without the bind"
srun --cpus-per-task=4 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED "$image" env --chdir="$PWD" \
    cat /data/hello.txt
end failure || exit

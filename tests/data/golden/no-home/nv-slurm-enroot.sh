#!/bin/bash -l
#SBATCH --job-name=no-home
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --gpus-per-node=1        # 1 of the node's L40S 46 GB or H100
#SBATCH --time=00:20:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # what is there already is kept

# Without a home folder on The tutorial's cluster. Runs in the folder that it lies in; by hand: sbatch job.sh

# slipway.sh brings begin, end, probe_check and pull_once, which note how it goes. In a shared folder others
# may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the one that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export ENROOT_CACHE_PATH="/tmp/${USER}_apptainer_cache"  # image layers: large, so on the node itself
export PYTHONUNBUFFERED=1                                # lines arrive as they are printed
export COLUMNS=120                                       # tables keep their shape
mkdir -p "$ENROOT_CACHE_PATH" results

image="$MYDATA/containers/nvcr.io/nvidia/nvidia+pytorch+24.03-py3.sqsh"

# What enroot start takes from here. Slurm's variables are handed on, as Apptainer does it; those of the
# step are left to enroot's hook for MPI, which knows what else they need. And the command runs as it
# is, past the image's entry point.
cat >enroot.conf <<'END'
environ() { env | sed -n '/^SLURM_STEP/d; /^SLURMD*_/p'; }
rc() { exec "$@"; }
END

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not meet. When it is there, this is instant.
begin image "Pull the image"
pull_once "$image" \
    enroot import --output "$image.part" docker://nvcr.io#nvidia/pytorch:24.03-py3
end || exit

begin script "Put the script into the run folder"
cp python_dev/bench.py moved_bench.py
end || exit

begin with-home "The home folder, as usual"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED "$image" env --chdir="$PWD" \
    sh home.sh look
end || exit

# Apptainer's -c: nothing of the node is shown inside but what -B names; home is a small folder in memory.
# pyxis says --no-container-mount-home, enroot ENROOT_MOUNT_HOME=no.
begin without-home "The home folder, contained"
srun --cpus-per-task=8 env ENROOT_MOUNT_HOME=no enroot start --conf enroot.conf \
    --mount "$PWD":"$PWD" --env PYTHONUNBUFFERED "$image" env --chdir="$PWD" \
    sh home.sh look
end || exit

# Nobody has installed it for this container: this is meant to fail.
begin not-found "Run without the package"
srun --cpus-per-task=8 env ENROOT_MOUNT_HOME=no enroot start --conf enroot.conf \
    --mount "$PWD":"$PWD" --env PYTHONUNBUFFERED "$image" env --chdir="$PWD" \
    python3 moved_bench.py --rows 100000 --width 10240
end failure || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    env ENROOT_MOUNT_HOME=no enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" \
    env --chdir="$PWD"
end

# A hook of enroot brings the node's NVIDIA driver into images that ask for it by NVIDIA_VISIBLE_DEVICES, as NVIDIA's do; there is no --nv.
begin install "Install there and run"
srun --cpus-per-task=8 env ENROOT_MOUNT_HOME=no enroot start --conf enroot.conf \
    --mount "$PWD":"$PWD" --env PYTHONUNBUFFERED \
    ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" env --chdir="$PWD" \
    sh home.sh install-and-run 100000 10240
end || exit

# -e: Python reads the folder itself, so that a change counts at once.
begin editable "Install it as a link, change it and run"
srun --cpus-per-task=8 env ENROOT_MOUNT_HOME=no enroot start --conf enroot.conf \
    --mount "$PWD":"$PWD" --env PYTHONUNBUFFERED \
    ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" env --chdir="$PWD" \
    sh home.sh change-and-run 100000 10240
end || exit

# The home of the last container is gone, and the package with it: this is meant to fail.
begin gone "Run again, in a new container"
srun --cpus-per-task=8 env ENROOT_MOUNT_HOME=no enroot start --conf enroot.conf \
    --mount "$PWD":"$PWD" --env PYTHONUNBUFFERED "$image" env --chdir="$PWD" \
    python3 moved_bench.py --rows 100000 --width 10240
end failure || exit

begin outside "Nothing is left on the node"
sh home.sh outside
end || exit

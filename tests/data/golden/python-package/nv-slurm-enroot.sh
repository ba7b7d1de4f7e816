#!/bin/bash -l
#SBATCH --job-name=python-package
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --gpus-per-node=1        # 1 of the node's L40S 46 GB or H100
#SBATCH --time=00:20:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Develop a Python package on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

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
export PYTHONUSERBASE="$PWD/userbase"                    # pip --user installs here, not into ~/.local
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

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    enroot start --conf enroot.conf --mount "$PWD":"$PWD" --env PYTHONUNBUFFERED \
    --env PYTHONUSERBASE ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" \
    env --chdir="$PWD"
end

# A hook of enroot adds the node's NVIDIA driver to images that set NVIDIA_VISIBLE_DEVICES, as NVIDIA's do; there is no --nv.
begin self-contained "Run a script of one file"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED --env PYTHONUSERBASE \
    ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" env --chdir="$PWD" \
    python3 python_dev/self_contained.py
end || exit

# Python searches the script's folder first, and pt_bench is in it.
begin beside "Run a script in its package's folder"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED --env PYTHONUSERBASE \
    ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" env --chdir="$PWD" \
    python3 python_dev/bench.py --rows 100000 --width 10240
end || exit

begin move "Copy the script elsewhere"
cp python_dev/bench.py moved_bench.py
end || exit

# The package is not in its folder any more. This step is expected to fail.
begin not-found "Run the copy"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED --env PYTHONUSERBASE "$image" env --chdir="$PWD" \
    python3 moved_bench.py --rows 100000 --width 10240
end failure || exit

# -c: no package of the image may be replaced. --user installs outside the image, which is read-only.
begin install "Install the package"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED --env PYTHONUSERBASE "$image" env --chdir="$PWD" \
    sh pip_user.sh install ./python_dev
end || exit

begin installed "Run the copy again"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED --env PYTHONUSERBASE \
    ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" env --chdir="$PWD" \
    python3 moved_bench.py --rows 100000 --width 10240
end || exit

# -e: Python reads the folder itself, so that changes take effect at once.
begin editable "Install it as editable"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED --env PYTHONUSERBASE "$image" env --chdir="$PWD" \
    sh pip_user.sh editable ./python_dev
end || exit

begin change "Change the package"
sh change_package.sh
end || exit

begin changed "Run with the change"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED --env PYTHONUSERBASE \
    ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" env --chdir="$PWD" \
    python3 moved_bench.py --rows 100000 --width 10240
end || exit

begin uninstall "Clean up"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED --env PYTHONUSERBASE "$image" env --chdir="$PWD" \
    sh pip_user.sh uninstall pt_bench
end || exit

#!/bin/bash -l
#SBATCH --job-name=python-package
#SBATCH --account=csc000
#SBATCH --partition=gpu-h100
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --gres=gpu:1             # 1 of the node's 4 H100 SXM 80 GB
#SBATCH --time=00:20:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Develop a Python package on Kestrel. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

module load apptainer

export APPTAINER_CACHEDIR="/scratch/$USER/.apptainer"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                              # output appears at once
export COLUMNS=120                                     # wide tables are not wrapped
export PYTHONUSERBASE="$PWD/userbase"                  # pip --user installs here, not into ~/.local
mkdir -p "$APPTAINER_CACHEDIR" results

image="/scratch/$USER/slipway/images/nvcr.io/nvidia/pytorch_24.03-py3.sif"

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
    apptainer exec --nv -B /nopt:/nopt "$image"
end

# --nv binds the node's NVIDIA driver into the container; without it no GPU is visible inside.
begin self-contained "Run a script of one file"
srun --cpus-per-task=8 apptainer exec --nv -B /nopt:/nopt "$image" \
    python3 python_dev/self_contained.py
end || exit

# Python searches the script's folder first, and pt_bench is in it.
begin beside "Run a script in its package's folder"
srun --cpus-per-task=8 apptainer exec --nv -B /nopt:/nopt "$image" \
    python3 python_dev/bench.py --rows 100000 --width 10240
end || exit

begin move "Copy the script elsewhere"
cp python_dev/bench.py moved_bench.py
end || exit

# The package is not in its folder any more. This step is expected to fail.
begin not-found "Run the copy"
srun --cpus-per-task=8 apptainer exec -B /nopt:/nopt "$image" \
    python3 moved_bench.py --rows 100000 --width 10240
end failure || exit

# -c: no package of the image may be replaced. --user installs outside the image, which is read-only.
begin install "Install the package"
srun --cpus-per-task=8 apptainer exec -B /nopt:/nopt "$image" \
    sh pip_user.sh install ./python_dev
end || exit

begin installed "Run the copy again"
srun --cpus-per-task=8 apptainer exec --nv -B /nopt:/nopt "$image" \
    python3 moved_bench.py --rows 100000 --width 10240
end || exit

# -e: Python reads the folder itself, so that changes take effect at once.
begin editable "Install it as editable"
srun --cpus-per-task=8 apptainer exec -B /nopt:/nopt "$image" \
    sh pip_user.sh editable ./python_dev
end || exit

begin change "Change the package"
sh change_package.sh
end || exit

begin changed "Run with the change"
srun --cpus-per-task=8 apptainer exec --nv -B /nopt:/nopt "$image" \
    python3 moved_bench.py --rows 100000 --width 10240
end || exit

begin uninstall "Clean up"
srun --cpus-per-task=8 apptainer exec -B /nopt:/nopt "$image" \
    sh pip_user.sh uninstall pt_bench
end || exit

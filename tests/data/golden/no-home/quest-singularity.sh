#!/bin/bash -l
#SBATCH --job-name=no-home
#SBATCH --account=csc000
#SBATCH --partition=gengpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --gres=gpu:1             # 1 of the node's A100
#SBATCH --time=00:20:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Without a home folder on Quest. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

module load singularity

export SINGULARITY_CACHEDIR="$HOME/slipway/cache"  # image layers: large, and in $HOME, which has a quota
export PYTHONUNBUFFERED=1                          # output appears at once
export COLUMNS=120                                 # wide tables are not wrapped
mkdir -p "$SINGULARITY_CACHEDIR" results

image="$HOME/slipway/images/nvcr.io/nvidia/pytorch_24.03-py3.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    singularity pull --force "$image.part" docker://nvcr.io/nvidia/pytorch:24.03-py3
end || exit

begin script "Copy the script to the run folder"
cp python_dev/bench.py moved_bench.py
end || exit

begin with-home "The home folder, as usual"
srun --cpus-per-task=8 singularity exec -B /projects:/projects "$image" \
    sh home.sh look
end || exit

# Apptainer's -c: only what -B names is visible from the node; the home folder is a small one in memory.
# The same with pyxis: --no-container-mount-home; with enroot: ENROOT_MOUNT_HOME=no.
begin without-home "The home folder, contained"
srun --cpus-per-task=8 singularity exec --contain -B /projects:/projects \
    -B "$PWD":"$PWD" --pwd "$PWD" "$image" \
    sh home.sh look
end || exit

# It is not installed for this container. This step is expected to fail.
begin not-found "Run without the package"
srun --cpus-per-task=8 singularity exec --contain -B /projects:/projects \
    -B "$PWD":"$PWD" --pwd "$PWD" "$image" \
    python3 moved_bench.py --rows 100000 --width 10240
end failure || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    singularity exec --nv --contain -B /projects:/projects -B "$PWD":"$PWD" "$image"
end

# --nv binds the node's NVIDIA driver into the container; without it no GPU is visible inside.
begin install "Install there and run"
srun --cpus-per-task=8 singularity exec --nv --contain -B /projects:/projects \
    -B "$PWD":"$PWD" --pwd "$PWD" "$image" \
    sh home.sh install-and-run 100000 10240
end || exit

# -e: Python reads the folder itself, so that a change takes effect at once.
begin editable "Install it as editable, change it and run"
srun --cpus-per-task=8 singularity exec --nv --contain -B /projects:/projects \
    -B "$PWD":"$PWD" --pwd "$PWD" "$image" \
    sh home.sh change-and-run 100000 10240
end || exit

# The home folder of the last container is gone, and so is the package. This step is expected to fail.
begin gone "Run again, in a new container"
srun --cpus-per-task=8 singularity exec --contain -B /projects:/projects \
    -B "$PWD":"$PWD" --pwd "$PWD" "$image" \
    python3 moved_bench.py --rows 100000 --width 10240
end failure || exit

begin outside "Nothing is left on the node"
sh home.sh outside
end || exit

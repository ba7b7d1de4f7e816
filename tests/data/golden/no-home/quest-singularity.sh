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
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # what is there already is kept

# Without a home folder on Quest. Runs in the folder that it lies in; by hand: sbatch job.sh

# slipway.sh brings begin, end, probe_check and pull_once, which note how it goes. In a shared folder others
# may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the one that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

module load singularity

export SINGULARITY_CACHEDIR="$HOME/slipway/cache"  # image layers: large, and in $HOME, so mind its quota
export PYTHONUNBUFFERED=1                          # lines arrive as they are printed
export COLUMNS=120                                 # tables keep their shape
mkdir -p "$SINGULARITY_CACHEDIR" results

image="$HOME/slipway/images/nvcr.io/nvidia/pytorch_24.03-py3.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not meet. When it is there, this is instant.
begin image "Pull the image"
pull_once "$image" \
    singularity pull --force "$image.part" docker://nvcr.io/nvidia/pytorch:24.03-py3
end || exit

begin script "Put the script into the run folder"
cp python_dev/bench.py moved_bench.py
end || exit

begin with-home "The home folder, as usual"
srun --cpus-per-task=8 singularity exec -B /projects:/projects "$image" \
    sh home.sh look
end || exit

# Apptainer's -c: nothing of the node is shown inside but what -B names; home is a small folder in memory.
# pyxis says --no-container-mount-home, enroot ENROOT_MOUNT_HOME=no.
begin without-home "The home folder, contained"
srun --cpus-per-task=8 singularity exec --contain -B /projects:/projects \
    -B "$PWD":"$PWD" --pwd "$PWD" "$image" \
    sh home.sh look
end || exit

# Nobody has installed it for this container: this is meant to fail.
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

# --nv binds the node's NVIDIA driver into the container; without it no GPU is found in there.
begin install "Install there and run"
srun --cpus-per-task=8 singularity exec --nv --contain -B /projects:/projects \
    -B "$PWD":"$PWD" --pwd "$PWD" "$image" \
    sh home.sh install-and-run 100000 10240
end || exit

# -e: Python reads the folder itself, so that a change counts at once.
begin editable "Install it as a link, change it and run"
srun --cpus-per-task=8 singularity exec --nv --contain -B /projects:/projects \
    -B "$PWD":"$PWD" --pwd "$PWD" "$image" \
    sh home.sh change-and-run 100000 10240
end || exit

# The home of the last container is gone, and the package with it: this is meant to fail.
begin gone "Run again, in a new container"
srun --cpus-per-task=8 singularity exec --contain -B /projects:/projects \
    -B "$PWD":"$PWD" --pwd "$PWD" "$image" \
    python3 moved_bench.py --rows 100000 --width 10240
end failure || exit

begin outside "Nothing is left on the node"
sh home.sh outside
end || exit

#!/bin/bash -l
#SBATCH --job-name=pip-constraints
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=32G
#SBATCH --gpus-per-node=1        # 1 of the node's L40S 46 GB or H100
#SBATCH --time=01:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # what is there already is kept

# pip with constraints on The tutorial's cluster. Runs in the folder that it lies in; by hand: sbatch job.sh

# slipway.sh brings begin, end, probe_check and pull_once, which note how it goes. In a shared folder others
# may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the one that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

# Overlays lie on the node itself, as none can lie on NFS, Lustre, GPFS or FUSE. The steps share this
# folder, and it goes when the job ends.
overlays=${TMPDIR:-/tmp}/slipway-$SLURM_JOB_ID
node_folder "$overlays" || exit

export APPTAINER_CACHEDIR="/tmp/${USER}_apptainer_cache"  # image layers: large, so on the node itself
export PYTHONUNBUFFERED=1                                 # lines arrive as they are printed
export COLUMNS=120                                        # tables keep their shape
mkdir -p "$APPTAINER_CACHEDIR" results

image="$MYDATA/containers/nvcr.io/nvidia/pytorch_24.03-py3.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not meet. When it is there, this is instant.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force "$image.part" docker://nvcr.io/nvidia/pytorch:24.03-py3
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec "$image"
end

begin before "Note what the image has"
mkdir -p "$overlays"/overlay &&
srun --cpus-per-task=8 apptainer exec --fakeroot --overlay "$overlays"/overlay "$image" \
    python3 what_changed.py before
end || exit

# By hand, nearly the same: pip list --format=freeze > base_constraints.txt
# In the run folder: under --fakeroot /root is your home folder on the cluster, not the image's.
begin lock "Lock every version"
mkdir -p "$overlays"/overlay &&
srun --cpus-per-task=8 apptainer exec --fakeroot --overlay "$overlays"/overlay "$image" \
    python3 constraints.py base_constraints.txt
end || exit

# -c base_constraints.txt: pip may add, and may replace nothing. It is meant to refuse.
begin install "Install with constraints"
mkdir -p "$overlays"/overlay &&
srun --cpus-per-task=8 apptainer exec --fakeroot --overlay "$overlays"/overlay "$image" \
    sh pip_install.sh '' 'torch torchvision torchaudio' base_constraints.txt
end failure || exit

begin after "Nothing was replaced"
mkdir -p "$overlays"/overlay &&
srun --cpus-per-task=8 apptainer exec --fakeroot --overlay "$overlays"/overlay "$image" \
    python3 what_changed.py after --must-not-replace
end || exit

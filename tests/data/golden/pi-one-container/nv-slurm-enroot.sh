#!/bin/bash -l
#SBATCH --job-name=pi-one-container
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=8G
#SBATCH --time=00:10:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Pi in one container on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

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

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    enroot import --output "$image.part" docker://nvcr.io#nvidia/pytorch:24.03-py3
end || exit

# One container; mpirun inside starts the ranks.
begin pi-1 "Ranks: 1"
srun --cpus-per-task=2 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED "$image" sh /etc/rc env --chdir="$PWD" \
    sh mpirun_here.sh -n 1 python3 pi_mpi.py 10000000
end || failed=$?

begin pi-2 "Ranks: 2"
srun --cpus-per-task=2 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED "$image" sh /etc/rc env --chdir="$PWD" \
    sh mpirun_here.sh -n 2 python3 pi_mpi.py 10000000
end || failed=$?

exit "${failed:-0}"

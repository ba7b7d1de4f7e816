#!/bin/bash -l
#SBATCH --job-name=pmi-mismatch
#SBATCH --partition=cpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=00:10:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# MPI that does not connect on Demo cluster. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export APPTAINER_CACHEDIR="$SCRATCH/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                           # output appears at once
export COLUMNS=120                                  # wide tables are not wrapped
mkdir -p "$APPTAINER_CACHEDIR" results

image="$SCRATCH/slipway/images/login_5000/demo/mpi_5.sif"

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force --no-https "$image.part" docker://login:5000/demo/mpi:5
end || exit

# The image's Open MPI supports PMIx. Started with PMI2, its ranks do not find each other.
begin wrong "With PMI2"
srun --mpi=pmi2 apptainer exec "$image" \
    python3 pi_mpi.py 200000
end either

begin right "With the site's protocol"
srun --mpi=pmix apptainer exec "$image" \
    python3 pi_mpi.py 200000
end || exit

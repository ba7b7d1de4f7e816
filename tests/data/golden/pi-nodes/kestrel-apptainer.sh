#!/bin/bash -l
#SBATCH --job-name=calculate-pi-mpi
#SBATCH --account=csc000
#SBATCH --partition=shared
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --cpus-per-task=1
#SBATCH --mem=8G
#SBATCH --time=00:10:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # what is there already is kept

# Pi on several nodes on Kestrel. Runs in the folder that it lies in; by hand: sbatch job.sh

# slipway.sh brings begin, end, probe_check and pull_once, which note how it goes. In a shared folder others
# may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the one that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

module load apptainer

export APPTAINER_CACHEDIR="/scratch/$USER/.apptainer"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                              # lines arrive as they are printed
export COLUMNS=120                                     # tables keep their shape
mkdir -p "$APPTAINER_CACHEDIR" results

image="/scratch/$USER/slipway/images/nvcr.io/nvidia/pytorch_24.03-py3.sif"

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not meet. When it is there, this is instant.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force "$image.part" docker://nvcr.io/nvidia/pytorch:24.03-py3
end || exit

# The launcher stands outside and starts one container a rank, on all nodes.
begin pi "Throw darts on every node"
srun --mpi=pmix apptainer run -B /nopt:/nopt "$image" \
    python3 pi_mpi.py 10000000
end || exit

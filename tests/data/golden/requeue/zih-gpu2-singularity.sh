#!/bin/bash -l
#SBATCH --job-name=requeue
#SBATCH --partition=gpu2
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=00:15:00
#SBATCH --requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Requeued job on Taurus, gpu2. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export SINGULARITY_CACHEDIR="/scratch/ws/0/$USER-slipway/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                                                # output appears at once
export COLUMNS=120                                                       # wide tables are not wrapped
mkdir -p "$SINGULARITY_CACHEDIR" results

image="/scratch/ws/0/$USER-slipway/slipway/images/docker.io/python_3.13-slim.sif"

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    singularity pull --force "$image.part" docker://python:3.13-slim
end || exit

begin away "Schedule the requeue"
bash take_node_away.sh 20
end || exit

# When Slurm starts it again, it finds results/checkpoint.json and continues from there.
begin work "Work and save each step"
srun singularity exec "$image" \
    python3 count_on.py --steps 60
end || exit

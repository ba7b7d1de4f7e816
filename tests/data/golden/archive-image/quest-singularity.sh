#!/bin/bash -l
#SBATCH --job-name=archive-image
#SBATCH --account=csc000
#SBATCH --partition=short
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=01:00:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# An image from an archive on Quest. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

module load singularity

export PYTHONUNBUFFERED=1  # output appears at once
export COLUMNS=120         # wide tables are not wrapped
mkdir -p results

# By hand: apptainer build NAME.sif docker-archive:ARCHIVE
begin build "Build the image"
bash archive_image.sh "$SCRATCH/slipway/images/archives/bert-1.0.tar" bert-1.0 keep
end || exit

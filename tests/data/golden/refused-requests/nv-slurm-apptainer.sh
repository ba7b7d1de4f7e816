#!/bin/bash -l
#SBATCH --job-name=refused-requests
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=00:05:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# What Slurm refuses on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export PYTHONUNBUFFERED=1  # output appears at once
export COLUMNS=120         # wide tables are not wrapped
mkdir -p results

begin partition "A partition that does not exist"
bash ask_slurm.sh -p no-such-partition -t 5
end failure || exit

begin account "An account that is not yours"
bash ask_slurm.sh -A nobody-knows-it -t 5
end either

begin time "A time beyond the limit"
bash ask_slurm.sh -t 300-00:00:00
end failure || exit

begin nodes "More nodes than the cluster has"
bash ask_slurm.sh -N 99999 -t 5
end failure || exit

begin gpu "A GPU type that does not exist"
bash ask_slurm.sh --gres=gpu:nosuchgpu:1 -t 5
end failure || exit

begin shebang "A file without #!"
bash ask_with_file.sh no-shebang
end failure || exit

begin dos "A file with Windows line endings"
bash ask_with_file.sh dos
end failure || exit

#!/bin/bash -l
#SBATCH --job-name=gpu-cpu-race
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=32G
#SBATCH --gpus-per-node=1        # 1 of the node's L40S 46 GB or H100
#SBATCH --time=00:30:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# GPU against CPU: the race on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

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

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# slipway-probe is in the run folder. It writes one row per size to results/race.ndjson and a readable line to the
# log. A lane that cannot run is left out and says why.
# A lane that fails does not stop the others; the job then ends with its exit code.
begin race-gpu "GPU"
srun --cpus-per-task=16 ./slipway-probe race --work gemm-fp32 --lane gpu \
    --lane-label GPU --sizes '' --repeats 7 --warmup 2 --rows results/race.ndjson
end || failed=$?

begin race-cpu "CPU, all threads"
srun --cpus-per-task=16 ./slipway-probe race --work gemm-fp32 --lane cpu \
    --lane-label 'CPU, all threads' --sizes '' --repeats 7 --warmup 2 \
    --rows results/race.ndjson
end || failed=$?

begin race-cpu-1 "CPU, 1 thread"
srun --cpus-per-task=16 ./slipway-probe race --work gemm-fp32 --lane cpu-1 \
    --lane-label 'CPU, 1 thread' --sizes '' --repeats 7 --warmup 2 \
    --rows results/race.ndjson
end || failed=$?

exit "${failed:-0}"

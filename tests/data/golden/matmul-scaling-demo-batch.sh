#!/bin/bash -l
#SBATCH --job-name=matmul-scaling
#SBATCH --partition=cpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=00:15:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # what is there already is kept

# Matmul scaling on Demo cluster. Runs in the folder that it lies in; by hand: sbatch job.sh

# slipway.sh brings begin, end, probe_check and pull_once, which note how it goes. In a shared folder others
# may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the one that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export APPTAINER_CACHEDIR="$SCRATCH/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                           # lines arrive as they are printed
export COLUMNS=120                                  # tables keep their shape
mkdir -p "$APPTAINER_CACHEDIR" results

image="$SCRATCH/slipway/images/login_5000/demo/pytorch_2.6.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not meet. When it is there, this is instant.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force --no-https "$image.part" docker://login:5000/demo/pytorch:2.6
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec "$image"
end

# The same program in the same container, once a lane, one after the other.
# A lane that fails does not stop the others; the job then ends with its exit code.
begin run-cpu "CPU, all threads"
srun --cpus-per-task=2 apptainer exec "$image" \
    python3 matmul_scaling.py --device cpu --threads 2 --sizes 512,1024,2048 --repeats 5 \
    --warmup 2 --dtype float32 --lane 'CPU, all threads'
end || failed=$?

begin run-cpu-1 "CPU, 1 thread"
srun --cpus-per-task=2 apptainer exec "$image" \
    python3 matmul_scaling.py --device cpu --threads 1 --sizes 512,1024,2048 --repeats 5 \
    --warmup 2 --dtype float32 --lane 'CPU, 1 thread'
end || failed=$?

exit "${failed:-0}"

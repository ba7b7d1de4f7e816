#!/bin/bash -l
#SBATCH --job-name=nbody-run
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --gpus-per-node=1        # 1 of the node's L40S 46 GB or H100
#SBATCH --time=00:20:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # what is there already is kept

# N-body benchmark on The tutorial's cluster. Runs in the folder that it lies in; by hand: sbatch job.sh

# slipway.sh brings begin, end, probe_check and pull_once, which note how it goes. In a shared folder others
# may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the one that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export ENROOT_CACHE_PATH="/tmp/${USER}_apptainer_cache"  # image layers: large, so on the node itself
export PYTHONUNBUFFERED=1                                # lines arrive as they are printed
export COLUMNS=120                                       # tables keep their shape
mkdir -p "$ENROOT_CACHE_PATH" results

image="$MYDATA/containers/built/nbody-efficient.sif"

# What enroot start takes from here. Slurm's variables are handed on, as Apptainer does it; those of the
# step are left to enroot's hook for MPI, which knows what else they need. And the command runs as it
# is, past the image's entry point.
cat >enroot.conf <<'END'
environ() { env | sed -n '/^SLURM_STEP/d; /^SLURMD*_/p'; }
rc() { exec "$@"; }
END

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is a file on this cluster.
begin image "Look at the image"
ls -lh "$image"
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    enroot start --conf enroot.conf --mount "$PWD":"$PWD" --env PYTHONUNBUFFERED \
    ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" env --chdir="$PWD"
end

# nvidia-smi in the container, then the path of nbody: both are looked for before the long run.
# A hook of enroot brings the node's NVIDIA driver into images that ask for it by NVIDIA_VISIBLE_DEVICES, as NVIDIA's do; there is no --nv.
begin find "Are the program and the GPU there?"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" \
    env --chdir="$PWD" \
    sh nbody.sh find cuda
end || exit

# One process drives all GPUs of the job: -numdevices says how many.
begin run "Run the benchmark"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" \
    env --chdir="$PWD" \
    sh nbody.sh run cuda 2000000 10 single 1
end || exit

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
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# N-body benchmark on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

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

image="$MYDATA/containers/built/nbody-efficient.sif"

# The configuration of enroot start. Slurm's variables are passed on, as Apptainer does; those of the
# step are left to enroot's MPI hook, which also sets what belongs to them. The command runs directly,
# without the image's entry point.
cat >enroot.conf <<'END'
environ() { env | sed -n '/^SLURM_STEP/d; /^SLURMD*_/p'; }
rc() { exec "$@"; }
END

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is a file on this cluster.
begin image "Check the image"
ls -lh "$image" &&
    image_digest "$image"
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    enroot start --conf enroot.conf --mount "$PWD":"$PWD" --env PYTHONUNBUFFERED \
    ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" env --chdir="$PWD"
end

# Runs nvidia-smi in the container, then looks for nbody, before the long run.
# A hook of enroot adds the node's NVIDIA driver to images that set NVIDIA_VISIBLE_DEVICES, as NVIDIA's do; there is no --nv.
begin find "Check the program and the GPU"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" \
    env --chdir="$PWD" \
    sh nbody.sh find cuda
end || exit

# One process uses all GPUs of the job; -numdevices sets their number.
begin run "Run the benchmark"
srun --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" \
    env --chdir="$PWD" \
    sh nbody.sh run cuda 2000000 10 single 1
end || exit

#!/bin/bash -l
#SBATCH --job-name=ptl_ddp_example
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --gpus-per-node=2        # 2 of the node's L40S 46 GB or H100
#SBATCH --time=00:30:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # what is there already is kept

# Lightning on two nodes on The tutorial's cluster. Runs in the folder that it lies in; by hand: sbatch job.sh

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
export MASTER_ADDR="$SLURMD_NODENAME"                    # where this script runs: the first node of the job
export MASTER_PORT="$((10000 + SLURM_JOB_ID % 10000))"   # from the job's number: two jobs do not meet
export OMP_NUM_THREADS="${SLURM_CPUS_PER_TASK:-1}"       # threads of a task: its own CPUs, no more
mkdir -p "$ENROOT_CACHE_PATH" results

image="$MYDATA/containers/built/lightning.sif"

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
    --env MASTER_ADDR --env MASTER_PORT --env OMP_NUM_THREADS \
    ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" env --chdir="$PWD"
end

# One task a GPU, started by Slurm. NODE_RANK is set inside the task: out here it would be 0 for all.
# A hook of enroot brings the node's NVIDIA driver into images that ask for it by NVIDIA_VISIBLE_DEVICES, as NVIDIA's do; there is no --nv.
begin train "Train on all nodes"
srun --mpi=pmi2 --cpus-per-task=8 enroot start --conf enroot.conf --mount "$PWD":"$PWD" \
    --env PYTHONUNBUFFERED --env MASTER_ADDR --env MASTER_PORT --env OMP_NUM_THREADS \
    ${CUDA_VISIBLE_DEVICES+--env CUDA_VISIBLE_DEVICES} "$image" env --chdir="$PWD" \
    sh one_task.sh lightning 2 2 3 131072 512 4096
end || exit

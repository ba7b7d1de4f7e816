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
#SBATCH --comment=slipway:{tag}  # identifies the job to Slipway
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # append, do not overwrite

# Lightning on two nodes on The tutorial's cluster. Runs in its own folder; by hand: sbatch job.sh

# slipway.sh defines begin, end, probe_check and pull_once, which record the progress. In a shared folder
# others may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the file that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

export APPTAINER_CACHEDIR="/tmp/${USER}_apptainer_cache"  # image layers: large, so on the node itself
export PYTHONUNBUFFERED=1                                 # output appears at once
export COLUMNS=120                                        # wide tables are not wrapped
export MASTER_ADDR="$SLURMD_NODENAME"                     # where this script runs: the first node of the job
export MASTER_PORT="$((10000 + SLURM_JOB_ID % 10000))"    # from the job id, so that two jobs do not use the same port
export OMP_NUM_THREADS="${SLURM_CPUS_PER_TASK:-1}"        # threads per task: as many as its CPUs
mkdir -p "$APPTAINER_CACHEDIR" results

image="$MYDATA/containers/built/lightning.sif"

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
    apptainer exec --nv "$image"
end

# One task per GPU, started by Slurm. NODE_RANK is set inside the task; set here, it would be 0 for all tasks.
# --nv binds the node's NVIDIA driver into the container; without it no GPU is visible inside.
begin train "Train on all nodes"
srun --mpi=pmi2 --cpus-per-task=8 apptainer exec --nv "$image" \
    sh one_task.sh lightning 2 2 3 131072 512 4096
end || exit

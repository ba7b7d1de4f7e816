#!/bin/bash -l
#SBATCH --job-name=bind-and-read-only
#SBATCH --account=csc000
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=4
#SBATCH --mem=16G
#SBATCH --gres=gpu:1             # 1 of the node's 4 A100 40 GB
#SBATCH --time=00:20:00
#SBATCH --no-requeue
#SBATCH --comment=slipway:{tag}  # how Slipway knows its job
#SBATCH --output=slurm-%j.out    # what the job prints; %j is its number
#SBATCH --open-mode=append       # what is there already is kept

# Folders in a container on Swift. Runs in the folder that it lies in; by hand: sbatch job.sh

# slipway.sh brings begin, end, probe_check and pull_once, which note how it goes. In a shared folder others
# may have changed it, so it is read only if it is what Slipway sent.
if ! echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet; then
    echo "slipway.sh is not the one that was sent. Nothing was started; launch the run again." >&2
    [ ! -O . ] || echo '{"stage":"node","state":"failed","step":"files","code":77}' >>events.ndjson
    exit 77
fi
. ./slipway.sh || exit

module load apptainer

export APPTAINER_CACHEDIR="/scratch/$USER/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                                 # lines arrive as they are printed
export COLUMNS=120                                        # tables keep their shape
mkdir -p "$APPTAINER_CACHEDIR" results

image="/scratch/$USER/slipway/images/nvcr.io/nvidia/pytorch_24.03-py3.sif"

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not meet. When it is there, this is instant.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force "$image.part" docker://nvcr.io/nvidia/pytorch:24.03-py3
end || exit

begin outside "Look around on the node"
sh who_and_where.sh
end || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec --nv "$image"
end

# The run folder is shown inside, because the container starts in it. The home folder and /tmp depend on the
# runtime: Apptainer shows both; enroot and pyxis have a /tmp of their own, and the home where the site says so.
# --nv binds the node's NVIDIA driver into the container; without it no GPU is found in there.
begin inside "Look around in the container"
srun --cpus-per-task=4 apptainer exec --nv "$image" \
    sh who_and_where.sh
end || exit

begin write "Write a file in the container"
srun --cpus-per-task=4 apptainer exec --nv "$image" \
    sh say_hello.sh container.txt
end || exit

begin read "Read it on the node"
cat container.txt
end || exit

# What the folder's mode allows. On the node it does not exist, unless by chance.
begin allowed "May everybody write there?"
srun --cpus-per-task=4 apptainer exec "$image" \
    ls -lhd /workspace
end || exit

# The image is read-only, whatever the mode of a folder in it: this is meant to fail.
begin read-only "Write into the image"
srun --cpus-per-task=4 apptainer exec "$image" \
    touch /workspace/test
end failure || exit

begin folder "Make a folder to bind"
mkdir -p data
end || exit

# Bound: the folder data of the run is /data inside.
begin bound "Write into the bound folder"
srun --cpus-per-task=4 apptainer exec -B "$PWD"/data:/data "$image" \
    sh say_hello.sh /data/hello.txt
end || exit

begin see "See it on the node"
ls -l data
end || exit

# Bound read-only, as is wise for data sets: this is meant to fail.
begin bound-read-only "Write where reading alone is allowed"
srun --cpus-per-task=4 apptainer exec -B "$PWD"/data:/data:ro "$image" \
    touch /data/no.txt
end failure || exit

# Not bound, so it is not there, although the file exists on the node.
begin not-bound "Look for it without the bind"
srun --cpus-per-task=4 apptainer exec "$image" \
    cat /data/hello.txt
end failure || exit

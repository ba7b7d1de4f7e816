#!/bin/bash -l
# Step 2 of 3. By hand, inside the allocation: bash -l steps/02-run-cpu.sh
shopt -q login_shell || exec bash -l "$0"  # only a login shell knows modules and $SCRATCH
cd "$(dirname "$0")/.." || exit
echo "{sha256 of env.sh}  env.sh" | sha256sum --check --quiet || exit 77  # only as it was sent
. ./env.sh || exit

# The same program in the same container, once a lane, one after the other.
begin run-cpu "CPU, all threads"
srun --cpus-per-task=2 apptainer exec "$image" \
    python3 matmul_scaling.py --device cpu --threads 2 --sizes 512,1024,2048 --repeats 5 \
    --warmup 2 --dtype float32 --lane 'CPU, all threads'
end

#!/bin/bash -l
# Step 4 of 5. By hand, inside the allocation: bash -l steps/04-run-cpu.sh
shopt -q login_shell || exec bash -l "$0"  # only a login shell knows modules and $SCRATCH
cd "$(dirname "$0")/.." || exit
echo "{sha256 of env.sh}  env.sh" | sha256sum --check --quiet || exit 77  # only if it is unchanged
. ./env.sh || exit

# The same program in the same container, once per lane, one after the other.
begin run-cpu "CPU, all threads"
srun --cpus-per-task=2 apptainer exec "$image" \
    python3 matmul_scaling.py --device cpu --threads 2 --sizes 512,1024,2048 --repeats 5 \
    --warmup 2 --dtype float32 --lane 'CPU, all threads'
end

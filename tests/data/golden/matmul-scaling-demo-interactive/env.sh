# shellcheck shell=bash
# Shared by all steps of this run.
SLIPWAY_STEP=1
echo "{sha256 of slipway.sh}  slipway.sh" | sha256sum --check --quiet || exit 77  # only if it is unchanged
. ./slipway.sh || exit

# Before Slurm 22.05 an srun in here would wait for this step to end, unless it shares its CPUs.
export SLURM_OVERLAP=1

export APPTAINER_CACHEDIR="$SCRATCH/slipway/cache"  # image layers: large, so not in $HOME
export PYTHONUNBUFFERED=1                           # output appears at once
export COLUMNS=120                                  # wide tables are not wrapped
mkdir -p "$APPTAINER_CACHEDIR" results

image="$SCRATCH/slipway/images/login_5000/demo/pytorch_2.6.sif"

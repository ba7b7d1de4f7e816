#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# mpirun_here.sh ARGUMENTS OF MPIRUN: starts the ranks inside this one container, on this one node.
#
# Inside a Slurm job mpirun would start its ranks through Slurm, but there is no srun in a container. So Slurm's
# variables are removed from the environment; then mpirun starts plain processes, as on a laptop.

if ! command -v mpirun >/dev/null 2>&1; then
    echo "Error: this image has no mpirun." >&2
    exit 1
fi
for name in $(env | sed -n 's/^\(SLURM[A-Z]*_[A-Za-z0-9_]*\|PMIX*_[A-Za-z0-9_]*\|PMI[0-9]*_[A-Za-z0-9_]*\)=.*/\1/p'); do
    unset "$name"
done
export HYDRA_BOOTSTRAP=fork I_MPI_HYDRA_BOOTSTRAP=fork                  # MPICH, Intel MPI
export OMPI_MCA_rmaps_base_oversubscribe=1                              # Open MPI 4: more ranks than cores
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe             # Open MPI 5
exec mpirun "$@"

#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# ask_slurm.sh OPTIONS OF SBATCH…: asks Slurm whether it would accept such a job, and submits nothing.
# Exit code: that of sbatch, so 0 means that Slurm would accept it.

if ! command -v sbatch >/dev/null 2>&1; then
    echo "Error: there is no sbatch on this node; run this on a login node." >&2
    exit 1
fi
printf '$ sbatch --test-only'
printf ' %s' "$@"
printf ' job.sh\n'
# sbatch inside a job takes the outer job's options from the environment, so they are removed.
for name in $(compgen -e | grep -E '^(SLURM|SBATCH)_'); do
    case $name in SLURM_CONF | SLURM_CONF_SERVER) ;; *) unset "$name" ;; esac
done
printf '#!/bin/bash\ntrue\n' | sbatch --test-only "$@" 2>&1

#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs a command in code/, the copy of your folder, with the packages that were installed for it:
#   in_code.sh COMMAND...
cd "$(dirname "$0")/code" || exit
# What is written into results/ is fetched at the end. Every task of the run comes here at once, so -n: not into the link
# of another one. A link that leads nowhere is replaced.
if [ ! -e results ] && ! ln -sn ../results results 2>/dev/null && [ ! -e results ]; then
    link=.results.${SLURM_PROCID:-0}
    rm -f "$link" && ln -s ../results "$link" && mv -fT "$link" results
fi
if [ -s ../packages.path ]; then
    read -r packages <../packages.path
    for folder in "$packages"/lib*/python3*/site-packages "$packages"/local/lib*/python3*/dist-packages; do
        [ ! -d "$folder" ] || PYTHONPATH=$folder${PYTHONPATH:+:$PYTHONPATH}
    done
    PATH=$packages/bin:$packages/local/bin:$PATH
    # Packages in the home folder would come before those of the image.
    PYTHONNOUSERSITE=1
    export PATH PYTHONPATH PYTHONNOUSERSITE
fi
exec "$@"

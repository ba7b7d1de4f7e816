#!/bin/bash -l
# Step 2 of 5. By hand, inside the allocation: bash -l steps/02-image.sh
shopt -q login_shell || exec bash -l "$0"  # only a login shell knows modules and $SCRATCH
cd "$(dirname "$0")/.." || exit
echo "{sha256 of env.sh}  env.sh" | sha256sum --check --quiet || exit 77  # only if it is unchanged
. ./env.sh || exit

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not interfere. If it is there already, nothing is done.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force --no-https "$image.part" docker://login:5000/demo/pytorch:2.6
end

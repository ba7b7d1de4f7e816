#!/bin/bash -l
# Step 1 of 3. By hand, inside the allocation: bash -l steps/01-image.sh
shopt -q login_shell || exec bash -l "$0"  # only a login shell knows modules and $SCRATCH
cd "$(dirname "$0")/.." || exit
echo "{sha256 of env.sh}  env.sh" | sha256sum --check --quiet || exit 77  # only as it was sent
. ./env.sh || exit

# The image is pulled once and kept for every later run: into a .part file under a
# lock, then renamed, so that two jobs do not meet. When it is there, this is instant.
begin image "Pull the image"
pull_once "$image" \
    apptainer pull --force --no-https "$image.part" docker://login:5000/demo/pytorch:2.6
end

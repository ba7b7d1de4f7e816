#!/bin/bash -l
# Step 3 of 5. By hand, inside the allocation: bash -l steps/03-check-container.sh
shopt -q login_shell || exec bash -l "$0"  # only a login shell knows modules and $SCRATCH
cd "$(dirname "$0")/.." || exit
echo "{sha256 of env.sh}  env.sh" | sha256sum --check --quiet || exit 77  # only if it is unchanged
. ./env.sh || exit

# The same in the container: what the node has and the container lacks was not bound into it.
begin check-container "Check the container"
probe_check container \
    apptainer exec "$image"
end

#!/bin/bash -l
# Step 1 of 5. By hand, inside the allocation: bash -l steps/01-check.sh
shopt -q login_shell || exec bash -l "$0"  # only a login shell knows modules and $SCRATCH
cd "$(dirname "$0")/.." || exit
echo "{sha256 of env.sh}  env.sh" | sha256sum --check --quiet || exit 77  # only if it is unchanged
. ./env.sh || exit

# What slipway-probe finds on this node: its rows go to probe.ndjson. It only reports.
begin check "Check the node"
probe_check host
end

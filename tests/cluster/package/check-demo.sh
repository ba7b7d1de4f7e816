#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# check-demo.sh BUILD RELEASE: a demo cluster and a run on it, from the package that check-trees.sh has installed into a
# fresh system of that release (bookworm, trixie), with nothing but what the package depends on and recommends. Its /usr
# is read-only.
set -uo pipefail
build=$1 release=$2
# shellcheck source=trees.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/trees.sh"
if [ ! -x "$trees/$release/usr/bin/slipway-cli" ]; then
    echo "FAIL  cannot run: check-trees.sh has made no tree of $release in $trees" >&2
    exit 1
fi

# Everything at once: the processes of the cluster end with the command.
demo_cluster_runs() {
    inside "$release" env SLIPWAY_DEMO_IMAGES=python SLIPWAY_KEEP_CONNECTION=0 bash -euc '
        slipway-cli demo up
        slipway-cli run run-a-command --site demo --set check=report --set "command=python3 -c \"print(6 * 7)\"" | tee /tmp/log
        grep -qx 42 /tmp/log
        # What the probe said of the node: it was found in /usr/lib/slipway and copied to the cluster.
        run=$(slipway-cli runs --json | jq -rn "input.run")
        slipway-cli node "$run" >/tmp/node || cat /tmp/node
        grep -q "^ok .* CPUs " /tmp/node
        slipway-cli demo down'
}
check "$release: the demo cluster starts and runs a job" demo_cluster_runs
if [ $failures -eq 0 ]; then
    rm -rf -- "${trees:?}/$release" "$trees/slipway.deb"
    rmdir --ignore-fail-on-non-empty -- "$trees" # another release's tree may be there
fi
conclude

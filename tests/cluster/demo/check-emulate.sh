#!/usr/bin/env bash
# The demo cluster emulating sites, as root. The instance is its own and is deleted at the end, unless SLIPWAY_DEMO_DIR
# names one. check-user.sh does the same as an ordinary user.
set -uo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
. "$here/checks.sh"
. "$here/emulate-checks.sh"
need_programs mmdebstrap socat unshare nsenter setpriv flock ip ssh ssh-keygen jq perl
if [ "$(id -u)" -ne 0 ]; then
    echo "FAIL  cannot run: this check is root's (check-user.sh emulate is an ordinary user's)" >&2
    exit 1
fi
if [ -z "${SLIPWAY_DEMO_DIR:-}" ]; then
    SLIPWAY_DEMO_DIR=$(mktemp -d "${TMPDIR:-/var/tmp}/demo-check.XXXXXX")/state
    trap '"$demo_cluster" reset >/dev/null 2>&1; rmdir -- "$(dirname -- "$SLIPWAY_DEMO_DIR")"' EXIT
fi
export SLIPWAY_DEMO_DIR
emulate_claims
conclude

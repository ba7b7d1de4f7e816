#!/usr/bin/env bash
# The demo cluster as an ordinary user, and its emulation of sites. Started by root it creates a user with a range of
# sub-ids, runs as that user, and removes the user and all its files. Packages come from SLIPWAY_DEMO_CACHE if it is set, so
# that they are not downloaded again.
set -uo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
. "$here/checks.sh"
. "$here/emulate-checks.sh"
need_programs mmdebstrap socat unshare nsenter setpriv flock ip ssh ssh-keygen newuidmap newgidmap jq perl

if [ "$(id -u)" -ne 0 ]; then
    SLIPWAY_DEMO_DIR=$(mktemp -d "${TMPDIR:-/var/tmp}/demo-check.XXXXXX")/state
    export SLIPWAY_DEMO_DIR
    trap '"$demo_cluster" reset >/dev/null 2>&1; rmdir -- "$(dirname -- "$SLIPWAY_DEMO_DIR")"' EXIT
    all_claims
    emulate_claims
    reset_claim
    conclude
    exit
fi

need_programs useradd userdel setpriv
user=slipdemo$((RANDOM % 9000 + 1000))
home=$(mktemp -d "/var/tmp/demo-home.XXXXXX")
remove_user() {
    trap '' INT TERM
    [ ! -d "$home/state" ] || setpriv --reuid "$user" --regid "$user" --init-groups env HOME="$home" SLIPWAY_DEMO_DIR="$home/state" "$demo_cluster" reset >/dev/null 2>&1
    # The user is new, so every process under its id belongs to this check.
    userdel "$user" >/dev/null 2>&1
    rm -rf -- "$home"
}
trap remove_user EXIT
trap 'exit 130' INT TERM
# useradd assigns the ranges of sub-ids; the folder is created here because /home may not be writable.
useradd --home-dir "$home" --no-create-home --shell /bin/bash "$user" || { echo "FAIL  cannot run: useradd refused to make a user" >&2; exit 1; }
if ! grep -q "^$user:" /etc/subuid; then
    usermod --add-subuids 1000000-1065535 --add-subgids 1000000-1065535 "$user" || { echo "FAIL  cannot run: no range of sub-ids for $user" >&2; exit 1; }
fi
# The program and these checks may be in a place that only root can read, so the user gets copies.
mkdir -p "$home/tree/resources" "$home/tree/tests/cluster"
cp -r -- "$(dirname -- "$demo_cluster")" "$(dirname -- "$demo_cluster")/../sites" "$home/tree/resources/"
cp -r -- "$here" "$home/tree/tests/cluster/"
if [ -n "${SLIPWAY_DEMO_CACHE:-}" ] && [ -d "$SLIPWAY_DEMO_CACHE" ]; then
    # Packages are only read there, so they need not be the user's own: on one disk they are not copied.
    cp -al -- "$SLIPWAY_DEMO_CACHE" "$home/cache" 2>/dev/null || { rm -rf -- "$home/cache" && cp -r -- "$SLIPWAY_DEMO_CACHE" "$home/cache"; }
else
    mkdir "$home/cache"
fi
chown "$user:" "$home"
chown -R "$user:" "$home/tree"
find "$home/cache" -type d -exec chown "$user:" {} +
cd "$home" || exit 1
setpriv --reuid "$user" --regid "$user" --init-groups env -i PATH="$PATH" HOME="$home" TMPDIR="$home" TERM=dumb \
    SLIPWAY_DEMO_CACHE="$home/cache" SLIPWAY_DEMO_IMAGES="$SLIPWAY_DEMO_IMAGES" ${SLIPWAY_DEBIAN_MIRROR:+"SLIPWAY_DEBIAN_MIRROR=$SLIPWAY_DEBIAN_MIRROR"} \
    bash "$home/tree/tests/cluster/demo/check-user.sh"

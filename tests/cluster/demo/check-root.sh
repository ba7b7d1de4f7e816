#!/usr/bin/env bash
# The demo cluster as root, and what "check" reports on machines that cannot run it. The instance is its own and is deleted
# at the end, unless SLIPWAY_DEMO_DIR names one.
set -uo pipefail
. "$(dirname -- "${BASH_SOURCE[0]}")/checks.sh"
need_programs mmdebstrap socat unshare nsenter setpriv flock ip ssh ssh-keygen
if [ "$(id -u)" -ne 0 ]; then
    echo "FAIL  cannot run: this check is root's (check-user.sh is an ordinary user's)" >&2
    exit 1
fi

# refused_by FILE CONTENT TEXT: with that file in a fake /proc/sys or /etc, up exits with 3 and prints TEXT
refused_by() {
    local root output code
    root=$(mktemp -d)
    mkdir -p "$root$(dirname "$1")"
    echo "$2" >"$root$1"
    output=$(SLIPWAY_DEMO_DIR=$root/state SLIPWAY_DEMO_SYSROOT=$root "$demo_cluster" up --json)
    code=$?
    rm -rf -- "$root"
    echo "$output"
    [ $code -eq 3 ] && [[ $output == *'"event":"error","stage":"check"'*"$3"* ]]
}
foreign_folder_is_left_alone() {
    local folder code
    folder=$(mktemp -d)
    touch "$folder/letter"
    SLIPWAY_DEMO_DIR=$folder "$demo_cluster" up --json && return 1
    SLIPWAY_DEMO_DIR=$folder "$demo_cluster" reset --json && return 1
    [ "$(ls -A "$folder")" = letter ] && rm -r "$folder"
}
usage_is_2() { "$demo_cluster" sideways; [ $? -eq 2 ]; }

check "a kernel without user namespaces for users is named" refused_by /proc/sys/kernel/unprivileged_userns_clone 0 kernel.unprivileged_userns_clone=1
check "a kernel that allows no user namespace is named" refused_by /proc/sys/user/max_user_namespaces 0 user.max_user_namespaces=
check "AppArmor's restriction is named" refused_by /proc/sys/kernel/apparmor_restrict_unprivileged_userns 1 apparmor_restrict_unprivileged_userns=0
check "a folder with other files is not touched" foreign_folder_is_left_alone
check "a wrong command ends with 2" usage_is_2

if [ -z "${SLIPWAY_DEMO_DIR:-}" ]; then
    SLIPWAY_DEMO_DIR=$(mktemp -d "${TMPDIR:-/var/tmp}/demo-check.XXXXXX")/state
    trap '"$demo_cluster" reset >/dev/null 2>&1; rmdir -- "$(dirname -- "$SLIPWAY_DEMO_DIR")"' EXIT
fi
export SLIPWAY_DEMO_DIR
all_claims
reset_claim
conclude

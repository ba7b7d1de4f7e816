#!/bin/bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Looks at what this node allows, and says by which route an image can be built here without root:
#   build_check.sh DEFINITION [ROOT]
# ROOT is a folder in place of /, for the files below /etc and /proc. Ends with 1 if there is no route.
set -u

definition=${1:?}
root=${2:-}

say() { printf '%-17s %s\n' "$1:" "$2"; }

stop() {
    echo "Error: $1" >&2
    shift
    printf '%s\n' "$@" >&2
    exit 1
}

[ -f "$definition" ] || stop "the folder that was sent has no file ${definition#code/}." \
    "Enter the path of the definition file in your folder. Files that .gitignore or .slipwayignore name are not sent."

# The runtime, its version, and whether it was installed with a setuid program.
runtime=apptainer
command -v apptainer >/dev/null || runtime=singularity
command -v "$runtime" >/dev/null || stop "there is neither apptainer nor singularity on this node." \
    "Load their module: see the field Modules, and 'module avail' on the cluster."
version=$("$runtime" --version 2>/dev/null)
version=${version:-$runtime, version unknown}
number=$(grep -oE '[0-9]+\.[0-9]+' <<<"$version" | head -n 1)
major=${number%%.*} minor=${number#*.}
starter=$("$runtime" buildcfg LIBEXECDIR 2>/dev/null)/$runtime/bin/starter-suid
setuid=no
[ ! -u "$starter" ] || setuid=yes
say "Runtime" "$version, setuid: $setuid"

# User namespaces: whether one can be made, not only what the settings say.
most=$(cat "$root/proc/sys/user/max_user_namespaces" 2>/dev/null)
namespaces=unknown why=
if command -v unshare >/dev/null; then
    if unshare -U true 2>/dev/null; then namespaces=yes; else namespaces=no; fi
fi
if [ "${most:-}" = 0 ]; then
    namespaces=no why=" (user.max_user_namespaces is 0)"
elif [ "$namespaces" = no ] && [ "$(cat "$root/proc/sys/kernel/unprivileged_userns_clone" 2>/dev/null)" = 0 ]; then
    why=" (kernel.unprivileged_userns_clone is 0)"
elif [ "$namespaces" = no ] && [ "$(cat "$root/proc/sys/kernel/apparmor_restrict_unprivileged_userns" 2>/dev/null)" = 1 ]; then
    why=" (kernel.apparmor_restrict_unprivileged_userns is 1)"
fi
say "User namespaces" "$namespaces$why"

# Entries for this user, by name or number. Some sites have them in a directory service, which getsubids asks.
user=$(id -un 2>/dev/null) uid=$(id -u)
has_range() {
    grep -qE "^(${user:-$uid}|$uid):[0-9]+:[0-9]+" "$root/etc/$1" 2>/dev/null && return
    shift
    command -v getsubids >/dev/null && getsubids "$@" "${user:-$uid}" >/dev/null 2>&1
}
ranges=no
if has_range subuid && has_range subgid -g; then ranges=yes; fi
mapper=no
if command -v newuidmap >/dev/null && command -v newgidmap >/dev/null; then mapper=yes; fi
fakeroot=no
! command -v fakeroot >/dev/null || fakeroot=yes
say "Subordinate IDs" "$ranges (/etc/subuid and /etc/subgid), newuidmap: $mapper"
say "fakeroot program" "$fakeroot"
temporary=${APPTAINER_TMPDIR:-${SINGULARITY_TMPDIR:-${TMPDIR:-/tmp}}}
free=$(df -hP "$temporary" 2>/dev/null | awk 'NR == 2 { print $4 }')
say "Temporary files" "$temporary, ${free:-unknown space} free"

# Only Apptainer, and from 1.1 on, has routes without subordinate IDs.
modern=no
if [ "$runtime" = apptainer ] && [ -n "$number" ] && { [ "$major" -gt 1 ] || [ "$minor" -ge 1 ]; }; then modern=yes; fi

route='' reason=''
if [ "$uid" -eq 0 ]; then
    route="as root"
    reason="the job runs as root, so nothing has to be emulated."
elif [ "$ranges" = yes ] && [ "$namespaces" != no ] && { [ "$mapper" = yes ] || [ "$setuid" = yes ]; }; then
    route="--fakeroot with subordinate IDs"
    reason="you have a range in /etc/subuid and /etc/subgid, so %post can use any user and group."
elif [ "$modern" = yes ] && [ "$ranges" = no ] && [ "$namespaces" != no ] && [ "$fakeroot" = yes ]; then
    route="root-mapped namespace with the program fakeroot"
    reason="you have no range in /etc/subuid; you alone are mapped to root, and fakeroot emulates all other users."
elif [ "$modern" = yes ] && [ "$ranges" = no ] && [ "$namespaces" != no ]; then
    route="root-mapped namespace alone"
    reason="you have no range in /etc/subuid, and there is no fakeroot program. A %post that changes owners fails, as apt-get and dnf often do; pip, make and copying work."
elif [ "$modern" = yes ] && [ "$ranges" = no ] && [ "$setuid" = yes ] && [ "$fakeroot" = yes ]; then
    route="the program fakeroot alone"
    reason="there are no user namespaces; the setuid program starts %post, and fakeroot emulates root for programs of the image with the same C library."
fi
if [ -z "$route" ]; then
    if [ "$ranges" = yes ] && [ "$namespaces" != no ]; then
        lacks="newuidmap and newgidmap are missing, or not in PATH" asks="the package uidmap (shadow-utils) on the compute nodes"
    elif [ "$namespaces" = no ]; then
        lacks="user namespaces are switched off$why" asks="unprivileged user namespaces on the compute nodes (user.max_user_namespaces)"
    else
        lacks="$version builds without root only for users in /etc/subuid and /etc/subgid" asks="an entry for ${user:-$uid} in /etc/subuid and /etc/subgid, or Apptainer 1.1 or newer"
    fi
    stop "this node has no way to build an image without root: $lacks." \
        "Ask the support of the cluster for $asks." \
        "Or build on your own computer, push the image to a registry, and pull it here."
fi
say "Route" "$route"
echo "Because $reason"
[ "$namespaces" != unknown ] || echo "Whether user namespaces work here is unknown, because the program unshare is missing."
date +%s >build.begun

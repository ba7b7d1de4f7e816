# shellcheck shell=bash
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What app/demo, app/pictures and tests/run share: printing steps and how long they took, and installing missing
# Debian packages. Sourced; expects $top to be the top of the source tree.

setup_log=${setup_log:-$top/build/setup.log}

say() { printf '%s\n' "$*"; }

# Prints an error and exits.
die() {
    printf '\n%s\n' "$*" >&2
    exit 1
}

# step TITLE COMMAND… runs the command with its output in the log, and prints how long it took.
step() {
    local title=$1 begin=$SECONDS
    shift
    mkdir -p "$(dirname "$setup_log")"
    printf '%-46s ' "$title"
    printf '\n== %s\n' "$title" >>"$setup_log"
    if "$@" >>"$setup_log" 2>&1; then
        printf '%4d s\n' $((SECONDS - begin))
        return
    fi
    printf 'failed after %d s\n\n' $((SECONDS - begin))
    tail -n 25 "$setup_log" >&2
    die "'$title' failed. The complete output is in $setup_log."
}

# The package names of the given lists: comments and blank lines dropped.
package_names() {
    sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$@" | sort -u
}

missing_packages() {
    local name
    while read -r name; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || printf '%s\n' "$name"
    done < <(package_names "$@")
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

apt_install() {
    as_root apt-get update
    # What was downloaded is not kept: it would be another gigabyte of the disk.
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        -o APT::Keep-Downloaded-Packages=false "$@"
}

# install_packages LIST… installs missing packages; on systems other than Debian it lists them.
install_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "This is not Debian. Install the equivalents of these Debian packages, then run this again"
        say "with SLIPWAY_SKIP_PACKAGES=1:"
        package_names "$@" | sed 's/^/  /'
        [ -n "${SLIPWAY_SKIP_PACKAGES:-}" ] || exit 1
        return
    fi
    [ -z "${SLIPWAY_SKIP_PACKAGES:-}" ] || return 0
    local missing
    mapfile -t missing < <(missing_packages "$@")
    if [ ${#missing[@]} = 0 ]; then
        say "All packages are installed."
        return
    fi
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        die "These packages are missing, and installing them needs root or sudo: ${missing[*]}
As root: apt-get install ${missing[*]}"
    fi
    # sudo may ask for a password: do that here, on the terminal, not inside the logged step.
    [ "$(id -u)" = 0 ] || sudo -v || die "sudo refused to install: ${missing[*]}"
    step "Installing ${#missing[@]} packages" apt_install "${missing[@]}"
}

# Options for cmake in addition to the preset's.
cmake_options=()

# configure PRESET: as a unity build, because most of what the compiler reads is headers. A developer's
# own build compiles each file separately, so that a change recompiles one small file.
configure() {
    cmake -S "$top" --preset "$1" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=40 "${cmake_options[@]}"
}

# build PRESET [TARGET…]
build() {
    local preset=$1
    shift
    cmake --build "$top/build/$preset" "${@/#/--target=}"
}

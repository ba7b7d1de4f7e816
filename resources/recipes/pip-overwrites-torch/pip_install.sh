#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# pip install, with the command shown: pip_install.sh WHEELS "PACKAGE..." [CONSTRAINTS]
# WHEELS: a folder of wheels, for installing without internet access; empty: the Python Package Index.
set -eu

wheels=${1-} packages=${2-} constraints=${3-}
if [ -z "$packages" ]; then
    echo 'Usage: pip_install.sh WHEELS "PACKAGE..." [CONSTRAINTS]' >&2
    exit 2
fi
if [ -n "$wheels" ] && [ ! -d "$wheels" ]; then
    echo "Error: there is no folder $wheels in this container; bind it, or leave the field empty" >&2
    exit 1
fi

# Each package is a separate word.
set -f
# shellcheck disable=SC2086
set -- $packages
set +f
[ -z "$wheels" ] || set -- --no-index --find-links "$wheels" "$@"
[ -z "$constraints" ] || set -- -c "$constraints" "$@"

# Debian protects its own Python against pip; in a container this is not needed.
export PIP_BREAK_SYSTEM_PACKAGES=1 PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_PROGRESS_BAR=off
echo "+ pip install $*"
exec python3 -m pip install --no-cache-dir "$@"

#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# pip for this lesson: pip_user.sh install|editable FOLDER, pip_user.sh uninstall NAME
# Installs for the user only: into PYTHONUSERBASE if it is set, otherwise into ~/.local. No package of the image may be
# replaced: images of the recipe Lightning image contain a constraints file; for others one is written here.
set -eu

what=${1:-} name=${2:-}
# Debian protects its own Python against pip, even for --user; in a container this is not needed.
export PIP_BREAK_SYSTEM_PACKAGES=1 PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_PROGRESS_BAR=off

constraints=/root/base_constraints.txt
if [ "$what" != uninstall ] && [ ! -r "$constraints" ]; then
    constraints=base_constraints.txt
    [ -s "$constraints" ] || python3 -m pip list --format=freeze >"$constraints"
fi

case $what in
    # The image's own setuptools builds it, so that nothing is downloaded.
    install) set -- install -c "$constraints" --user --no-deps --no-build-isolation "$name" ;;
    editable) set -- install -c "$constraints" --user --no-deps --no-build-isolation -e "$name" ;;
    uninstall) set -- uninstall -y "$name" ;;
    *)
        echo "Usage: pip_user.sh install|editable FOLDER, pip_user.sh uninstall NAME" >&2
        exit 2
        ;;
esac
echo "+ pip $*"
exec python3 -m pip "$@"

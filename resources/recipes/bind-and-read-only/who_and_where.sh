#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Prints the same facts inside and outside: user, node, folder, system, files.
set -u

system=unknown
# shellcheck disable=SC1091
[ ! -r /etc/os-release ] || system=$(. /etc/os-release && printf '%s' "${PRETTY_NAME:-}")
echo "Who:       $(id -un 2>/dev/null || id -u)"
echo "Node:      $(uname -n)"
echo "Folder:    $(pwd)"
echo "System:    $system"
echo "Home:      ${HOME:-none}, $(find "${HOME:-/nowhere}" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l) entries"
echo "Tmp:       /tmp, $(find /tmp -mindepth 1 -maxdepth 1 2>/dev/null | wc -l) entries"
echo "Files here: $(find . -mindepth 1 -maxdepth 1 -name '[!.]*' 2>/dev/null | sort | sed 's|^\./||' | tr '\n' ' ')"

#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The home folder, as a process sees it.
#   sh home.sh look                           what is in it?
#   sh home.sh install-and-run ROWS WIDTH     installs pt_bench there and runs a script with it
#   sh home.sh change-and-run ROWS WIDTH      the same as a link, with a change made afterwards
#   sh home.sh outside                        on the node: is anything of pt_bench in ~/.local?
set -eu
: "${HOME:=/}"

# Apptainer gives a contained process a home in memory. enroot and pyxis give none; a folder in /tmp, which is
# the container's own there, stands in. The home of the node must not be here: nothing is installed into it.
own_home() {
    if [ -e "$HOME/.ssh" ] || [ -e "$HOME/.bash_history" ]; then
        echo "Error: $HOME is your home folder on the cluster. This container was to have none of it." >&2
        echo "With enroot: set ENROOT_MOUNT_HOME=no among the job's variables." >&2
        exit 1
    fi
    mkdir -p "$HOME/.local" 2>/dev/null || {
        HOME=$(mktemp -d)
        export HOME
        echo "Home is $HOME, in the container alone."
    }
}

case ${1:-} in
    look)
        echo "Home is $HOME"
        echo "It has $(find "$HOME" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l) entries."
        ;;
    install-and-run)
        own_home
        sh pip_user.sh install ./python_dev
        python3 moved_bench.py --rows "${2:-1000}" --width "${3:-64}"
        ;;
    change-and-run)
        own_home
        sh pip_user.sh editable ./python_dev
        sh change_package.sh
        python3 moved_bench.py --rows "${2:-1000}" --width "${3:-64}"
        ;;
    outside)
        found=$(find "$HOME/.local" -name 'pt_bench*' 2>/dev/null || true)
        if [ -n "$found" ]; then
            printf 'Error: it is still there:\n%s\n' "$found" >&2
            exit 1
        fi
        echo "Nothing of pt_bench is in $HOME/.local."
        ;;
    *)
        echo "Usage: home.sh look|install-and-run [ROWS WIDTH]|change-and-run [ROWS WIDTH]|outside" >&2
        exit 2
        ;;
esac

#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The home folder as seen by a process.
#   sh home.sh look                           lists its contents
#   sh home.sh install-and-run ROWS WIDTH     installs pt_bench there and runs a script with it
#   sh home.sh change-and-run ROWS WIDTH      the same as an editable install, with a change made afterwards
#   sh home.sh outside                        on the node: checks whether ~/.local contains pt_bench
set -eu
: "${HOME:=/}"

# Apptainer gives a contained process a home folder in memory. enroot and pyxis give none, so a folder in /tmp, which
# is the container's own, is used instead. The node's home folder must not be mounted: nothing is installed into it.
own_home() {
    if [ -e "$HOME/.ssh" ] || [ -e "$HOME/.bash_history" ]; then
        echo "Error: $HOME is your home folder on the cluster, which this container must not mount." >&2
        echo "With enroot: set ENROOT_MOUNT_HOME=no in the job's variables." >&2
        exit 1
    fi
    mkdir -p "$HOME/.local" 2>/dev/null || {
        HOME=$(mktemp -d)
        export HOME
        echo "Home is $HOME, in the container only."
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
        echo "$HOME/.local contains nothing of pt_bench."
        ;;
    *)
        echo "Usage: home.sh look|install-and-run [ROWS WIDTH]|change-and-run [ROWS WIDTH]|outside" >&2
        exit 2
        ;;
esac

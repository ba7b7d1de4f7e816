#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The home folder, as a process sees it.
#   sh home.sh look             what is in it?
#   sh home.sh install-and-run  installs pt_bench there and runs a script with it
#   sh home.sh outside          on the node: is anything of pt_bench in ~/.local?
set -eu

case ${1:-} in
    look)
        echo "Home is $HOME"
        echo "It has $(find "$HOME" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l) entries."
        ;;
    install-and-run)
        sh pip_user.sh install ./python_dev
        python3 moved_bench.py --rows "${2:-1000}"
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
        echo "Usage: home.sh look|install-and-run [ROWS]|outside" >&2
        exit 2
        ;;
esac

#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs the n-body benchmark inside the container.
#   sh nbody.sh find PROGRAM                                     checks the program and the GPU (cpu: compiles it, once)
#   sh nbody.sh run PROGRAM BODIES ITERATIONS PRECISION DEVICES  runs it and prints the command
# PROGRAM: cuda, the image's nbody; cpu, the small CPU program in this folder.
set -eu

what=${1:-} program=${2:-}

case $program in
    cuda) nbody=nbody ;;
    cpu) nbody=./nbody-cpu ;;
    *)
        echo "Usage: nbody.sh find|run cuda|cpu ..." >&2
        exit 2
        ;;
esac

case $what in
    find)
        # Only prints what it finds: without a GPU, nbody's own message is the clearest.
        [ "$program" = cpu ] || nvidia-smi || true
        if [ "$program" = cpu ]; then
            compiler=$(command -v cc || command -v gcc) || {
                echo "Error: this image has no C compiler for nbody_cpu.c; use a devel image" >&2
                exit 1
            }
            "$compiler" -O3 -ffast-math -fno-finite-math-only -pthread -o nbody-cpu nbody_cpu.c -lm
        fi
        command -v "$nbody" || {
            echo "Error: there is no nbody in this image; build one with the recipe n-body, small image" >&2
            exit 1
        }
        ;;
    run)
        bodies=$3 iterations=$4 precision=$5 devices=${6:-0}
        set -- "$nbody" -benchmark "-numbodies=$bodies" "-i=$iterations"
        [ "$precision" != double ] || set -- "$@" -fp64
        if [ "$program" = cuda ] && [ "${devices:-0}" -gt 1 ]; then set -- "$@" "-numdevices=$devices"; fi
        echo "+ $*"
        exec "$@"
        ;;
    *)
        echo "Usage: nbody.sh find|run cuda|cpu ..." >&2
        exit 2
        ;;
esac

#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Creates /usr/local/bin/nbody in a container image that is being built, or in an overlay.
#   sh build_nbody.sh cuda    NVIDIA's CUDA sample, from its source on the internet
#   sh build_nbody.sh cpu     the small CPU program in this folder: needs neither a GPU nor the internet
set -eu

samples=12.4.1 # the release that fits CUDA 12.4
here=$(cd "$(dirname "$0")" && pwd)
target=/usr/local/bin/nbody

say() { printf '%s\n' "$*"; }

build_cuda() {
    say "Installing the headers of OpenGL, and curl"
    export DEBIAN_FRONTEND=noninteractive
    # With --fakeroot there is no second user for apt's downloads.
    apt-get -o APT::Sandbox::User=root update
    apt-get -o APT::Sandbox::User=root install -y --no-install-recommends \
        freeglut3-dev libgl1-mesa-dev libglu1-mesa-dev curl ca-certificates
    work=$(mktemp -d)
    say "Fetching the CUDA samples $samples"
    curl -fsSL -o "$work/samples.tar.gz" "https://github.com/NVIDIA/cuda-samples/archive/refs/tags/v$samples.tar.gz"
    tar -xzf "$work/samples.tar.gz" -C "$work"
    make -C "$work/cuda-samples-$samples/Samples/5_Domain_Specific/nbody"
    install -m 755 "$work/cuda-samples-$samples/Samples/5_Domain_Specific/nbody/nbody" "$target"
    rm -rf "$work"
}

build_cpu() {
    compiler=$(command -v cc || command -v gcc) || {
        say "Error: this image has no C compiler; take a devel image" >&2
        exit 1
    }
    say "Compiling nbody_cpu.c"
    mkdir -p "$(dirname "$target")"
    "$compiler" -O3 -ffast-math -fno-finite-math-only -pthread -o "$target" "$here/nbody_cpu.c" -lm
}

case ${1:-} in
    cuda) build_cuda ;;
    cpu) build_cpu ;;
    *)
        say "Usage: build_nbody.sh cuda|cpu" >&2
        exit 2
        ;;
esac
say "Installed: $(ls -l "$target")"

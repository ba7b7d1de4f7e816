#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is in the image: its system, its Python, its CUDA. Runs inside, with nothing but sh.

name=unknown
# shellcheck disable=SC1091  # a file of the image
[ -r /etc/os-release ] && name=$(. /etc/os-release && echo "$PRETTY_NAME")
echo "System inside: $name"
echo "System outside: the node's kernel, $(uname -r); a container shares it"
if command -v python3 >/dev/null 2>&1; then
    python3 --version
else
    echo "Python: none inside"
fi
# Images of NVIDIA say which CUDA they were built with; compare it with the driver's, in nvidia-smi.
echo "CUDA inside: ${CUDA_VERSION:-none, or not said}"

#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Prints the system, Python and CUDA of the image. Runs inside, and needs only sh.

name=unknown
# shellcheck disable=SC1091  # a file of the image
[ -r /etc/os-release ] && name=$(. /etc/os-release && echo "$PRETTY_NAME")
echo "System inside: $name"
echo "System outside: the node's kernel, $(uname -r); shared by the container"
if command -v python3 >/dev/null 2>&1; then
    python3 --version
else
    echo "Python: none inside"
fi
# NVIDIA's images record the CUDA version that they were built with; compare it with the driver's in nvidia-smi.
echo "CUDA inside: ${CUDA_VERSION:-none, or not recorded}"

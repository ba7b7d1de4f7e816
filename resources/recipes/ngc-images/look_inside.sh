#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Prints what an image contains: its system, and the versions that NVIDIA's images record in variables.
set -u

name=
if [ -r /etc/os-release ]; then
    # shellcheck disable=SC1091
    name=$(. /etc/os-release && printf '%s' "${PRETTY_NAME:-}")
fi
echo "System:  ${name:-unknown}"
echo "Kernel:  $(uname -r) of this node, shared by the container"
[ -z "${CUDA_VERSION:-}" ] || echo "CUDA:    $CUDA_VERSION, from the image's variable"
[ -z "${PYTORCH_VERSION:-}" ] || echo "PyTorch: $PYTORCH_VERSION, from the image's variable"
if command -v python3 >/dev/null; then
    python3 --version
fi
if command -v nvcc >/dev/null; then
    nvcc --version | tail -n 2
fi
exit 0

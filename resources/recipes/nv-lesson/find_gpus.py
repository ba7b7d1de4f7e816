# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which GPUs does a program inside this container find? Asks the driver first, then a framework.

Prints one list, [] for none, and what to make of it. Exit code: 0 enough GPUs, 2 wrong usage, 3 too few.
"""

import argparse
import ctypes
import os
import sys


def say(text=""):
    print(text, flush=True)


def driver_devices():
    """Names from libcuda, the part of the driver that --nv adds; and a message if there are none."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        return [], "libcuda.so.1 is not in this container: {}".format(error)
    code = cuda.cuInit(0)
    if code != 0:
        return [], "libcuda is here, but cuInit fails with code {}: no usable GPU or driver".format(code)
    count = ctypes.c_int()
    cuda.cuDeviceGetCount(ctypes.byref(count))
    names = []
    for index in range(count.value):
        device, name = ctypes.c_int(), ctypes.create_string_buffer(256)
        cuda.cuDeviceGet(ctypes.byref(device), index)
        cuda.cuDeviceGetName(name, 256, device)
        names.append(name.value.decode(errors="replace"))
    return names, "" if names else "the driver counts no GPU"


def framework_devices():
    """What TensorFlow or PyTorch finds: the output of the framework, or None if neither is installed."""
    try:
        # Its log stays on: at level INFO TensorFlow reports what it did not find, such as libcuda.
        import tensorflow
        return "TensorFlow", str(tensorflow.config.list_physical_devices("GPU"))
    except ImportError:
        pass
    try:
        import torch
        return "PyTorch", str([torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())])
    except ImportError:
        return None


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--least", type=int, default=1, help="how many GPUs must be found")
    options = parser.parse_args(argv)
    say("Nodes of GPUs in /dev: " + (" ".join(sorted(n for n in os.listdir("/dev") if n.startswith("nvidia"))) or "none"))
    names, why = driver_devices()
    say("Driver: {}{}".format(names, ", " + why if why else ""))
    framework = framework_devices()
    if framework:
        say("{}: {}".format(*framework))
    say("GPUs found: {}".format(len(names)))
    if len(names) >= options.least:
        return 0
    print("Error: {} GPUs found, {} wanted. In a GPU job this is what a missing --nv looks like.".format(
        len(names), options.least), file=sys.stderr, flush=True)
    return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every device that TensorFlow finds, with its memory. Runs with TensorFlow 1 and 2, Python 3.5 and later.

Exit code: 0 enough GPUs, 1 no TensorFlow, 2 wrong usage, 3 too few.
"""

import argparse
import os
import sys


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--least", type=int, default=1, help="how many GPUs must be found")
    options = parser.parse_args(argv)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")
    try:
        import tensorflow
        from tensorflow.python.client import device_lib
    except ImportError as error:
        print("Error: this image has no TensorFlow: {}".format(error), file=sys.stderr)
        return 1
    print("Tensorflow version:", tensorflow.__version__)
    devices = device_lib.list_local_devices()
    gpus = [device for device in devices if device.device_type == "GPU"]
    for device in devices:
        print("Name: {}   Type: {}   Memory: {:.1f} GB".format(
            device.name, device.device_type, device.memory_limit / 1e9))
        if device.physical_device_desc:
            print("      " + device.physical_device_desc)
    print("GPU available:", bool(gpus))
    print("GPUs found:", len(gpus))
    sys.stdout.flush()
    if len(gpus) < options.least:
        print("Error: {} GPUs found, {} wanted. --nv must be directly after exec, before the image.".format(
            len(gpus), options.least), file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that TensorFlow finds the GPUs of this node and computes correctly, with two small matrices.

Exit code: 0 the product is right, 1 it is not or there is no TensorFlow, 3 fewer GPUs than wanted.
"""

import argparse
import os
import subprocess
import sys


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--least", type=int, default=1, help="how many GPUs must be found")
    parser.add_argument("--warnings", help="a file for TensorFlow's own messages, which are long")
    options = parser.parse_args(argv)
    return look_aside(options) if options.warnings else look(options.least)


def look_aside(options):
    """The same in a separate process, whose stderr goes to the file, which is printed if something fails."""
    os.makedirs(os.path.dirname(options.warnings) or ".", exist_ok=True)
    with open(options.warnings, "wb") as file:
        code = subprocess.call([sys.executable, __file__, "--least", str(options.least)], stderr=file)
    if code != 0:
        with open(options.warnings, encoding="utf-8", errors="replace") as file:
            sys.stderr.write(file.read())
        sys.stderr.flush()
    return code if code >= 0 else 128 - code


def look(least):
    try:
        import tensorflow as tf
    except ImportError as error:
        print("Error: this image has no TensorFlow: {}".format(error), file=sys.stderr, flush=True)
        return 1
    gpus = tf.config.list_physical_devices("GPU")
    print("Tensorflow version:", tf.__version__)
    print("GPU available:", bool(gpus))
    print("\nGPUs:")
    for gpu in gpus:
        print("Name:", gpu.name, "  Type:", gpu.device_type)
    a = tf.reshape(tf.range(1.0, 7.0), (2, 3))
    b = tf.reshape(tf.range(1.0, 7.0), (3, 2))
    product = tf.matmul(a, b)
    print("\nTNA=", a, "\nTNB=", b, "\nTNAxTNB=", product, flush=True)
    if product.numpy().tolist() != [[22.0, 28.0], [49.0, 64.0]]:
        print("Error: the product is wrong; 22 28 and 49 64 were expected.", file=sys.stderr, flush=True)
        return 1
    if len(gpus) < least:
        print("Error: {} GPUs found, {} wanted. Is the container started with --nv, in a job with GPUs?".format(
            len(gpus), least), file=sys.stderr, flush=True)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

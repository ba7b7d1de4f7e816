# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times two ways to compute the same result, and prints which copy of pt_bench it found.

Exit code: 0 measured, 1 no PyTorch, no pt_bench or a wrong result, 2 wrong usage.
"""

import argparse
import sys


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=100)
    options = parser.parse_args(argv)
    if min(options.rows, options.width, options.repeats) < 1:
        parser.error("--rows, --width and --repeats must be 1 or more")
    return options


def main(argv):
    options = arguments(argv)
    import pt_bench

    print(f"loaded pt_bench from {pt_bench.__file__}", flush=True)
    try:
        import torch
    except ImportError as error:
        print(f"Error: this image has no PyTorch: {error}", file=sys.stderr, flush=True)
        return 1
    torch.manual_seed(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(options.rows, options.width, device=device)
    for name, function in [("mul_sum", pt_bench.mul_sum), ("bmm", pt_bench.bmm)]:
        label = f"{name}(x, x):"
        cold = pt_bench.microseconds(torch, function, x, x)
        print(f"{label:<15} {cold:6.1f} us (warm-up)", flush=True)
        warm = pt_bench.microseconds(torch, function, x, x, repeats=options.repeats)
        print(f"{label:<15} {warm:6.1f} us", flush=True)
    if not torch.allclose(pt_bench.mul_sum(x, x), pt_bench.bmm(x, x), rtol=1e-3, atol=1e-3):
        print("Error: the two ways gave different results", file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

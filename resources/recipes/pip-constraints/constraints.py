# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a constraints file for pip with every installed package and its version.

By hand, nearly the same: pip list --format=freeze > base_constraints.txt
"""

import argparse
import importlib.metadata
import sys


def lines():
    versions = {}
    for package in importlib.metadata.distributions():
        name = package.metadata["Name"]
        if name and package.version:
            versions.setdefault(name.lower(), f"{name}=={package.version}")
    return [versions[name] for name in sorted(versions)]


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    options = parser.parse_args(argv)
    text = lines()
    try:
        with open(options.file, "w", encoding="utf-8") as file:
            file.write("\n".join(text) + "\n")
    except OSError as error:
        print(f"Error: {options.file} cannot be written: {error.strerror}", file=sys.stderr, flush=True)
        return 1
    print(f"{len(text)} packages are pinned in {options.file}, for example:", flush=True)
    for line in [line for line in text if "torch" in line or "tensor" in line][:5] or text[:5]:
        print(f"  {line}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which Python packages changed? "before" records them all, "after" compares.

Prints a line a package that changed, and the counts for the chart.
Exit code: 0 compared, 1 nothing was noted before, 2 wrong usage; with --must-not-replace 3 when one was replaced.
"""

import argparse
import importlib.metadata
import json
import re
import sys


def say(text=""):
    print(text, flush=True)


def tell(**fields):
    """One line for machines."""
    say("@slipway " + json.dumps(fields, ensure_ascii=False))


def plain_name(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def installed():
    """Name to version and size. If a package is in two places, the first one found is what Python imports."""
    found = {}
    for package in importlib.metadata.distributions():
        name = package.metadata["Name"]
        if name and plain_name(name) not in found:
            size = sum(file.size or 0 for file in package.files or [])
            found[plain_name(name)] = {"version": package.version, "bytes": size}
    return found


def compare(before, after):
    replaced = [name for name in after if name in before and after[name]["version"] != before[name]["version"]]
    added = [name for name in after if name not in before]
    removed = [name for name in before if name not in after]
    for name in sorted(replaced):
        say(f"replaced  {name}: {before[name]['version']} is now {after[name]['version']}")
    for name in sorted(added):
        say(f"added     {name} {after[name]['version']}")
    for name in sorted(removed):
        say(f"removed   {name} {before[name]['version']}")
    size = sum(after[name]["bytes"] for name in replaced + added)
    say(f"{len(replaced)} replaced, {len(added)} added, {len(removed)} removed, {len(after)} packages in all; "
        f"what is new has {size} bytes.")
    for series, count in [("packages_replaced", len(replaced)), ("packages_added", len(added)),
                          ("packages_removed", len(removed))]:
        tell(sample=series, x=1, x_name="install", y=count)
    tell(sample="new_bytes", x=1, x_name="install", y=size, unit="B")
    return replaced


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("when", choices=["before", "after"])
    parser.add_argument("--notes", default="packages-before.json", help="where they are noted")
    parser.add_argument("--must-not-replace", action="store_true", help="fail when a package has another version now")
    options = parser.parse_args(argv)
    now = installed()
    if options.when == "before":
        with open(options.notes, "w", encoding="utf-8") as file:
            json.dump(now, file, indent=1, sort_keys=True)
        say(f"{len(now)} packages noted in {options.notes}.")
        return 0
    try:
        with open(options.notes, encoding="utf-8") as file:
            before = json.load(file)
    except FileNotFoundError:
        print(f"Error: {options.notes} does not exist: run this with “before” first", file=sys.stderr, flush=True)
        return 1
    replaced = compare(before, now)
    return 3 if replaced and options.must_not_replace else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

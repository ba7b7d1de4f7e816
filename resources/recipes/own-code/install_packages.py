# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs what a requirements file names into a folder beside the image, which stays as it is.

    install_packages.py FILE FOLDER

Every package of the image is pinned by a constraints file, so that its PyTorch is not replaced. If
there is a folder wheels/ beside FILE, everything comes from there and not from the internet.
"""

import os
import re
import subprocess
import sys

OFFLINE = re.compile(
    r"NewConnectionError|ConnectTimeoutError|ProxyError|name resolution|Name or service not known"
    r"|Network is unreachable"
)

# As "-m pip", but nothing is imported from the current folder, which is the person's.
PIP = [
    sys.executable,
    "-c",
    "import sys; sys.path[:] = [place for place in sys.path if place]; import runpy; "
    "runpy.run_module('pip', run_name='__main__', alter_sys=True)",
]
EDITABLE = re.compile(r"\s*(-e|--editable\b)")


def settings():
    """What a person's pip.conf must not change here; packages in the home folder do not count."""
    return dict(
        os.environ,
        PIP_DISABLE_PIP_VERSION_CHECK="1",
        PIP_NO_INPUT="1",
        PIP_PROGRESS_BAR="off",
        PIP_ROOT_USER_ACTION="ignore",
        PIP_USER="0",
        PYTHONNOUSERSITE="1",
    )


def pinned():
    """name==version of each package of the image; None if there is no pip."""
    listed = subprocess.run(
        PIP + ["list", "--format=freeze"],
        stdout=subprocess.PIPE,
        universal_newlines=True,
        env=settings(),
    )
    if listed.returncode != 0:
        return None
    return [line for line in listed.stdout.splitlines() if re.match(r"[A-Za-z0-9][\w.-]*==\S+$", line)]


def dependencies(path):
    """What a pyproject.toml names in [project]; None if it names nothing, or if no parser is there."""
    try:
        try:
            import tomllib
        except ImportError:
            from pip._vendor import tomli as tomllib
        with open(path, "rb") as file:
            names = tomllib.load(file).get("project", {}).get("dependencies")
    except (ImportError, ValueError, AttributeError):
        return None
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else None


def has_editable(path):
    """Whether a requirements file asks for a link to the person's folder, which differs for each run."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return any(EDITABLE.match(line) for line in file)


def install(words, place):
    """Runs pip in a folder and shows what it prints. Gives its exit code, and whether the network was missing."""
    print("+ pip " + " ".join(words), flush=True)
    pip = subprocess.Popen(
        PIP + words,
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        errors="replace",
        env=settings(),
    )
    offline = False
    for line in pip.stdout:
        offline = offline or OFFLINE.search(line) is not None
        print(line, end="", flush=True)
    return pip.wait(), offline


def main(argv):
    if len(argv) != 3:
        print("Usage: install_packages.py FILE FOLDER", file=sys.stderr)
        return 2
    path, folder = [os.path.abspath(word) for word in argv[1:]]
    lines = pinned()
    if lines is None:
        print("Error: this Python has no pip. Choose an image that has it.", file=sys.stderr, flush=True)
        return 1
    constraints = os.path.join(folder, "constraints.txt")
    with open(constraints, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print("%d packages of the image stay as they are." % len(lines), flush=True)
    requirements = path
    if path.endswith(".toml"):
        names = dependencies(path)
        if not names:
            print(
                "Error: %s has no dependencies in [project] that can be read here. Write them into a requirements.txt."
                % os.path.basename(path),
                file=sys.stderr,
                flush=True,
            )
            return 1
        requirements = os.path.join(folder, "dependencies.txt")
        with open(requirements, "w", encoding="utf-8") as file:
            file.write("\n".join(names) + "\n")
    elif has_editable(path):
        print(
            "Error: %s installs a folder as editable, but the packages are kept for later runs, which have folders of "
            "their own: write . in place of -e ." % os.path.basename(path),
            file=sys.stderr,
            flush=True,
        )
        return 1
    words = ["install", "--no-cache-dir", "--prefix", folder, "-c", constraints, "-r", requirements]
    wheels = os.path.join(os.path.dirname(path), "wheels")
    if os.path.isdir(wheels):
        words += ["--no-index", "--find-links", wheels]
    code, offline = install(words, os.path.dirname(path))
    if code != 0 and offline:
        name = os.path.basename(path)
        print(
            "Error: this node cannot reach the package index. Download the wheels where there is internet and send them "
            "with your folder: pip download -r %s -d wheels" % name,
            file=sys.stderr,
            flush=True,
        )
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv))

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""manpage.py PROGRAM VERSION PAGE: writes the manual page of slipway or slipway-cli from what the program prints
for --help, so that the two cannot differ."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

FILES = [
    ("~/.config/slipway/sites, ~/.config/slipway/recipes", "Your own sites and recipes. An invalid file is reported "
     "with its line and field; all other files still work."),
    ("~/.local/share/slipway", "What is stored about runs: the list, scripts and logs. Readable only by you."),
    ("$XDG_RUNTIME_DIR/slipway", "Sockets of shared connections, and when schedulers were called."),
    ("~/.local/state/slipway/demo-cluster", "The demo cluster."),
]
ENVIRONMENT = [
    ("SLIPWAY_RESOURCES", "Another folder of sites, recipes and hints."),
    ("SLIPWAY_LOG_LIMIT_MIB", "How much of a log is stored on this computer; 4096 if it is not set."),
    ("SLIPWAY_KEEP_CONNECTION", "For how many seconds a shared connection is kept when no program uses it; 600 if it is "
     "not set, 0: it ends at once."),
    ("SLIPWAY_NO_SHARING", "Set to 1: each program has connections of its own."),
    ("SLIPWAY_DEMO_DIR", "Another folder for the demo cluster."),
    ("SLIPWAY_DEBIAN_MIRROR", "The Debian archive from which the demo cluster is built, if not that of apt."),
]


def help_of(program, *words):
    """What the program prints for --help."""
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    result = subprocess.run([program, *words, "--help"], env=environment, stdout=subprocess.PIPE, check=True)
    return result.stdout.decode()


def plain(text):
    """A text as it is written in roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("~", "\\(ti").replace("^", "\\(ha")
    text = text.replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + text if text.startswith(".") else text


def entry(line):
    """An indented line as (term, description), or nothing if it is not an entry of a list."""
    match = re.match(r"  (\S.*?) {2,}(\S.*)$", line) or re.match(r"  (--\S+(?: [A-Z]\S*)?) +(\S.*)$", line)
    return match.groups() if match else None


def body(text):
    """Paragraphs and lists of a help text as lines of roff."""
    lines = []
    for paragraph in re.split(r"\n{2,}", text.strip("\n")):
        filled = []
        for line in paragraph.split("\n"):
            item = entry(line)
            if item:
                filled += [".TP", "\\fB%s\\fR" % plain(item[0]), plain(item[1])]
            elif line.startswith(" "):
                filled += [".br", plain(line.strip())]
            else:
                filled.append(plain(line))
        if not filled[0].startswith(".TP"):
            lines.append(".PP")
        lines += filled
    return lines


def definitions(entries):
    """A list of terms, each with its description."""
    return body("\n".join("  %s  %s" % item for item in entries))


def terminal_page(program):
    """The page of slipway-cli: one section for each command."""
    top = help_of(program)
    parts = re.split(r"\n{2,}", top.strip("\n"))
    about, usage, table, end = parts[0], parts[1], parts[2], "\n\n".join(parts[3:])
    names = [entry(line)[0] for line in table.split("\n")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = list(pool.map(lambda name: help_of(program, name), names))
    codes = re.search(r"Exit codes: (.*)", end, re.S).group(1)
    lines = [".SH SYNOPSIS", plain(usage.replace("Usage: ", ""))]
    lines += [".SH DESCRIPTION", plain(about)] + body(end.split("\nExit codes")[0])
    lines += [".SH COMMANDS"]
    for name, text in zip(names, texts):
        usage, rest = text.split("\n", 1)
        lines += [".SS " + plain(name), plain(usage.replace("Usage: ", ""))] + body(rest)
    lines += [".SH \"EXIT STATUS\""]
    lines += definitions(re.findall(r"(\d+) ([^,.]+)", codes.replace("\n", " ")))
    return about, lines


def window_page(program):
    """The page of slipway."""
    parts = re.split(r"\n{2,}", help_of(program).strip("\n"), 2)
    usage, about = parts[0].split(": ", 1)
    options, end = parts[1], parts[2]
    lines = [".SH SYNOPSIS", plain(usage), ".SH DESCRIPTION"] + body(end)
    lines += [".SH OPTIONS"] + body(options)
    return about, lines


def main():
    program, version, page = sys.argv[1:]
    name = os.path.basename(program)
    about, lines = terminal_page(program) if name == "slipway-cli" else window_page(program)
    summary = about.rstrip(".")
    head = [
        ".\\\" Written by manpage.py from %s --help." % name,
        ".TH %s 1 \"\" \"Slipway %s\" \"User Commands\"" % (plain(name.upper()), plain(version)),
        ".nh", ".ad l",
        ".SH NAME", "%s \\- %s" % (plain(name), plain(summary[0].lower() + summary[1:])),
    ]
    tail = [".SH FILES"] + definitions(FILES) + [".SH ENVIRONMENT"] + definitions(ENVIRONMENT)
    other = "slipway" if name == "slipway-cli" else "slipway-cli"
    tail += [".SH \"SEE ALSO\"", ".BR %s (1)," % plain(other), ".BR sbatch (1),", ".BR apptainer (1)"]
    with open(page, "w", encoding="utf-8") as file:
        file.write("\n".join(head + lines + tail) + "\n")


main()

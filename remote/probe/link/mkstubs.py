#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""mkstubs.py BASE OUT COMPILER OBJDUMP: shared libraries to link against that offer what a glibc of
version BASE offered, and nothing newer.

glibc exports a function once for every version of its behaviour, old ones for ever. So this machine's
own glibc tells what an old one had; the stubs written here are empty but for those names. A symbol that
only a newer glibc has is then an error of the link, not of a user's node."""

import pathlib
import re
import subprocess
import sys

# glibc 2.34 took these libraries into libc.so.6 and gave what moved a second version. Linked against
# the first, a program must name the library in which an old system keeps it.
MOVED = (31, 34)
HOMES = (
    ("libpthread.so.0", re.compile(r"_*(pthread|sem)_")),
    ("libdl.so.2", re.compile(r"dl(open|sym|close|error|addr1?|info|mopen|vsym)$")),
)
STAYS = {"__libc_start_main"}
LINE = re.compile(r"^[0-9a-f]+ (.{7}) (\S+)\s+([0-9a-f]+)\s+\(?(GLIBC_([0-9.]+))\)?\s+(\S+)$")


def numbers(version):
    return tuple(int(part) for part in version.split("."))


def exports(objdump, library):
    """{name: {version: (flags, section, size)}} of what a library defines."""
    text = subprocess.run([objdump, "-T", library], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        match = LINE.match(line)
        if not match or match[2] in ("*UND*", "*ABS*"):
            continue
        flags, section, size, _, version, name = match.groups()
        found.setdefault(name, {})[numbers(version)] = (flags, section, int(size, 16))
    return found


def home(name, versions, base):
    """The old library of a symbol; None where we offer it in none."""
    moved = any((2, MOVED[0]) < v <= (2, MOVED[1]) for v in versions) and name not in STAYS
    if not moved:
        return "libc.so.6"
    return next((library for library, form in HOMES if form.match(name)), None)


def assembly(name, flags, section, size):
    if "*" in section or section in (".tbss", ".tdata"):
        return f'.section .tbss,"awT",%nobits\n.globl {name}\n.type {name},%object\n{name}: .zero {max(size, 8)}\n.size {name},{size}\n'
    if "O" in flags:
        return f".bss\n.balign 32\n.globl {name}\n.type {name},%object\n{name}: .zero {max(size, 8)}\n.size {name},{size}\n"
    return f".text\n.globl {name}\n.type {name},%function\n{name}: ret\n.size {name},1\n"


def write_stub(out, soname, symbols, compiler):
    """symbols: {name: (version, flags, section, size)}"""
    by_version = {}
    for name in sorted(symbols):
        by_version.setdefault(symbols[name][0], []).append(name)
    source = "".join(assembly(name, *symbols[name][1:]) for name in sorted(symbols))
    script, before = "", ""
    for i, version in enumerate(sorted(by_version)):
        node = "GLIBC_" + ".".join(map(str, version))
        hidden = " local: *;" if i == 0 else ""
        script += f"{node} {{ global: {' '.join(n + ';' for n in by_version[version])}{hidden} }}{before};\n"
        before = " " + node
    (out / (soname + ".s")).write_text(source + '.section .note.GNU-stack,"",%progbits\n')
    (out / (soname + ".map")).write_text(script)
    subprocess.run(
        [compiler, "-shared", "-nostdlib", f"-Wl,-soname,{soname}", f"-Wl,--version-script={out}/{soname}.map",
         "-o", str(out / soname), str(out / (soname + ".s"))], check=True)


def main():
    base, out, compiler, objdump = numbers(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    out.mkdir(parents=True, exist_ok=True)
    loader = sys.argv[5]
    stubs = {name: {} for name in ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", loader)}
    for library in ("libc.so.6", "libm.so.6", loader):
        path = subprocess.run([compiler, f"-print-file-name={library}"], capture_output=True, text=True, check=True).stdout.strip()
        for name, versions in exports(objdump, path).items():
            old = [v for v in versions if v <= base]
            place = home(name, versions, base) if library == "libc.so.6" else library
            if old and place:
                stubs[place][name] = (max(old), *versions[max(old)])
    for soname, symbols in stubs.items():
        if not symbols:
            sys.exit(f"{sys.argv[0]}: found nothing of {soname} that is as old as {sys.argv[1]}")
        write_stub(out, soname, symbols, compiler)


main()

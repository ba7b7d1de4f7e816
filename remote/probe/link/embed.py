#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""embed.py FILE NAME OUT: a C++ file that holds FILE's bytes, with a zero behind them, under NAME."""

import pathlib
import sys

data = pathlib.Path(sys.argv[1]).read_bytes()
name = sys.argv[2]
lines = [",".join(str(b) for b in data[i:i + 32]) + "," for i in range(0, len(data), 32)]
pathlib.Path(sys.argv[3]).write_text(
    f'extern "C" {{\nextern const char {name}[];\nextern const unsigned {name}_size;\n'
    f"const char {name}[] = {{\n" + "\n".join(lines) + f"\n0}};\nconst unsigned {name}_size = {len(data)};\n}}\n")

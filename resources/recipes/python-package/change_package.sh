#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A change of the package, as you would make it in an editor.
set -eu

echo 'print("New change: this line was added after the installation.", flush=True)' >>python_dev/pt_bench/__init__.py
tail -n 1 python_dev/pt_bench/__init__.py

#!/bin/sh
# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes a greeting to a file: say_hello.sh FILE
set -eu

echo "hello from $(uname -n), written in the container" >"$1"
echo "Wrote $1"

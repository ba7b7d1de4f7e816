# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# slipway_sample NAME Y [STEP [UNIT]]: one point of a live curve. Source this file, or copy the one line.
slipway_sample() { printf '@slipway {"sample":"%s","y":%s%s%s}\n' "$1" "$2" "${3:+,\"x\":$3,\"x_name\":\"step\"}" "${4:+,\"unit\":\"$4\"}"; }

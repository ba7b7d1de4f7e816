// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linepairs.h"

#include <string_view>

namespace slipway {

/// Splits a line, without its prefix, into numbers and their names. Nothing is decided here:
/// whether a name means anything is for the caller.
void readPairs(std::string_view text, const MetricNames& names, LinePairs& out);

} // namespace slipway

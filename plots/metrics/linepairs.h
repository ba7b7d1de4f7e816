// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linevalue.h"

#include <array>
#include <string_view>

namespace slipway {

/// The numbers of a line with their names, and what else is on it.
struct LinePairs {
    static constexpr size_t most = 64;

    std::array<LinePair, most> pairs;
    size_t count = 0;
    LinePosition position;
    std::string_view subject; ///< words with a colon before the first number: "Test set"
    std::string_view about; ///< "Solving for Ux, …": what the numbers are of
    bool isMonitor = false; ///< an iteration of a solver, which counts each of its problems anew
    int strayWords = 0; ///< words and numbers that are none of all this: prose has many
};

/// Splits a line, without its prefix, into numbers and their names. Nothing is decided here:
/// whether a name means anything is for the caller.
void readPairs(std::string_view text, const MetricNames& names, LinePairs& out);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/metricnames.h"

#include <array>
#include <string_view>

namespace slipway {

/// One number of a line, with the words that stand for it. The views point into the line.
struct LinePair {
    std::string_view name; ///< empty: the number has a unit only ("812 img/s")
    double value = 0;
    double total = 0; ///< of "12/400"; 0: none
    double mean = 0; ///< the running mean behind it, "0.5 (0.6)"
    bool hasMean = false;
    bool isQuoted = false; ///< the name is
    bool assigned = false; ///< "name: v", "name = v"; not "name v"
    const MetricUnit* unit = nullptr;
};

/// "[16/160]", "[640/60000 (1%)]" or "12/400" without a name.
struct LinePosition {
    double done = -1; ///< -1: there is none
    double total = 0;
    bool leads = false; ///< at the start of the line: "[10]  train-rmse:0.5"
    bool isBare = false; ///< without brackets
    bool isShare = false; ///< with its percentage
};

/// The numbers of a line with their names, and what else is on it.
struct LinePairs {
    static constexpr size_t most = 64;

    std::array<LinePair, most> pairs;
    size_t count = 0;
    LinePosition position;
    std::string_view subject; ///< words with a colon before the first number: "Test set"
    std::string_view about; ///< "Solving for Ux, …": what the numbers are of
    int strayWords = 0; ///< words and numbers that are none of all this: prose has many
};

/// Splits a line, without its prefix, into numbers and their names. Nothing is decided here:
/// whether a name means anything is for the caller.
void readPairs(std::string_view text, const MetricNames& names, LinePairs& out);

} // namespace slipway

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

    /// Where something was read whose digits may be others in another line of the same form.
    struct Place {
        enum Kind { Value, Bracket, Clock };
        Kind kind = Value;
        std::string_view text; ///< from where it was read up to where the next began
        int pair = -1; ///< that got the value; -1: none
        bool isPosition = false; ///< `position` got it
        bool isFirst = false; ///< the line begins with this number, alone
    };

    std::string_view text; ///< what was read
    std::array<LinePair, most> pairs;
    size_t count = 0;
    LinePosition position;
    std::string_view subject; ///< words with a colon before the first number: "Test set"
    std::string_view about; ///< "Solving for Ux, …": what the numbers are of
    std::string_view label; ///< the first text of an object: {"kernel": "gemm", "n": 128}
    bool isMonitor = false; ///< an iteration of a solver, which counts each of its problems anew
    int strayWords = 0; ///< words and numbers that are none of all this: prose has many
    std::array<Place, most> places;
    size_t placeCount = 0;
    bool isLearnable = true; ///< the places tell all that depends on digits
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/scan.h"

#include <algorithm>
#include <string_view>

namespace slipway {

/// What stands before the text that a program itself printed.
struct LinePrefix {
    std::string_view text; ///< the rest of the line
    int rank = -1; ///< as labelled in the line; -1: not
    bool dated = false; ///< a time or a level was among it: the line comes from a logger
};

/// Removes what loggers and launchers write before a text, in any order and number: times, levels,
/// names of loggers, source files with line numbers, processes, ranks and hosts. Counters in
/// brackets ("[10]", "[3/5]") belong to the text.
LinePrefix peelPrefix(std::string_view line);

/// The data set in what stands between brackets: "[Eval:valid]", "[VALID DATA]", "[Train
/// 970/1882]". Empty: there is none, or more is said.
std::string_view setInBracket(std::string_view inside);

/// Calls `found` with each word of a prefix.
template <typename Found> void forPrefixWords(std::string_view prefix, Found found)
{
    static constexpr ByteSet between(" \t[]()");
    while (!prefix.empty()) {
        const size_t begin = std::min(between.firstNotIn(prefix), prefix.size());
        prefix.remove_prefix(begin);
        const size_t end = std::min(between.firstIn(prefix), prefix.size());
        found(prefix.substr(0, end));
        prefix.remove_prefix(end);
    }
}

/// "2024-03-12", "08:22:45,549", "2024-03-12T08:22:45Z", "05-20", "03/01"
bool isTimeStamp(std::string_view word);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/metricnames.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// A word, or a number with the unit behind it, of a sentence.
struct SentencePart {
    std::string_view text; ///< of a number: up to its unit
    std::optional<double> value; ///< none: a word
    const MetricUnit* unit = nullptr;
    bool isProduct = false; ///< "1024 x 1024", "96 x 96 x 64"
    std::array<double, 3> factors = {}; ///< of a product of at most three; else 0
    bool isCount = false; ///< a whole number, "1,000,000", "2^20", "1e6"
    double multiple = 1; ///< "16K" of a size is 16 * 1024
    bool isFactor = false; ///< "3.8x"
    bool isPlural = false; ///< "thread(s)"
    bool isUsed = false; ///< it belongs to the size
};

/// Splits a line into words and numbers, which are views into it. False: the line has something
/// that no sentence has, or too much.
bool splitSentence(
    std::string_view text, const MetricNames& names, std::vector<SentencePart>& parts);

/// "M N K = 128 64 32" → "M=128 N=64 K=32", and without what is not clear: "Time = 0.1 0.2 0.4 s,
/// ". The text itself where it has no such lists, else `made`.
std::string_view withoutLists(std::string_view text, std::string& made);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <array>
#include <optional>
#include <string_view>

namespace slipway {

/// "[112/160]", "3/5" or "7": the progress, and the total if the text contains it.
struct Counter {
    std::string_view name; ///< as spelled in the text
    double done = 0;
    double total = 0; ///< 0: unknown
};

/// "Train Loss: 0.7057" or "acc 95.9 %".
struct NamedNumber {
    std::string_view name;
    double value = 0;
    std::string_view unit;
    const QString* series = nullptr; ///< what it is called in charts, where it is known already
};

/// Where the program is, as far as a line says.
struct PrintedPlace {
    std::optional<Counter> epoch;
    std::optional<Counter> step; ///< step, iteration, batch or update
};

/// A line that consists only of names with numbers. The views point into the line.
struct LineFields : PrintedPlace {
    static constexpr size_t mostPairs = 64;

    /// Where a number was read, with its total and its unit.
    struct Field {
        enum Kind { Epoch, Step, Pair, Other };
        Kind kind = Other;
        std::string_view text;
        bool isCounter = false;
    };

    std::array<NamedNumber, mostPairs> pairs;
    size_t pairCount = 0;
    std::array<Field, mostPairs> fields; ///< in the order of the line
    size_t fieldCount = 0; ///< as many as there are: maybe more than are kept
};

/// Parses a line of a training program. True only when the line consists of nothing but names with
/// numbers (after a time stamp, a level or a bracketed prefix), separated by commas, bars, dashes
/// or spaces, at least one of them a step, iteration or epoch. Prose fails: "Error: 3", "Step 2 of
/// the guide".
bool readFields(std::string_view line, LineFields& fields);

// What follows a name: each removes what it read from the start of `rest`, and nothing when it read
// nothing.

/// "7", "3/5", "[112/160]", "[3][ 10/500]" (the second bracket is left for the caller).
std::optional<Counter> takeCounter(std::string_view name, std::string_view& rest);
/// A number, also inside tensor(…) or quotes, with its unit, and the running mean in parentheses
/// that some programs print behind it.
bool takeFieldValue(std::string_view& rest, NamedNumber& out);

/// The name of a series as charts group it: "Train Loss" is "train_loss", "val/acc"
/// "valid_accuracy".
QString seriesName(std::string_view name);

/// The unit in the text; an accuracy above 1 can only be a percentage.
QString seriesUnit(const QString& series, const NamedNumber& number);

} // namespace slipway

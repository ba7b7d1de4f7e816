// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string_view>

namespace slipway {

/// The words that training programs use, in one place.

bool isEpochWord(std::string_view name);
/// A counter: epoch, step, iteration, batch, update.
bool isCounterWord(std::string_view name);
/// Whether a name may be that of a measurement. Without a colon or an equals sign after it, or with
/// several words, only known words count: anything else is prose.
bool isMetricName(std::string_view name, bool assigned);
/// Numbers that describe the run and are not measurements: batch size, rank, seed, port.
bool isBookkeeping(std::string_view name);
bool isLogLevel(std::string_view word);
/// "nan", "inf": a word that is a number.
bool isNonFinite(std::string_view rest);
/// Removes a known unit from the start ("%", " %", "ms", "img/s", " images/s"); empty when there is
/// none.
std::string_view takeUnit(std::string_view& rest);

/// All of this that concerns a name before a number, remembered for the next line.
struct FieldWord {
    bool isCounter = false;
    bool isEpoch = false;
    bool isMetric = false;
    bool isAssignedMetric = false; ///< before a colon or an equals sign
    bool isBookkeeping = false;
};
const FieldWord& fieldWord(std::string_view name); ///< valid until the next call

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/metricnames.h"

#include <optional>
#include <string_view>

namespace slipway {

/// One number of a line, with the words that stand for it. The views point into the line.
struct LinePair {
    std::string_view name; ///< empty: the number has a unit only ("812 img/s")
    double value = 0;
    double total = 0; ///< of "12/400"; 0: none
    int part = 0; ///< from 1 on: of several numbers behind one name; 0: there is one
    double mean = 0; ///< the running mean behind it, "0.5 (0.6)"
    bool hasMean = false;
    bool isFraction = false; ///< it is written with a point
    bool isQuoted = false; ///< the name is
    bool isBehind = false; ///< the name stands behind the number: "48.3% MFU"
    bool isTimed = false; ///< the words before all numbers say that they are times
    bool hasOwnUnit =
        false; ///< "17.1d", "234.9km/s": behind the number is a unit that nobody knows
    bool isListed = false; ///< in a NameList, with the names beside it
    bool isStated = false; ///< "name is v", all that is on the line
    bool assigned = false; ///< "name: v", "name = v"; not "name v"
    std::string_view section = {}; ///< the data set that the words before name: "[valid] loss=0.3"
    std::string_view group = {}; ///< "tot_loss[simple_loss=0.3]"
    std::string_view qualified = {}; ///< the name with what stands in parentheses behind it
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

// A number of a line with what stands around it. Each function removes what it read from the start
// of `rest`, and nothing when it read nothing.

/// Whether a number is written as no count: with a point, or a negative exponent.
bool isFraction(std::string_view number);

/// A number, also in quotes or in the words of an array: "'0.5'", "tensor(0.5, device='cuda:0')".
std::optional<double> takeWrappedNumber(std::string_view& rest);

/// A number with its total, unit and running mean: "0.5 (0.6)", "3/400", "tensor(0.5)", "12 ms".
bool takeValue(std::string_view& rest, const MetricNames& names, LinePair& pair);

/// "3", "3/5", "3 of 5", "3/5 (60%)", "11-20", all in brackets of which the first is gone.
bool takeInBrackets(std::string_view& rest, char close, LinePosition& out);

/// "[37-30]": a range in brackets that ends before it begins, so that it is read as something else
/// than another one of its form.
bool hasFallingRange(std::string_view text);

/// "1m 5s", "2h 10m", "15 minutes and 3.2 seconds", "1sec 234msec" in seconds: two parts at least.
std::optional<double> takeDuration(std::string_view& rest);

/// "tensor(0.5, device='cuda:0')", "np.float64(0.5)": whether the text begins like this.
bool isWrapped(std::string_view text);

/// A unit, as it stands behind a number or in parentheses; null when there is none.
const MetricUnit* takeMetricUnit(std::string_view& rest, const MetricNames& names);

/// One past the parenthesis that closes the one at the start; npos when none does soon.
size_t behindParenthesis(std::string_view text);

} // namespace slipway

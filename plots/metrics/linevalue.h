// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linepairs.h"

namespace slipway {

// A number of a line with what stands around it. Each function removes what it read from the start
// of `rest`, and nothing when it read nothing.

/// A number with its total, unit and running mean: "0.5 (0.6)", "3/400", "tensor(0.5)", "12 ms".
bool takeValue(std::string_view& rest, const MetricNames& names, LinePair& pair);

/// "3", "3/5", "3/5 (60%)", all in brackets of which the first is gone.
bool takeInBrackets(std::string_view& rest, char close, LinePosition& out);

/// A unit, as it stands behind a number or in parentheses; null when there is none.
const MetricUnit* takeMetricUnit(std::string_view& rest, const MetricNames& names);

/// One past the parenthesis that closes the one at the start; npos when none does soon.
size_t behindParenthesis(std::string_view text);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/lane.h"
#include "remote/probe/bench/stats.h"

#include <string>
#include <vector>

namespace slipway::probe {

/// "243 GFLOP/s", "1.94 TB/s": three digits.
std::string rateText(double rate, const std::string& unit);

/// A row "bench.…" from rates, one per repeat.
Row benchRow(const std::string& id, const std::string& what, const std::vector<double>& rates,
    const std::string& unit);

/// The same from a point of measurePoint, with all its members.
Row benchRow(const std::string& id, const std::string& what, Work work, const Json& point);

/// Adds the share of a peak to the row's data and to its text.
void setPeak(Row& row, double peak);

} // namespace slipway::probe

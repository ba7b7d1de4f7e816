// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace slipway {

/// NaN of nothing.
double median(std::vector<double> values);

/// The 95 % interval of median(b) / median(a) by bootstrap sampling of the repeats of both. The
/// samples are the same each time, so that a result is reproducible. None when a side has fewer
/// than three values.
std::optional<std::pair<double, double>> ratioInterval(
    const std::vector<double>& a, const std::vector<double>& b);

struct SizedRatio {
    double x = 0;
    double ratio = 0;
};

/// Where the ratios last rise above 1, interpolated between logarithms. None when they do not end
/// above 1, or were never below.
std::optional<double> crossoverOf(const std::vector<SizedRatio>& byRisingSize);

} // namespace slipway

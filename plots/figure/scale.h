// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/seriesstore.h"

#include <vector>

namespace slipway {

/// AxisScale maps data values of an axis to pixels and back, linear or logarithmic. A value.
struct AxisScale {
    ValueRange range;
    bool logarithmic = false;
    double from = 0; ///< pixel of range.low
    double to = 1; ///< pixel of range.high

    double pixel(double value) const;
    double value(double pixel) const;
    /// The borders of `count` columns of equal width, as data values: in log space on a logarithmic
    /// axis.
    std::vector<double> columnEdges(int count) const;
};

/// The range with some margin, never empty, and positive on a logarithmic axis.
ValueRange paddedRange(ValueRange range, bool logarithmic, double share);

} // namespace slipway

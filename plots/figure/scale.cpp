// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/scale.h"

#include <cmath>

namespace slipway {

namespace {

/// Far below every measured value, but still a number: the position of zero and negative values on
/// a logarithmic axis.
double logOf(double value)
{
    return std::log10(std::max(value, 1e-300));
}

} // namespace

double AxisScale::pixel(double value) const
{
    const double low = logarithmic ? logOf(range.low) : range.low;
    const double high = logarithmic ? logOf(range.high) : range.high;
    const double at = logarithmic ? logOf(value) : value;
    return high > low ? from + (at - low) / (high - low) * (to - from) : from;
}

double AxisScale::value(double pixel) const
{
    const double share = to != from ? (pixel - from) / (to - from) : 0;
    if (!logarithmic)
        return range.low + share * (range.high - range.low);
    return std::pow(10.0, logOf(range.low) + share * (logOf(range.high) - logOf(range.low)));
}

std::vector<double> AxisScale::columnEdges(int count) const
{
    std::vector<double> edges(size_t(std::max(count, 1)) + 1);
    const double step = (to - from) / std::max(count, 1);
    for (size_t i = 0; i < edges.size(); ++i)
        edges[i] = value(from + step * double(i));
    edges.front() = range.low; // rounding must not exclude the first and the last point
    edges.back() = range.high;
    return edges;
}

ValueRange paddedRange(ValueRange range, bool logarithmic, double share)
{
    if (range.isEmpty())
        return logarithmic ? ValueRange{1, 10} : ValueRange{0, 1};
    if (logarithmic) {
        if (!(range.low > 0))
            range.low = range.high > 0 ? range.high / 1000 : 1;
        if (!(range.high > range.low))
            return {range.low / 2, range.low * 2};
        const double pad = std::pow(range.high / range.low, share);
        return {range.low / pad, range.high * pad};
    }
    if (range.high == range.low) {
        const double pad = range.low == 0 ? 1 : std::abs(range.low) * 0.1;
        return {range.low - pad, range.high + pad};
    }
    const double pad = (range.high - range.low) * share;
    return {range.low - pad, range.high + pad};
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/scale.h"
#include "plots/figure/theme.h"
#include "plots/metrics/chartspec.h"
#include "plots/metrics/ema.h"
#include "plots/metrics/seriesstore.h"

#include <QPointF>

#include <vector>

namespace slipway {

/// One curve of a chart, measured (`series`) or published (`reference`), with its style. A value
/// for one drawing; the store must outlive it.
struct Curve {
    const MetricSeries* series = nullptr;
    const ReferenceSeries* reference = nullptr;
    const MinMaxPyramid* drawn = nullptr; ///< the points of a measured curve, or the smoothed ones
    SeriesStyle style;
    QString name;
    QString detail; ///< the latest value, or the source
};

/// Measured curves first, in the order in which they appeared, so that each keeps its colour.
std::vector<Curve> curvesOf(
    const ChartSpec& spec, const SeriesStore& store, const ChartTheme& theme);

/// Curves with at most this many visible points show a marker for each.
constexpr size_t mostMarkers = 48;

/// A curve whose points can be told apart is not smoothed, because smoothing would move it away
/// from them.
inline bool smooths(const MetricSeries& series, double weight)
{
    return weight > 0 && series.size() > mostMarkers;
}

/// The ranges of the axes that show everything, with some margin.
struct ChartRanges {
    ValueRange x;
    ValueRange y;
};
ChartRanges rangesOf(const ChartSpec& spec, const std::vector<Curve>& curves);

/// The points of a series to draw: all of them if they are few, else the first, lowest, highest and
/// last of each pixel column, which looks exactly the same. In data coordinates, not pixels.
void reducedPoints(
    const MinMaxPyramid& points, const AxisScale& x, int columns, std::vector<QPointF>& out);

/// The number of points of the series in the range.
size_t visibleCount(const MinMaxPyramid& points, const ValueRange& x);

} // namespace slipway

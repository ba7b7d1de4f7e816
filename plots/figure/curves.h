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

/// One curve of a chart, measured (`series`) or published (`reference`), with its looks. A value
/// for one drawing; the store must outlive it.
struct Curve {
    const MetricSeries* series = nullptr;
    const ReferenceSeries* reference = nullptr;
    const MinMaxPyramid* drawn = nullptr; ///< of a measured curve: its points, or the smoothed ones
    SeriesStyle style;
    QString name;
    QString detail; ///< the latest value, or the source
};

/// Measured curves first, in the order in which they appeared: so each keeps its colour.
std::vector<Curve> curvesOf(
    const ChartSpec& spec, const SeriesStore& store, const ChartTheme& theme);

/// Curves with at most so many visible points show each of them with a marker.
constexpr size_t mostMarkers = 48;

/// A curve whose points can be told apart is not smoothed: it would be moved away from them.
inline bool smooths(const MetricSeries& series, double weight)
{
    return weight > 0 && series.size() > mostMarkers;
}

/// What the axes must span to show everything, with some air.
struct ChartRanges {
    ValueRange x;
    ValueRange y;
};
ChartRanges rangesOf(const ChartSpec& spec, const std::vector<Curve>& curves);

/// The points to draw of a series: all of them when they are few, else the first, lowest, highest
/// and last of each pixel column, which look exactly the same. In numbers, not pixels.
void reducedPoints(
    const MinMaxPyramid& points, const AxisScale& x, int columns, std::vector<QPointF>& out);

/// How many points of the series lie in the range.
size_t visibleCount(const MinMaxPyramid& points, const ValueRange& x);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/scale.h"
#include "plots/figure/theme.h"
#include "plots/metrics/chartspec.h"
#include "plots/metrics/ema.h"
#include "plots/metrics/seriesstore.h"

#include <QPointF>

#include <span>
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
    QString detail; ///< the latest value, once setValues() was called; or the source
};

/// Measured curves first, in the order in which they appeared. The colour of each follows from its
/// name, unless the theme has an order of its own.
std::vector<Curve> curvesOf(
    const ChartSpec& spec, const SeriesStore& store, const ChartTheme& theme);

/// The x axis of these curves: the recipe's, or their own counter ("step", "epoch"). Time is in
/// seconds.
ChartAxis xAxisOf(const ChartSpec& spec, const std::vector<Curve>& curves);

/// Writes the latest value of each measured curve in the unit that the labels of the y axis have
/// over this range.
void setValues(std::vector<Curve>& curves, const ChartSpec& spec, const ValueRange& y);

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
/// last of each pixel column, which looks exactly the same. In data coordinates, not pixels. From
/// left to right, or, of few points that pass the same x several times, in passes from left to
/// right.
void reducedPoints(
    const MinMaxPyramid& points, const AxisScale& x, int columns, std::vector<QPointF>& out);

/// The end of the line that begins with this point: where x goes back, another one begins.
size_t strokeEnd(std::span<const QPointF> points, size_t begin);

/// Indexes of points, from `begin` up to, not including, `end`.
struct PointRange {
    size_t begin = 0;
    size_t end = 0;

    size_t count() const { return end - begin; }
};
/// The points of the series in the range; all of them if they are not in order.
PointRange visiblePoints(const MinMaxPyramid& points, const ValueRange& x);

} // namespace slipway

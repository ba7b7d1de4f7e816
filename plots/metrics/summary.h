// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

struct ChartSpec;
class MetricSeries;
class SeriesStore;

/// "train_loss" for display: "train loss".
QString seriesTitle(const QString& series);

/// The label of a curve within its chart: the lane when there are several lanes of one series, the
/// series when the chart shows several, and both when there are several of each.
QString curveName(const ChartSpec& spec, const SeriesStore& store, const MetricSeries& series);

/// A summary of the chart, for a screen reader, a terminal and the line under the chart:
/// "flops: cpu, 2 threads 88.4 GFLOP/s at n 8192 (highest); cuda 4.88 TFLOP/s at n 8192 (highest)".
/// The best value of each curve is named if it is known which direction is better, else its range.
QString chartSummary(const ChartSpec& spec, const SeriesStore& store);

/// The same for a screen reader that comes to the chart: how many curves there are, then their
/// values.
QString chartDescription(const ChartSpec& spec, const SeriesStore& store);

/// The name of an axis with its unit: "size, B"; the unit alone if the axis is called "time". An
/// axis of lines says why it is none of time.
QString axisTitle(const QString& name, const QString& unit);

/// The numbers of a chart as a table: one row for each x, one column for each curve.
struct ChartTable {
    QStringList header;
    std::vector<QStringList> rows;
};
/// Of a chart with more rows than `mostRows`, the last ones.
ChartTable chartTable(const ChartSpec& spec, const SeriesStore& store, size_t mostRows = 1000);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <vector>

namespace slipway {

/// One axis of a chart, as a recipe describes it. A value.
struct ChartAxis {
    QString name; ///< its quantity: "n", "step", "epoch"; may be empty
    QString unit; ///< "FLOP/s", "s", "%"; the drawing adds the prefix (GFLOP/s)
    bool logarithmic = false;

    bool operator==(const ChartAxis&) const = default;
};

/// One published number.
struct ReferencePoint {
    double x = 0;
    double y = 0;

    bool operator==(const ReferencePoint&) const = default;
};

/// Published numbers, drawn grey and dashed with their source. A value. A single point is drawn as
/// a level across the whole chart (a peak, an expected bandwidth). Values that are not comparable
/// are shown as unconnected points, with the reason.
struct ReferenceSeries {
    QString label; ///< "Frontera RTX 5000"
    QString series; ///< the series that it belongs to: "flops"; empty: the series of the chart
    QString source; ///< "TACC tutorial, 2024": where the numbers were published
    std::vector<ReferencePoint> points;
    QString conditions = {}; ///< how they were measured: cores, threads, precision, unit, rounding
    QString notComparable =
        {}; ///< why they are not comparable with measurements here; empty: they are

    bool operator==(const ReferenceSeries&) const = default;
};

/// What one chart shows, filled from a recipe's JSON. A value; needs no widget.
struct ChartSpec {
    QString id; ///< stable id of the chart within its recipe
    QString title; ///< "Loss"
    QString
        series; ///< names of series, separated by spaces or commas; "*" matches any text ("*_loss")
    ChartAxis x;
    ChartAxis y;
    std::vector<ReferenceSeries> references;
    bool higherIsBetter = true;

    bool operator==(const ChartSpec&) const = default;
};

/// The note on a reference: its source and conditions, or why it cannot be compared.
QString referenceWords(const ReferenceSeries& reference);

/// Whether a series is sampled on the node, not printed by the program ("gpu_utilization"): a chart
/// shows it only if it names it.
bool isMeasuredBeside(const QString& series);

/// Whether a chart with this filter shows this series. An empty filter shows all series that a
/// program printed.
bool chartShows(const ChartSpec& spec, const QString& series);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

class MetricSeries;

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
    std::optional<bool> higherIsBetter = {}; ///< nullopt: nobody said which direction is better
    QStringList only = {}; ///< of the series above only these names; empty: all

    bool operator==(const ChartSpec&) const = default;
};

/// The note on a reference: its source and conditions, or why it cannot be compared.
QString referenceWords(const ReferenceSeries& reference);

/// Whether a series has the name of one that is sampled on the node, beside the program
/// ("gpu_utilization").
bool isMeasuredBeside(const QString& series);

/// Whether a series is a loss by its name: "loss", "train_loss", "loss_total".
bool isLossSeries(const QString& series);

/// The name of the x of a series in this chart. Where the chart asks for lines, it is the time of
/// the lines if that is known.
QString xNameOf(const ChartSpec& spec, const MetricSeries& series);

/// Whether a chart with this filter shows a series that a program printed. An empty filter shows
/// all of them.
bool chartShows(const ChartSpec& spec, const QString& series);
/// The same for any series. One that was sampled on the node is shown only by a filter that names
/// it: "*" stands for what the program prints.
bool chartShows(const ChartSpec& spec, const MetricSeries& series);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <vector>

namespace slipway {

/// One axis of a chart, as a recipe describes it. A value.
struct ChartAxis {
    QString name; ///< what is on it: "n", "step", "epoch"; may be empty
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

/// Numbers that somebody else published, drawn grey and dashed with their source. A value.
/// One point alone is drawn as a level across the whole chart (a peak, an expected bandwidth).
/// What was measured otherwise is shown as points that no line joins, with the reason.
struct ReferenceSeries {
    QString label; ///< "Frontera RTX 5000"
    QString series; ///< which series it stands beside: "flops"; empty: the series of the chart
    QString source; ///< "TACC tutorial, 2024": where the numbers were published
    std::vector<ReferencePoint> points;
    QString conditions = {}; ///< how they were measured: cores, threads, precision, unit, rounding
    QString notComparable =
        {}; ///< why they do not stand beside what is measured here; empty: they do

    bool operator==(const ReferenceSeries&) const = default;
};

/// What one chart shows, filled from a recipe's JSON. A value; needs no widget.
struct ChartSpec {
    QString id; ///< stable word of the chart within its recipe
    QString title; ///< "Loss"
    QString series; ///< names of series, separated by spaces or commas; "*" stands for any text
                    ///< ("*_loss")
    ChartAxis x;
    ChartAxis y;
    std::vector<ReferenceSeries> references;
    bool higherIsBetter = true;

    bool operator==(const ChartSpec&) const = default;
};

/// What is said beside a reference: its source and conditions, or why it cannot be compared.
QString referenceWords(const ReferenceSeries& reference);

/// Whether a series is measured beside a program, on its node ("gpu_utilization"): a chart must
/// name it.
bool isMeasuredBeside(const QString& series);

/// Whether a chart with this filter shows this series. An empty filter shows all that a program
/// told.
bool chartShows(const ChartSpec& spec, const QString& series);

} // namespace slipway

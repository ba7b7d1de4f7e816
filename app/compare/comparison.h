// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/comparisonvalues.h"
#include "plots/metrics/chartspec.h"
#include "plots/metrics/sample.h"

namespace slipway {

/// The medians and ratios of a comparison, ready for display: one row per size. The first column is
/// the size; only the table of a fair comparison contains ratios.
struct ComparisonTable {
    QStringList headings;
    std::vector<QStringList> rows;
};

/// The lanes of the files, in their order. If a CPU ran two libraries, the faster one counts: a
/// slow one would flatter the GPU.
std::vector<CompareLane> lanesOf(const std::vector<RaceFile>& files);
Comparison compare(const CompareLane& a, const CompareLane& b);
/// The lanes to start with: the fastest GPU against the fastest CPU lane; else the first two.
std::optional<std::pair<size_t, size_t>> likelyPair(const std::vector<CompareLane>& lanes);

ComparisonTable comparisonTable(const Comparison& comparison);

/// "size,lane,repeat,seconds,…": every repeat of every lane.
QByteArray comparisonCsv(const std::vector<CompareLane>& lanes);
/// The comparison as text: result, fairness, table, protocol, lanes that did not run.
QByteArray comparisonMarkdown(
    const Comparison& comparison, const std::vector<AbsentLane>& absent = {});
QByteArray comparisonJson(const Comparison& comparison, const std::vector<AbsentLane>& absent = {});

/// A lane as curves: series "flops" (FLOP/s; triad: "bandwidth", B/s), "seconds" and
/// "seconds_with_transfers", with the spread of the repeats. For charts.
std::vector<Sample> samplesOf(const CompareLane& lane);
/// The chart for these lanes: rates where all have them, else times; with the matching references.
ChartSpec comparisonChart(
    const std::vector<CompareLane>& lanes, const std::vector<ReferenceSeries>& references = {});

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/theme.h"
#include "plots/metrics/seriesstore.h"
#include "ui/compare/comparemodel.h"

namespace slipway {

// The lanes as a chart, as a table and in sentences. Pure functions.

/// The chart of the model's view: log-log, peaks dotted, references dashed with their source.
ChartSpec compareChart(const CompareModel& model);

/// Puts the medians of the lanes that are shown into the store, with the smallest and largest
/// repeat.
void fillSeries(SeriesStore& store, const CompareModel& model);

/// "GPU 49.1 TFLOP/s at n = 16384; CPU 1.61 TFLOP/s at n = 16384": the last value of each lane.
QString laneSummary(const SeriesStore& store);

/// The theme in which a lane keeps its colour and marker while others are hidden.
ChartTheme laneTheme(ChartTheme theme, const CompareModel& model);

/// "GPU against CPU, all threads: matmul scaling"
QString compareTitle(const CompareModel& model);
/// "Kestrel, x3101c0s25b0n0 · 20 Nov 2026 · image sha256:7c1f… · two lanes of one job"
QString compareSubtitle(const CompareModel& model);

/// "FP32 matrix product" for the kind of work "gemm" in these lanes.
QString workWords(const CompareModel& model, const QString& kind);

/// The medians of the two lanes; ratios are included only for a fair race.
ComparisonTable compareTable(const CompareModel& model);

/// The repeats of a point; compute only where the lane measured no transfers.
const std::vector<double>& secondsOf(const Measurement& point, bool withTransfers);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/curveschart.h"
#include "app/engine/engine.h"
#include "app/report/report.h"
#include "plots/figure/theme.h"

namespace slipway {

/// The compared curves as a page or a command line shows them. A value; the numbers of the sources
/// and the store must outlive it.
struct ReportedCurves {
    std::vector<CurvesSource> sources; ///< with their labels
    std::vector<OfferedSeries> offered;
    std::vector<CurvesEntry> entries; ///< of the series of the view
    CurvesView view;
    const SeriesStore* store = nullptr; ///< what the chart draws
    double smoothing = 0; ///< weight of the moving average
    ChartTheme theme = ChartTheme::light();
    CurvesOrder order = {}; ///< of the table; it shows all runs, whatever the filter
};

/// The report of the curves of several runs: which is best, the chart, the final values against
/// each field that was varied, the table of the runs and how it was measured. Needs a
/// QGuiApplication for the fonts of the charts.
ReportContent curvesReport(const ReportedCurves& curves);

/// Adds how these runs were launched, from what is stored on this computer: environment, fields of
/// the form, scripts and commands. GUI (or main) thread.
void addLaunches(ReportContent& report, Engine& engine, const std::vector<CurvesSource>& sources);

} // namespace slipway

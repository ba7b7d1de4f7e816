// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/comparison.h"
#include "app/report/report.h"

namespace slipway {

/// The report of a comparison: the verdict, the curves of all lanes, the medians, the rules of
/// fairness and how it was measured. Needs a QGuiApplication for the fonts of the chart.
ReportContent comparisonReport(const Comparison& comparison, const std::vector<CompareLane>& lanes,
    const std::vector<AbsentLane>& absent);

/// Its medians, rules and protocol as a part of another report. A fair one adds its finding to that
/// of the report; of an unfair one the rules say why there is none.
void addComparison(
    ReportContent& report, const Comparison& comparison, const std::vector<AbsentLane>& absent);

} // namespace slipway

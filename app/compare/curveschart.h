// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/curvestable.h"
#include "plots/metrics/chartspec.h"

namespace slipway {

// The chart of several runs' curves. Pure.

/// What is drawn. A value.
struct CurvesView {
    QStringList series; ///< all of one unit
    QString axis; ///< "step", "epoch", "time", another x as printed, or "field:lr": the final
                  ///< value against this field
    bool operator==(const CurvesView&) const = default;
};

/// The series of `wanted` that have the unit of the first: one axis has one unit.
QStringList seriesOfOneUnit(const QStringList& wanted, const std::vector<OfferedSeries>& offered);

/// The field of an axis "field:lr"; empty: the axis is one of the curves.
QString fieldOfAxis(const QString& axis);
/// "step", "epoch", "time", "learning rate": as a person reads it.
QString curvesAxisTitle(const QString& axis, const std::vector<CurvesSource>& sources);

/// The direction that is better for all of these series; none: not known, or not the same.
std::optional<bool> commonDirection(const CurvesView& view, const QString& unit);
ChartSpec curvesChart(const CurvesView& view, const std::vector<CurvesSource>& sources,
    const std::vector<OfferedSeries>& offered);

/// A curve in the store of the chart. The name of a series is changed where a chart could not
/// select it.
struct CurveToDraw {
    const MetricSeries* series = nullptr;
    size_t entry = 0; ///< its place in the entries
    CurveAxis axis;
    Sample pattern; ///< with its names in the store
    int look = 0; ///< the index of its colour, dashes and marker
};
/// In the order of the entries. The first series has a look for each entry; a second one goes on
/// from there. Curves that cannot be drawn on this axis are left out.
std::vector<CurveToDraw> curvesToDraw(const CurvesView& view,
    const std::vector<CurvesSource>& sources, const std::vector<CurvesEntry>& entries);

/// Which of the chosen curves are missing on this axis, and why, as a sentence; empty: none.
QString missingCurves(const CurvesView& view, const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries);

/// "Batch 64 is lowest: 0.352 at step 7520, 0.046 below Batch 32." Of the first series, where the
/// better direction is known and two runs have it; else empty.
QString bestSentence(const CurvesView& view, const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries);

/// "Demo cluster, Kestrel · 2 fields differ"
QString curvesSubtitle(const std::vector<CurvesSource>& sources);

/// How the curves of a picture were smoothed, with this weight of the moving average; empty: they
/// were not.
QString smoothingSentence(double weight);

/// Fills the store with the points of a chart whose axis is a field.
void fillSweep(const CurvesView& view, const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries, SeriesStore& into);

} // namespace slipway

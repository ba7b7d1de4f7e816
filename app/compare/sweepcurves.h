// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/curvestable.h"

namespace slipway {

// The results of several launches against what was varied. Pure.

/// The fields that differ and whose values are numbers for all runs.
std::vector<DifferingField> numericFields(const std::vector<CurvesSource>& sources);

/// The final value of each series against a field, one point for each run, by rising value. Several
/// lanes are several curves.
std::vector<Sample> sweepSamples(const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries, const QString& field);

/// An axis of a parallel plot: positions run from 0 to 1.
struct ParallelAxis {
    QString title;
    std::vector<std::pair<double, QString>> ticks;
};
/// One run, or one of its lanes: its position on each axis; none: it has no value there.
struct ParallelLine {
    size_t entry = 0;
    QString label;
    std::vector<std::optional<double>> at;
    QStringList texts = {}; ///< the value on each axis; empty: there is none
};
struct ParallelPlot {
    std::vector<ParallelAxis> axes;
    std::vector<ParallelLine> lines;
};
/// The fields that differ and the final value of a series; without axes unless two fields or more
/// differ.
ParallelPlot parallelPlot(const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries, const QString& series);

} // namespace slipway

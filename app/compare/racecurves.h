// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/measurement.h"
#include "plots/metrics/sample.h"
#include "plots/metrics/seriesstore.h"

#include <vector>

namespace slipway {

/// A lane as the run's recipe knows it: what its label means.
struct KnownLane {
    QString id;
    QString label;
    QString device; ///< "gpu", "cpu"
};

/// What is known of the run that the curves come from.
struct CurveRun {
    QString id;
    QString recipe; ///< its id: trainings of different recipes are different work
    std::vector<KnownLane> lanes;
    QMap<QString, QString> settings; ///< values of the form that decide how much work it is
};

/// The measurements that the curves of any run hold: times and rates by size, epochs of a training,
/// the time of a whole training. What no curve tells stays unknown. Pure.
RaceFile raceOfCurves(
    const SeriesStore& series, const std::vector<MetricEvent>& events, const CurveRun& run);

/// `file`, and of `more` the lanes that `file` has no measurements of.
void addLanes(RaceFile& file, const RaceFile& more);

} // namespace slipway

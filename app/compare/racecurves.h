// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/measurement.h"
#include "plots/metrics/sample.h"
#include "plots/metrics/seriesstore.h"

#include <vector>

namespace slipway {

/// A lane as defined in the run's recipe: the meaning of its label.
struct KnownLane {
    QString id;
    QString label;
    QString device; ///< "gpu", "cpu"
};

/// The run that the curves come from.
struct CurveRun {
    QString id;
    QString recipe; ///< its id: trainings of different recipes are different work
    std::vector<KnownLane> lanes;
    QMap<QString, QString> settings; ///< values of the form that determine the amount of work
};

/// The measurements that the curves of any run hold: times and rates by size, epochs of a training,
/// the time of a whole training. What no curve shows stays unknown. Pure.
RaceFile raceOfCurves(
    const SeriesStore& series, const std::vector<MetricEvent>& events, const CurveRun& run);

/// `file`, plus the lanes of `more` that `file` has no measurements of.
void addLanes(RaceFile& file, const RaceFile& more);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"
#include "app/runs/progresspace.h"
#include "app/runs/run.h"
#include "plots/metrics/seriesstore.h"

#include <QStringList>

namespace slipway {

class RunFeed;

/// What a run has found, in sentences with their numbers. A value; empty members: nothing is known.
struct RunFinding {
    QString answer; ///< "231 GFLOP/s at n 2048; the published RTX 5000 is 20 times as fast."
    QString progress; ///< "Step 282 of 752, about 30 s left."; only while it runs
    QStringList doubts; ///< what is odd about the numbers

    bool isEmpty() const { return answer.isEmpty() && progress.isEmpty() && doubts.isEmpty(); }
    bool operator==(const RunFinding&) const = default;
};

/// The finding of a run from its curves: of a training, the last and the lowest losses; else the
/// result of the first chart that has one, compared between the lanes and with the published
/// numbers of the recipe. `recipe` may be null. Pure, and quick for curves of any length.
RunFinding runFinding(const Run& run, const Recipe* recipe, const SeriesStore& series,
    const std::optional<RunProgress>& progress = {});
/// The same from its feed, which may be null.
RunFinding runFinding(const Run& run, const Recipe* recipe, const RunFeed* feed);

} // namespace slipway

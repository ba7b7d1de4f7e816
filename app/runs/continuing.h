// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"
#include "app/catalogue/site.h"
#include "app/runs/run.h"
#include "remote/base/result.h"

namespace slipway {

// Runs that continue one another: each begins from the checkpoints of the one before. Pure.

/// The id of the first run of those that continue one another; of a run that continues none, its
/// own.
QString chainOf(const Run& run);

/// The launch that continues a run: the same values, the same folder. `recipe` and `site` are the
/// run's, null if they no longer exist. Error: it cannot be continued, and why.
Result<LaunchSpec> continuingSpec(const Run& run, const Recipe* recipe, const Site* site = nullptr);

/// The launch that repeats a run from its beginning: it continues nothing.
LaunchSpec repeatingSpec(const Run& run);

/// The jobs after which that launch starts, joined by colons: those of the chain that have not
/// ended. Empty: none. Error: one of them has no job ID yet.
Result<QString> jobsBefore(const LaunchSpec& spec, const std::vector<Run>& runs);

/// The newest run that continues this one; none: it was not continued, or only by launches that
/// never became a job.
std::optional<Run> continuedBy(const Run& run, const std::vector<Run>& runs);

/// Whether to offer to continue it: it can be continued, has a job, and no run continues it.
bool offersContinuing(
    const Run& run, const Recipe* recipe, const Site* site, const std::vector<Run>& runs);

/// A sentence about its place in the chain, and the run that it names.
struct ChainSentence {
    QString text; ///< "Continues run k3f9."
    QString runId; ///< empty: that run is not in the list any more
};
std::vector<ChainSentence> chainSentences(const Run& run, const std::vector<Run>& runs);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"
#include "app/compare/measurement.h"
#include "app/runs/runfeed.h"
#include "app/runs/runhandle.h"

namespace slipway {

/// The measurements of a run's lanes: from the rows that they wrote, or else from its curves.
/// `recipe` and `feed` may be null. Reads the run's files.
RaceFile raceOf(RunHandle& handle, const Recipe* recipe, const RunFeed* feed);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/runcurves.h"
#include "app/runs/run.h"

#include <QDateTime>

namespace slipway {

class Runs;

/// What a comparison of curves needs to know of a run, as recorded at its launch: sites and recipes
/// may have changed since. Its label is its title; see labelRuns().
CurvesRun curvesRunOf(const Runs& runs, const Run& run, const QDateTime& now);

} // namespace slipway

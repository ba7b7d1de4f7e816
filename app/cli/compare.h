// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"
#include "app/compare/comparisonvalues.h"

namespace slipway {

/// Waits until the output of a run has been read: the feed reads it in slices.
QCoro::Task<void> untilRead(Context& context, QString runId);

/// Whether RUN:NAME on the command line names this lane of its run.
bool isLaneNamed(const CompareLane& lane, const QString& name);

/// “compare --curves”: the fields in which runs differ, where their series ended, and the curves on
/// one axis.
QCoro::Task<ExitCode> compareCurves(Context& context);

/// The options that --curves adds.
std::vector<OptionSpec> curvesOptions();
/// An option that only --curves takes, given without it; empty: there is none.
QString strayCurvesOption(const Arguments& arguments);

} // namespace slipway

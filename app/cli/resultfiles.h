// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"
#include "plots/metrics/seriesstore.h"

#include <QSize>

namespace slipway {

/// Of a plot that is written: pixels at scale 1, drawn at 2, sharp on paper and on fine screens.
inline constexpr QSize pictureSize(1200, 750);
inline constexpr double pictureScale = 2;

/// What is wrong with --plot, --csv and --fetch, known before anything is launched.
std::optional<Error> resultFilesProblem(const Arguments& arguments);

/// Writes the files that --plot and --csv ask for. `what` says whose series they are: "run k3f9".
ExitCode writeSeriesFiles(
    Context& context, const Run& run, const SeriesStore& store, const QString& what);

/// Copies a run's files into a folder of their own below `folder`: its path. Ctrl-C ends it with
/// ErrorKind::Cancelled.
QCoro::Task<Result<QString>> fetchFiles(Context& context, Run run, QString folder);

/// Writes the files that --plot, --csv and --fetch ask for, and says where everything is.
QCoro::Task<ExitCode> writeResultFiles(Context& context, Run run);

} // namespace slipway

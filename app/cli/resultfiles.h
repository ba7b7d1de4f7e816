// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"
#include "plots/metrics/seriesstore.h"

#include <QSize>

namespace slipway {

struct ReportContent;

/// The size of a plot file in pixels at scale 1. It is drawn at scale 2, sharp on paper and on
/// high-resolution screens.
inline constexpr QSize pictureSize(1200, 750);
inline constexpr double pictureScale = 2;

/// A mistake in --plot or --csv, found before anything is read or launched: a picture of no known
/// format, or a folder that does not exist.
std::optional<Error> plotAndCsvProblem(const Arguments& arguments);
/// The same with --fetch and --detach.
std::optional<Error> resultFilesProblem(const Arguments& arguments);

/// Replaces the file as a whole, or leaves it as it was.
Result<void> writeFile(const QString& path, const QByteArray& bytes);

/// A file name for a report that cannot be right, found before anything is read. `option` names it.
std::optional<Error> reportPathProblem(const QString& option, const QString& path);
/// Saves the report and says where it is.
ExitCode keepReport(Context& context, const QString& path, const ReportContent& report);

/// Writes the files that --plot and --csv ask for. `what` names the series: "run k3f9".
ExitCode writeSeriesFiles(
    Context& context, const Run& run, const SeriesStore& store, const QString& what);

/// Copies the files of a run to a new folder in `folder` and returns its path. Ctrl-C cancels it
/// (ErrorKind::Cancelled).
QCoro::Task<Result<QString>> fetchFiles(Context& context, Run run, QString folder);

/// Writes the files that --plot, --csv and --fetch ask for, and reports where they are.
QCoro::Task<ExitCode> writeResultFiles(Context& context, Run run);

} // namespace slipway

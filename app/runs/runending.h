// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runflow.h"
#include "app/runs/runnumbers.h"
#include "app/runs/runreader.h"

#include <QCoroTask>

namespace slipway {

// What is done once when a run ends. Each is a task that owns what it needs; it stops early when
// the flow is over.

constexpr qint64 shownLog = 16 * 1024; ///< bytes of the end of a log, for an error's detail

/// The job has ended: its output is read completely, and the run ends with it. An error: the output
/// cannot be read now. `numbers` is filled.
QCoro::Task<Result<void>> endRun(RunFlow flow, std::shared_ptr<RunReader> reader,
    std::shared_ptr<RunNumbers> numbers, std::optional<JobState> state, QString stateText);

/// A file that is fetched: its place in the run folder on the cluster, and in the one here.
struct ResultFile {
    RemoteFile there;
    QString here; ///< empty: another file has that place
};
/// Where listed results are kept. code/results/ becomes results/, after the files that are there.
std::vector<ResultFile> resultFiles(std::vector<RemoteFile> listed);

/// Fetches the results that a recipe names, if they are small; their stage shows the outcome.
QCoro::Task<Result<void>> fetchResults(RunFlow flow);

/// Explanations from the whole log, the last state and exit code that Slurm reported, and the
/// samples of the nodes. The log is read one
/// slice per turn of the event loop: a long one never blocks the window.
QCoro::Task<std::vector<Explanation>> explainRun(RunFlow flow, std::shared_ptr<RunNumbers> numbers,
    RunPhase phase, QString stateText, std::optional<int> exitCode);

} // namespace slipway

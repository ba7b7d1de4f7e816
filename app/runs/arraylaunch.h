// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runflow.h"

#include <QCoroTask>

#include <memory>
#include <optional>

namespace slipway {

// The launch of several runs as the tasks of one job array, from this program. What must survive it
// is in the runs themselves and on the cluster: see runsearch.h.

/// ArrayLaunch is shared by the drivers of the runs: they prepare their folders one after another,
/// and the first of them submits for all. On the GUI (or main) thread.
struct ArrayLaunch {
    int tasks = 0;
    QByteArray script; ///< array.sh
    QString scratch;
    int prepared = 0; ///< folders that are complete
    int waiting = 0; ///< runs that are stored as being submitted
    std::optional<Result<JobId>> job; ///< the array's, or why there is none
};

/// Returns when the folders of the tasks before this one are complete. An error: one of them could
/// not be prepared, so nothing is submitted.
QCoro::Task<Result<void>> awaitTurn(RunFlow flow, std::shared_ptr<ArrayLaunch> array);
/// The folder of this task is complete, or not: then no task is submitted.
void noteFolder(const RunFlow& flow, ArrayLaunch* array, const Result<void>& prepared);
/// Waits until all folders are complete, submits once for all tasks, and returns the ID of this
/// one.
QCoro::Task<Result<JobId>> submitTask(RunFlow flow, std::shared_ptr<ArrayLaunch> array);

} // namespace slipway

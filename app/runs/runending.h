// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runflow.h"
#include "app/runs/runreader.h"

#include <QCoroTask>

namespace slipway {

// What is done once when a run ends. Each is a task that holds what it needs; it stops early when
// the flow is over.

constexpr qint64 shownLog = 16 * 1024; ///< of the end of a log, for an error's detail

/// The job has ended: what it wrote is read to its end, and the run ends with it. An error: that
/// cannot be read now.
QCoro::Task<Result<void>> endRun(RunFlow flow, std::shared_ptr<RunReader> reader,
    std::optional<JobState> state, QString stateText);

/// The results that a recipe names, copied here as far as they are small; told by their stage.
QCoro::Task<Result<void>> fetchResults(RunFlow flow);

/// What the whole log and the scheduler's last word are known for. The log is read a slice a turn
/// of the event loop: a long one never holds up the window.
QCoro::Task<std::vector<Explanation>> explainRun(RunFlow flow, RunPhase phase, QString stateText);

} // namespace slipway

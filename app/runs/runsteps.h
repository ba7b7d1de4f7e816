// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/interactivesteps.h"
#include "app/runs/runreader.h"

#include <QCoroTask>

namespace slipway {

/// Runs the steps in the allocation, one by one, until one of them stops the sequence. A step that
/// was started by an earlier connection is not started again. An error: it is not known how a step
/// ended.
QCoro::Task<Result<void>> runSteps(
    RunFlow flow, std::shared_ptr<RunReader> reader, InteractiveSteps steps);

/// All steps have ended: the results are fetched, and the nodes are kept.
QCoro::Task<Result<void>> endSteps(RunFlow flow, InteractiveSteps steps);

} // namespace slipway

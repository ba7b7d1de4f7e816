// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/requests.h"
#include "remote/cluster/slurmcontext.h"

namespace slipway {

// Steps in an allocation. The state of a step is stored next to its script on the cluster, in
// NAME.lock, NAME.pid and NAME.exit, so that any later connection finds it.

Result<void> checkStep(const StepRequest& step);
QByteArray startStepScript(const StepRequest& step);
QByteArray stepStateScript(const StepRequest& step);
Result<StepState> parseStepState(const QByteArray& output);

QCoro::Task<Result<void>> startStepOn(std::shared_ptr<SlurmContext> side, StepRequest step);
QCoro::Task<Result<StepState>> stepStateOn(std::shared_ptr<SlurmContext> side, StepRequest step);
QCoro::Task<Result<int>> stepResultOn(std::shared_ptr<SlurmContext> side, StepRequest step);
QCoro::Task<Result<void>> cancelStepOn(std::shared_ptr<SlurmContext> side, StepRequest step);

} // namespace slipway

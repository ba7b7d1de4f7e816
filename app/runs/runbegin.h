// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "app/runs/runflow.h"

#include <QCoroTask>

namespace slipway {

/// Creates the run folder on the cluster and uploads the files of `plan`, and the folder of a
/// person's own program; a copy of the files is kept locally.
/// Nothing is submitted.
QCoro::Task<Result<void>> prepareRun(RunFlow flow, Plan plan, QString scratch);

/// The folder of a run on the cluster: <scratch>/slipway/<date>-<recipe>-<id>.
QString runFolderPath(const QString& scratch, const Run& run);

} // namespace slipway

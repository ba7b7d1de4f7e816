// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/runregistry.h"

#include <QCoroTask>

namespace slipway {

/// Launches the points of a sweep as the tasks of one job array, with one sbatch. `added` is called
/// with the id of each run once it is in the list. The result is their ids once the cluster has
/// accepted the array. Refused if lint reports errors, or if the runs cannot be one array; then
/// there is none. GUI (or main) thread; the registry may be deleted meanwhile.
QCoro::Task<Result<QStringList>> launchArray(RunContext context, RunRegistry* registry,
    std::vector<LaunchSpec> specs, std::function<void(QString)> added);

} // namespace slipway

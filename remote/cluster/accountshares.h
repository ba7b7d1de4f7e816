// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/slurmcontext.h"
#include "remote/slurm/clusterinfo.h"

namespace slipway {

/// Shell text that asks for fair-share and hours: one call to the scheduler. Its output is bounded.
QByteArray sharesScript();
/// The shares of the user of `known`; without the fair-share where the priority of jobs does not
/// depend on it, because Slurm prints a number there as well.
std::vector<AccountShare> readShares(const QByteArray& output, const ClusterInfo& known);

/// Asks where accounting is on, the scheduler answers, and the budget has room for one more call.
QCoro::Task<Result<std::vector<AccountShare>>> askForShares(
    std::shared_ptr<SlurmContext> side, ClusterInfo known);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/requests.h"
#include "remote/cluster/slurmcontext.h"

#include <functional>

namespace slipway {

/// Starts an salloc that belongs to no connection, once a folder. Prints "started", "already",
/// "nofolder" or "nolock".
QByteArray allocateScript(const AllocateRequest& request);

/// Asks for nodes and waits; see Cluster::allocate(). `pending` is told the number once it is
/// known.
QCoro::Task<Result<Allocation>> allocateNodes(std::shared_ptr<SlurmContext> side,
    AllocateRequest request, std::function<void(const JobId&)> pending);

/// scancel, confirmed by the job's state; see Cluster::cancel().
QCoro::Task<Result<void>> cancelJob(std::shared_ptr<SlurmContext> side, JobId job);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/requests.h"
#include "remote/cluster/slurmcontext.h"

#include <functional>

namespace slipway {

/// Starts an salloc that is independent of the connection, once per folder. Prints "started",
/// "already", "nofolder" or "nolock".
QByteArray allocateScript(const AllocateRequest& request);

/// Requests nodes and waits; see Cluster::allocate(). `pending` is called with the job ID once it
/// is known.
QCoro::Task<Result<Allocation>> allocateNodes(std::shared_ptr<SlurmContext> side,
    AllocateRequest request, std::function<void(const JobId&)> pending);

/// scancel, confirmed by the job's state; see Cluster::cancel().
QCoro::Task<Result<void>> cancelJob(std::shared_ptr<SlurmContext> side, JobId job);

} // namespace slipway

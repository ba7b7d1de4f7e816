// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/rpcbudget.h"
#include "remote/shell/shell.h"

#include <QCoroTask>

#include <chrono>
#include <memory>

namespace slipway {

class RunTail;

/// How long the operations of Cluster wait between two checks, and before they time out.
struct Timeouts {
    std::chrono::milliseconds look{5'000}; ///< between calls to the scheduler
    std::chrono::milliseconds absent{60'000}; ///< a lost submission is searched for this long
    std::chrono::milliseconds poll{1'000}; ///< between polls of a file; slower after ten of them
    std::chrono::milliseconds cancel{60'000}; ///< until a cancel must be confirmed
};

/// SlurmContext is shared by the tasks of Cluster: the Shell, the budget of calls, and the line
/// that adds Slurm to the PATH where only a login shell does. GUI thread; held by every running
/// task.
struct SlurmContext {
    std::shared_ptr<Shell> shell;
    std::shared_ptr<RpcBudget> budget;
    std::shared_ptr<RunTail> tail; ///< of Cluster; null: small files are polled
    QByteArray preamble; ///< shell text ending in a newline, or empty
    Timeouts timeouts;
    bool accounting = false;
};

/// Runs a script that calls the scheduler `calls` times.
QCoro::Task<Result<CommandOutput>> runOn(std::shared_ptr<SlurmContext> side, QByteArray script,
    int calls, std::chrono::milliseconds timeout = std::chrono::milliseconds(60'000));

/// Whether an ID is safe to use in a command line.
bool isJobIdText(const QString& text);

} // namespace slipway

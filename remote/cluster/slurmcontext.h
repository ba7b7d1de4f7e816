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

/// How long the operations of Cluster wait between two looks, and before they give up.
struct Timeouts {
    std::chrono::milliseconds look{5'000}; ///< between questions to the scheduler
    std::chrono::milliseconds absent{60'000}; ///< a lost submission is looked for this long
    std::chrono::milliseconds poll{1'000}; ///< between looks at a file; slower after ten of them
    std::chrono::milliseconds cancel{60'000}; ///< until a cancel must be seen
};

/// SlurmContext is what the tasks of Cluster share: the Shell, the budget of questions, and the
/// line that puts Slurm on the PATH where only a login shell does. GUI thread; held by every task
/// under way.
struct SlurmContext {
    std::shared_ptr<Shell> shell;
    std::shared_ptr<RpcBudget> budget;
    std::shared_ptr<RunTail> tail; ///< of Cluster; null: small files are looked at now and then
    QByteArray preamble; ///< shell text ending in a newline, or empty
    Timeouts timeouts;
    bool accounting = false;
};

/// Runs a script that asks the scheduler `calls` times.
QCoro::Task<Result<CommandOutput>> runOn(std::shared_ptr<SlurmContext> side, QByteArray script,
    int calls, std::chrono::milliseconds timeout = std::chrono::milliseconds(60'000));

/// A number that may stand in a command line.
bool isJobIdText(const QString& text);

} // namespace slipway

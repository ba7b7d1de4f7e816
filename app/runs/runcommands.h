// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "remote/shell/connector.h"

#include <QStringList>

#include <vector>

namespace slipway {

/// A step of an interactive run, as it is started by hand.
struct StepCommand {
    QString file; ///< "steps/01-image.sh"
    bool leavesGpus = false; ///< to the srun inside it
};

/// What a person types to log in to a login node: "ssh -p 2222 ada@login". `options` are ssh's own.
QString sshCommand(const ConnectTarget& target, const QStringList& options = {});

/// What a person would type to do by hand what Slipway did for this run: log in, submit or
/// allocate, look at the queue, follow the log, cancel. One command an entry; pure. `steps` are the
/// step files of an interactive run, `allocation` the words that ask for its nodes, the program
/// first.
QStringList runCommands(const Run& run, const ConnectTarget& target,
    const std::vector<StepCommand>& steps, const QStringList& allocation);

} // namespace slipway

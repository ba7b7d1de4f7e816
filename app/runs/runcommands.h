// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "remote/shell/connector.h"

#include <QStringList>

#include <vector>

namespace slipway {

/// A step of an interactive run, as started by hand.
struct StepCommand {
    QString file; ///< "steps/01-image.sh"
    bool leavesGpus = false; ///< to the srun inside it
};

/// "srun --jobid=42 --overlap … bash -l steps/01-run.sh", in the run folder.
QString stepCommand(const QString& jobId, const StepCommand& step);

/// The command that logs in to a login node: "ssh -p 2222 ada@login". `options` are options of ssh.
QString sshCommand(const ConnectTarget& target, const QStringList& options = {});

/// The commands that do by hand what Slipway did for this run: log in, submit or allocate, show the
/// queue, follow the log, cancel. One command per entry; pure. `steps` are the step files of an
/// interactive run, `allocation` the words of the allocation command, beginning with the program.
QStringList runCommands(const Run& run, const ConnectTarget& target,
    const std::vector<StepCommand>& steps, const QStringList& allocation);

} // namespace slipway

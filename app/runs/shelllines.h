// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "app/runs/runcommands.h"
#include "remote/shell/connector.h"

#include <QJsonObject>
#include <QString>

namespace slipway {

struct Plan;

/// The commands for a shell on the nodes that a run keeps. A value; all are empty where no such
/// shell is available.
struct ShellLines {
    QString fromHere; ///< in a terminal on this computer: through the login node to the first node
    QString onLogin; ///< on the login node: to the first node
    QString inContainer; ///< on the login node: into the run's container; empty: it has none
    QString steps = {}; ///< on the login node: runs the steps once more; empty: they are unknown

    bool isEmpty() const { return onLogin.isEmpty(); }
};

/// Their form in steps.json: they remain those of the launch, even if its recipe or site changes.
/// Pure.
QJsonObject shellToJson(const Plan& plan);

/// For a run whose nodes are kept until they are released; empty otherwise. `kept` is the result of
/// shellToJson(), and `steps` are the files of its steps; there is neither for a run that was found
/// on the cluster. Pure.
ShellLines shellLines(const Run& run, const ConnectTarget& target, const QJsonObject& kept,
    const std::vector<StepCommand>& steps = {});

} // namespace slipway

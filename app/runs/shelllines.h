// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "remote/shell/connector.h"

#include <QJsonObject>
#include <QString>

namespace slipway {

struct Plan;

/// The lines that a person pastes to get a shell in the nodes that a run keeps. A value; all of
/// them are empty where there is no such shell.
struct ShellLines {
    QString fromHere; ///< in a terminal on this computer: over the login node to the first node
    QString onLogin; ///< on the login node: to the first node
    QString inContainer; ///< on the login node: into the run's container there; empty: it has none

    bool isEmpty() const { return onLogin.isEmpty(); }
};

/// What steps.json keeps for them: they are those of the launch, whatever becomes of its recipe and
/// its site. Pure.
QJsonObject shellToJson(const Plan& plan);

/// For a run whose nodes are kept until they are released; none otherwise. `kept` is what
/// shellToJson() gave; nothing is kept of a run that was found on the cluster. Pure.
ShellLines shellLines(const Run& run, const ConnectTarget& target, const QJsonObject& kept);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/sessions/demostage.h"
#include "app/sessions/emulatedsite.h"
#include "remote/shell/connector.h"

#include <QByteArray>

namespace slipway {

/// One parsed JSON line of the demo cluster's program. `event` determines which fields are set. A
/// value.
struct DemoLine {
    QString event; ///< plan, stage, ready, status, error
    std::vector<DemoStage> stages;
    DemoStage stage;
    DemoState state = DemoState::Unknown;
    QString detail;
    QString connection;
    QString emulates; ///< ready, status: the id of the site that the cluster emulates
    QString slurm; ///< ready, status: the word of its Slurm release
    Error error;
};

/// Removes the complete lines from `pending`. Anything but a JSON object with a known event is
/// skipped: the tools that the program runs may print anything.
std::vector<DemoLine> takeDemoLines(QByteArray& pending);

/// connection.json of a running demo cluster: how to log in.
struct DemoConnection {
    ConnectTarget target;
    bool gpusAreReal = false;
    QString gpusNote;
    std::optional<QString> mpi; ///< srun's MPI plugin; empty: it has none for MPI
    Emulation emulation;
};
Result<DemoConnection> readDemoConnection(const QByteArray& json, const QString& file);

} // namespace slipway

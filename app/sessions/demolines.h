// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/sessions/democluster.h"
#include "app/sessions/emulatedsite.h"
#include "remote/shell/connector.h"

#include <QByteArray>

namespace slipway {

/// One JSON line of the demo cluster's program, read. `event` says which of the fields count. A
/// value.
struct DemoLine {
    QString event; ///< plan, stage, ready, status, error
    std::vector<DemoStage> stages;
    DemoStage stage;
    DemoState state = DemoState::Unknown;
    QString detail;
    QString connection;
    QString emulates; ///< ready, status: the id of the site that the cluster plays
    Error error;
};

/// Takes the complete lines off `pending`. What is no JSON object with a known event is passed
/// over: the tools that the program runs may print what they like.
std::vector<DemoLine> takeDemoLines(QByteArray& pending);

/// connection.json of a running demo cluster, as a place to log in.
struct DemoConnection {
    ConnectTarget target;
    QString passwordFile; ///< for those who want to see a password login
    bool gpusAreReal = false;
    QString gpusNote;
    Emulation emulation;
};
Result<DemoConnection> readDemoConnection(const QByteArray& json, const QString& file);

} // namespace slipway

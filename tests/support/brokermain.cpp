// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What “slipway-cli broker SOCKET” is, without the rest of the terminal program: for tests that
// would otherwise wait for all of it to be built.

#include "remote/broker/brokerprocess.h"
#include "remote/ssh/sshconnector.h"

#include <QCoreApplication>

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    slipway::SshConnector connector;
    return slipway::serveConnection(&connector, app.arguments().value(2));
}

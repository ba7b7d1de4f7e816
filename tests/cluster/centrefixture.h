// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/cutproxy.h"

#include <QByteArrayList>

#include <memory>

namespace slipway {

/// The site that CentreFixture makes.
inline const QString centre = QStringLiteral("centre");

/// CentreFixture makes a centre of the demo cluster: a jump host that asks for a password and a
/// code (the "gate"), and behind it a login node whose calls to the scheduler are noted. Both are
/// sshds of their own on the cluster's login node, beside the one that is there. The way to the
/// gate leads through a CutProxy. The site is called "centre". The cluster is as it was when this
/// is destroyed. Lives on the thread of the test.
class CentreFixture {
public:
    struct Call {
        double time = 0; ///< of the cluster's clock, in seconds
        QByteArray program;
        QByteArray what; ///< its first two arguments
    };

    explicit CentreFixture(DemoClusterFixture* cluster)
        : m_cluster(cluster)
    {
    }
    ~CentreFixture();

    /// Empty when it is there; else what failed. Programs share their connections from now on.
    QString start();

    /// What a person types: the password and the present code, a line each.
    QByteArray answers() const;
    static QByteArray codePrompt() { return "Passcode: "; }

    CutProxy& network() { return *m_network; }
    /// The computer has another address: what was connected is reset, and the gate is reached over
    /// another way from now on. A TCP connection belongs to its addresses, so that no program can
    /// take it along.
    void changeAddress();

    /// How often a code was accepted, and was not.
    int codesAccepted() const { return gateLines("Accepted keyboard-interactive"); }
    int codesRefused() const { return gateLines("Failed keyboard-interactive"); }

    /// The calls to the scheduler from the login node behind the gate so far.
    QList<Call> calls() const;

    /// The processes that hold connections for the programs of this test.
    QList<qint64> brokers() const;
    /// Ends them; false: one is still there.
    bool endBrokers();

private:
    QString startServers();
    QString startRelay();
    QString writeNames();
    int gateLines(const QByteArray& text) const;

    DemoClusterFixture* m_cluster;
    QProcess m_relay; ///< from a port of this computer to the gate
    std::unique_ptr<CutProxy> m_network;
    int m_relayPort = 0;
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "remote/ssh/sshconnector.h"
#include "tests/support/listprompter.h"

#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <functional>
#include <memory>

namespace slipway {

/// DemoClusterFixture is the real demo cluster of this machine (SLIPWAY_DEMO_DIR, else the default
/// one), started when it is not running, with a home folder of its own for the test. It fails a
/// test that cannot have the cluster, and names the part that is missing; it never stops the
/// cluster.
class DemoClusterFixture {
public:
    struct Ended {
        int code = -1;
        QByteArray out;
    };

    DemoClusterFixture();
    /// What was in flight when the last engine was closed ends here, as in a program that goes on:
    /// otherwise a command that nobody waits for any more is taken for a leak.
    ~DemoClusterFixture();

    /// Empty when the cluster runs; else what is missing.
    const QString& missing() const { return m_missing; }

    QJsonObject connection() const { return m_connection; }
    QString password() const;
    /// Emulates the cluster as that site; empty: as itself. The fixture's connection is another one
    /// then.
    Ended emulate(const QString& site);
    QString home() const { return m_home.path(); }
    QString dataFolder() const { return m_home.filePath(QStringLiteral("data")); }

    /// The programs of a person make at most 12 calls a minute to a scheduler, all together, so a
    /// test that starts many of them on a site of its own would mostly wait. What is started from
    /// here on counts its calls anew, as if a minute had passed.
    void renewCalls();
    /// An engine on the fixture's data folder.
    std::unique_ptr<Engine> engine(const QString& data = {});
    /// A site of the person's own that leads to the demo cluster: other port, user, scratch.
    void addSite(const QString& id, int port, const QString& user, const QString& scratch = {});
    void addSite(const QString& id, const QJsonObject& login, const QString& scratch = {});
    /// ~/.ssh/id_ed25519 of the test's home: the demo cluster's key, or none.
    void setKey(bool present);

    /// slipway-cli with these words, started, on the fixture's data, sites and SSH files. Another
    /// build of it, where SLIPWAY_CLI names one: what is measured wants to be optimised.
    std::unique_ptr<QProcess> terminal(const QStringList& words) const;

    /// A command as the user demo on the login node, by OpenSSH.
    Ended ssh(const QString& command) const;
    /// A command as root on a node.
    Ended root(const QString& node, const QString& command) const;

    ListPrompter prompter;

private:
    Ended script(const QStringList& arguments, int timeout) const;
    Ended program(const QString& name, const QStringList& arguments, int timeout) const;

    QTemporaryDir m_home;
    SshConnector m_connector;
    QString m_state;
    QJsonObject m_connection;
    QString m_missing;
    int m_renewals = 0;
};

/// Runs the event loop until the run is as wanted; false: it took longer.
bool waitForRun(
    Engine& engine, const QString& id, const std::function<bool(const Run&)>& wanted, int seconds);
bool waitForPhase(Engine& engine, const QString& id, RunPhase phase, int seconds);
bool waitForEnd(Engine& engine, const QString& id, int seconds);

/// The site of the demo cluster.
inline const QString demoSite = QStringLiteral("demo");

/// A launch of "Run a command" on the node itself, without a container.
LaunchSpec commandSpec(const QString& command, const QString& site = demoSite);

} // namespace slipway

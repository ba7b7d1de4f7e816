// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/shell/connector.h"

#include <QCoroTask>

#include <QString>
#include <QStringList>

#include <chrono>

namespace slipway {

/// How a connection paces itself; tests shorten it.
struct SshTimes {
    std::chrono::milliseconds connect{20'000}; ///< name, TCP and key exchange
    std::chrono::milliseconds step{60'000}; ///< one answer of the server while logging in
    std::chrono::milliseconds probeAfter{10'000}; ///< of silence: ask the server for a sign of life
    std::chrono::milliseconds stalledAfter{15'000}; ///< of silence, the probe included
    std::chrono::milliseconds downAfter{45'000};
};

/// Everything about a target after ~/.ssh/config was read: a value that crosses to the worker.
struct ResolvedTarget {
    QString alias; ///< as the person named it
    QString host;
    int port = 22;
    QString user;
    QString recordedAs; ///< the name in known_hosts (HostKeyAlias, else host)
    bool recordedBare = false; ///< a HostKeyAlias stands there without a port
    QStringList firstIdentities; ///< named by the target: before the agent
    QStringList identities;
    bool identitiesOnly = false;
    QString agentSocket; ///< empty: no agent
    QStringList userKnownHosts; ///< the first one is where a new key is put on record
    QStringList globalKnownHosts;
    QStringList hops; ///< ProxyJump, in order; none can be used yet
    QString proxyCommand;
    QString strictHostKeyChecking; ///< "ask", "yes", "accept-new", …
    QStringList addresses; ///< for tests: instead of asking the name service
    SshTimes times;

    QString displayName() const;
    int recordedPort() const { return recordedBare ? 22 : port; }
    QStringList knownHostsFiles() const { return userKnownHosts + globalKnownHosts; }
};

/// Reads what `ssh -G` prints into a target. Pure: `home` replaces "~".
ResolvedTarget parseSshConfig(const QByteArray& text, const QString& home);

/// Asks `ssh -G` what the person's own configuration says, as their terminal would; without ssh
/// installed, libssh's parser. `configFile` (tests) replaces ~/.ssh/config. ErrorKind::Timeout when
/// ssh has not answered after `patience`; it and what it started are ended. GUI thread, no waiting.
QCoro::Task<Result<ResolvedTarget>> resolveTarget(ConnectTarget target, QString configFile = {},
    std::chrono::milliseconds timeouts = std::chrono::seconds(10));

} // namespace slipway

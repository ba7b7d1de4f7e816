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

/// The timeouts of a connection; tests shorten them.
struct SshTimes {
    std::chrono::milliseconds connect{20'000}; ///< name, TCP and key exchange
    std::chrono::milliseconds step{60'000}; ///< one answer of the server while logging in
    std::chrono::milliseconds probeAfter{10'000}; ///< of silence: send a keep-alive probe
    std::chrono::milliseconds stalledAfter{15'000}; ///< of silence, the probe included
    std::chrono::milliseconds downAfter{45'000};
};

/// Everything about a target after reading ~/.ssh/config: a value that is passed to the worker.
struct ResolvedTarget {
    QString alias; ///< as entered by the user
    QString host;
    int port = 22;
    QString user;
    QString recordedAs; ///< the name in known_hosts (HostKeyAlias, else host)
    bool recordedBare = false; ///< a HostKeyAlias is recorded without a port
    QStringList firstIdentities; ///< named by the target: tried before the agent
    QStringList identities;
    bool identitiesOnly = false;
    QString agentSocket; ///< empty: no agent
    QStringList userKnownHosts; ///< new keys are added to the first one
    QStringList globalKnownHosts;
    QStringList hops; ///< ProxyJump, in order; not supported yet
    QString proxyCommand;
    QString strictHostKeyChecking; ///< "ask", "yes", "accept-new", …
    QStringList addresses; ///< for tests: instead of name resolution
    SshTimes times;

    QString displayName() const;
    int recordedPort() const { return recordedBare ? 22 : port; }
    QStringList knownHostsFiles() const { return userKnownHosts + globalKnownHosts; }
};

/// Parses the output of `ssh -G` into a target. Pure: `home` replaces "~".
ResolvedTarget parseSshConfig(const QByteArray& text, const QString& home);

/// Reads the user's own configuration with `ssh -G`, as in a terminal; without ssh installed, with
/// libssh's parser. `configFile` (tests) replaces ~/.ssh/config. ErrorKind::Timeout when ssh has
/// not answered after `timeout`; it and its child processes are ended. GUI thread, non-blocking.
QCoro::Task<Result<ResolvedTarget>> resolveTarget(ConnectTarget target, QString configFile = {},
    std::chrono::milliseconds timeout = std::chrono::seconds(10));

} // namespace slipway

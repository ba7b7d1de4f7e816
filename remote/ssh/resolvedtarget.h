// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/sleepclock.h"
#include "remote/ssh/localaddress.h"

#include <QString>
#include <QStringList>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace slipway {

/// The timeouts of a connection; tests shorten them.
struct SshTimes {
    std::chrono::milliseconds connect{20'000}; ///< name, TCP and key exchange
    std::chrono::milliseconds step{60'000}; ///< one answer of the server while logging in
    std::chrono::milliseconds probeAfter{10'000}; ///< of silence: send a keep-alive probe
    std::chrono::milliseconds stalledAfter{15'000}; ///< of silence, the probe included
    std::chrono::milliseconds downAfter{45'000};
    std::chrono::milliseconds downAfterWaking{5'000}; ///< of silence after this computer slept
};

/// What a connection notices of its surroundings; tests play it.
struct SshSenses {
    /// How long this computer was asleep so far.
    std::function<std::chrono::milliseconds()> slept = timeAsleep;
    /// Whether the local address of this socket is no longer one of this computer.
    std::function<bool(int fd)> addressIsGone = localAddressIsGone;
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
    QStringList certificates; ///< CertificateFile: of the person's keys
    bool identitiesOnly = false;
    QStringList methods = defaultMethods(); ///< in the order in which they are tried
    int passwordPrompts = 3;
    int addressFamily = 0; ///< AF_INET, AF_INET6; 0: any
    std::optional<std::chrono::seconds> connectTimeout; ///< ConnectTimeout
    QStringList ignored; ///< options that are set and have no effect here
    QString agentSocket; ///< empty: no agent
    QStringList userKnownHosts; ///< new keys are added to the first one
    QStringList globalKnownHosts;
    QString knownHostsCommand; ///< as written: its tokens depend on the key
    QString revokedHostKeys; ///< a file; empty: none
    QStringList hops; ///< ProxyJump as configured, in order
    std::vector<ResolvedTarget> via; ///< the same, resolved: each with its own configuration
    QString proxyCommand;
    QString approvedCommands = {}; ///< file of ApprovedCommands; empty: the person's own
    QString strictHostKeyChecking; ///< "ask", "yes", "accept-new", …
    QStringList addresses; ///< for tests: instead of name resolution
    SshTimes times;
    SshSenses senses;

    /// "publickey", "keyboard-interactive", "password"
    static QStringList defaultMethods();
    QString displayName() const;
    int recordedPort() const { return recordedBare ? 22 : port; }
    QStringList knownHostsFiles() const { return userKnownHosts + globalKnownHosts; }
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/prompter.h"
#include "remote/shell/shell.h"

#include <QString>
#include <QStringList>

#include <memory>

namespace slipway {

/// Where to log in. Empty fields are filled from ~/.ssh/config and from its defaults.
struct ConnectTarget {
    QString host; ///< a name, an address, or an alias of ~/.ssh/config
    int port = 0; ///< 0: from the config, else 22
    QString user = {};
    QString identityFile = {}; ///< tried before the config's keys and the agent
    QString knownHostsFile = {}; ///< empty: the user's own
    bool useSshConfig = true;
    QString jump = {}; ///< as ProxyJump in ssh_config(5); used where the config names no way itself
};

/// A port of a host.
struct HostPort {
    QString host;
    int port = 0;
};

/// Parses what a user types: HOST, USER@HOST, HOST:PORT, USER@HOST:PORT, and addresses of IPv6 as
/// "::1" or "[::1]:2222". An error says what is wrong. Pure.
Result<ConnectTarget> targetFromText(const QString& text);

/// Connector creates the Shell of a target and asks the user through a Prompter if necessary. Both
/// programs pass the SSH connector to everything else, so that only they depend on libssh.
class Connector {
public:
    virtual ~Connector() = default;

    /// `prompter` must live until the task has ended. Error kinds: Network, HostKey,
    /// Authentication, Timeout, Cancelled.
    virtual QCoro::Task<Result<std::shared_ptr<Shell>>> connectTo(
        ConnectTarget target, Prompter* prompter) = 0;

    /// Names the connection that a target leads to: hexadecimal digits, the same for every target
    /// that is logged in to in the same way. ErrorKind::Unsupported: connections are not told
    /// apart.
    virtual QCoro::Task<Result<QByteArray>> connectionKey(ConnectTarget target)
    {
        Q_UNUSED(target)
        co_return Result<QByteArray>(Error{ErrorKind::Unsupported, {}});
    }

    /// The host that a login to the target connects to first: its first jump host, else itself.
    /// ErrorKind::Unsupported: a command connects.
    virtual QCoro::Task<Result<HostPort>> firstStop(ConnectTarget target)
    {
        Q_UNUSED(target)
        co_return Result<HostPort>(Error{ErrorKind::Unsupported, {}});
    }
};

} // namespace slipway

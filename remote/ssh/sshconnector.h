// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/connector.h"
#include "remote/ssh/sshconfig.h"

#include <memory>
#include <vector>

namespace slipway {

class WorkerThread;

/// SshConnector logs in over SSH. Both programs create one and pass it on; nothing else refers to
/// it.
class SshConnector : public Connector {
public:
    /// Options for tests; the defaults are used otherwise.
    struct Settings {
        QString configFile = {}; ///< instead of ~/.ssh/config
        QStringList addresses = {}; ///< instead of name resolution
        SshTimes times = {};
        SshSenses senses = {};
        QString approvedCommands = {}; ///< instead of the person's own list
    };

    SshConnector();
    explicit SshConnector(Settings settings);
    /// Waits for the worker threads of the shells that are gone, at most two seconds: a program
    /// must not end under a thread that uses OpenSSL.
    ~SshConnector() override;

    QCoro::Task<Result<std::shared_ptr<Shell>>> connectTo(
        ConnectTarget target, Prompter* prompter) override;
    /// Of what the configuration makes of it: host, port, user, jump hosts, ProxyCommand, keys.
    QCoro::Task<Result<QByteArray>> connectionKey(ConnectTarget target) override;
    QCoro::Task<Result<HostPort>> firstStop(ConnectTarget target) override;

private:
    using Workers = std::vector<std::shared_ptr<WorkerThread>>;

    Settings m_settings;
    std::shared_ptr<Workers> m_workers; ///< of every shell, until they have ended
};

} // namespace slipway

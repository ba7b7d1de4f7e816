// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/connector.h"
#include "remote/ssh/sshconfig.h"

namespace slipway {

/// SshConnector logs in over SSH. The two programs make one and hand it on; nothing else names it.
class SshConnector : public Connector {
public:
    /// What tests change; the defaults are what a person gets.
    struct Settings {
        QString configFile = {}; ///< instead of ~/.ssh/config
        QStringList addresses = {}; ///< instead of what the name service says
        SshTimes times = {};
    };

    SshConnector() = default;
    explicit SshConnector(Settings settings)
        : m_settings(std::move(settings))
    {
    }

    QCoro::Task<Result<std::shared_ptr<Shell>>> connectTo(
        ConnectTarget target, Prompter* prompter) override;

private:
    Settings m_settings;
};

} // namespace slipway

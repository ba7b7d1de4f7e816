// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/shell/connector.h"
#include "remote/ssh/sshconfig.h"

namespace slipway {

/// SshConnector logs in over SSH. Both programs create one and pass it on; nothing else refers to
/// it.
class SshConnector : public Connector {
public:
    /// Options for tests; the defaults are used otherwise.
    struct Settings {
        QString configFile = {}; ///< instead of ~/.ssh/config
        QStringList addresses = {}; ///< instead of name resolution
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

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/sshconnector.h"

#include "remote/ssh/sshshell.h"

namespace slipway {

QCoro::Task<Result<std::shared_ptr<Shell>>> SshConnector::connectTo(
    ConnectTarget target, Prompter* prompter)
{
    const auto settings = m_settings; // the connector may be destroyed when the answers arrive
    auto resolved = co_await resolveTarget(target, settings.configFile);
    if (!resolved.ok())
        co_return Result<std::shared_ptr<Shell>>(resolved.error());
    resolved->times = settings.times;
    resolved->addresses = settings.addresses;
    const auto shell = std::make_shared<SshShell>(*resolved, prompter);
    const auto login = co_await shell->loggedIn();
    if (!login.ok())
        co_return Result<std::shared_ptr<Shell>>(login.error());
    co_return Result<std::shared_ptr<Shell>>(std::shared_ptr<Shell>(shell));
}

} // namespace slipway

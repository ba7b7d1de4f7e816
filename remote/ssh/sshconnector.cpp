// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/sshconnector.h"

#include "remote/ssh/hops.h"
#include "remote/ssh/sshshell.h"
#include "remote/ssh/workerthread.h"

#include <QDeadlineTimer>

using namespace std::chrono_literals;

namespace slipway {

SshConnector::SshConnector()
    : SshConnector(Settings{})
{
}

SshConnector::SshConnector(Settings settings)
    : m_settings(std::move(settings))
    , m_workers(std::make_shared<Workers>())
{
}

SshConnector::~SshConnector()
{
    const QDeadlineTimer deadline(2s);
    for (const auto& worker : *m_workers) {
        if (worker->wasStopped())
            worker->hasEndedWithin(std::chrono::milliseconds(deadline.remainingTime()));
    }
}

QCoro::Task<Result<std::shared_ptr<Shell>>> SshConnector::connectTo(
    ConnectTarget target, Prompter* prompter)
{
    // The connector may be destroyed when the answers arrive.
    const auto settings = m_settings;
    const auto workers = m_workers;
    auto resolved = co_await resolveTarget(target, settings.configFile);
    if (!resolved.ok())
        co_return Result<std::shared_ptr<Shell>>(resolved.error());
    auto hops = co_await resolveHops(*resolved, target, settings.configFile);
    if (!hops.ok())
        co_return Result<std::shared_ptr<Shell>>(hops.error());
    resolved->via = std::move(*hops);
    resolved->approvedCommands = settings.approvedCommands;
    for (ResolvedTarget& hop : resolved->via)
        hop.approvedCommands = settings.approvedCommands;
    resolved->times = settings.times;
    if (resolved->connectTimeout)
        resolved->times.connect = *resolved->connectTimeout;
    resolved->senses = settings.senses;
    resolved->addresses = settings.addresses;
    const auto shell = std::make_shared<SshShell>(*resolved, prompter);
    std::erase_if(*workers, [](const auto& worker) { return worker->hasEndedWithin(0ms); });
    workers->push_back(shell->worker());
    const auto login = co_await shell->loggedIn();
    if (!login.ok())
        co_return Result<std::shared_ptr<Shell>>(login.error());
    co_return Result<std::shared_ptr<Shell>>(std::shared_ptr<Shell>(shell));
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/sshconnector.h"

#include "remote/ssh/hops.h"
#include "remote/ssh/sshshell.h"
#include "remote/ssh/workerthread.h"

#include <QCryptographicHash>
#include <QDeadlineTimer>

#include <unistd.h>

using namespace std::chrono_literals;

namespace slipway {

namespace {

/// What tells one connection from another, as a line for each host on the way.
QByteArray wayTo(const ResolvedTarget& target)
{
    QStringList parts{target.host, QString::number(target.port), target.user, target.proxyCommand,
        target.recordedAs};
    parts << target.firstIdentities << target.identities << target.userKnownHosts;
    QByteArray way;
    for (const ResolvedTarget& hop : target.via)
        way += wayTo(hop);
    return way + parts.join(QChar(0x1f)).toUtf8() + '\n';
}

/// The target with its jump hosts.
QCoro::Task<Result<ResolvedTarget>> resolveWay(ConnectTarget target, QString configFile)
{
    auto resolved = co_await resolveTarget(target, configFile);
    if (!resolved.ok())
        co_return resolved;
    auto hops = co_await resolveHops(*resolved, target, configFile);
    if (!hops.ok())
        co_return Result<ResolvedTarget>(hops.error());
    resolved->via = std::move(*hops);
    co_return resolved;
}

} // namespace

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
    auto resolved = co_await resolveWay(target, settings.configFile);
    if (!resolved.ok())
        co_return Result<std::shared_ptr<Shell>>(resolved.error());
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

QCoro::Task<Result<QByteArray>> SshConnector::connectionKey(ConnectTarget target)
{
    const auto resolved = co_await resolveWay(target, m_settings.configFile);
    if (!resolved.ok())
        co_return Result<QByteArray>(resolved.error());
    const QByteArray way = QByteArray::number(::geteuid()) + '\n' + wayTo(*resolved);
    co_return Result<QByteArray>(
        QCryptographicHash::hash(way, QCryptographicHash::Sha256).toHex().left(32));
}

QCoro::Task<Result<HostPort>> SshConnector::firstStop(ConnectTarget target)
{
    const QStringList addresses = m_settings.addresses;
    const auto resolved = co_await resolveWay(target, m_settings.configFile);
    if (!resolved.ok())
        co_return Result<HostPort>(resolved.error());
    const ResolvedTarget& first = resolved->via.empty() ? *resolved : resolved->via.front();
    if (!first.proxyCommand.isEmpty())
        co_return Result<HostPort>(Error{ErrorKind::Unsupported, {}});
    const bool isGiven = resolved->via.empty() && !addresses.isEmpty();
    co_return Result<HostPort>(HostPort{isGiven ? addresses.first() : first.host, first.port});
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/node/guestlook.h"
#include "app/launch/workbench_p.h"

#include <QPointer>

namespace slipway {

namespace {

constexpr auto guestPatience = std::chrono::minutes(3); ///< folders of many files take their time

} // namespace

QCoro::Task<Result<GuestList>> Workbench::Private::lookForGuests(QString siteId)
{
    const QPointer<Workbench> self(q);
    SiteLink* const connection = connectedLink(siteId);
    if (!connection || !connection->info())
        co_return Error{ErrorKind::Network, tr("There is no connection to %1.").arg(siteId), tr("Connect to it first.")};
    const QString scratch = connection->info()->scratch;
    if (!scratch.startsWith(u'/'))
        co_return Error{ErrorKind::NotFound, tr("The scratch folder of %1 is not known.").arg(siteId)};
    const auto cluster = connection->cluster();
    GuestContext context;
    context.base = scratch + QStringLiteral("/slipway");
    context.host = cluster->shell()->displayName();
    const QString prefix = QStringLiteral("slipway:");
    auto jobs = co_await cluster->orphans(prefix);
    if (!jobs.ok())
        co_return jobs.error();
    context.jobs = *jobs;
    RunOptions options;
    options.timeout = guestPatience;
    const QByteArray script = guestScript(context.base);
    const auto answer = co_await cluster->shell()->run(script, options);
    if (!answer.ok())
        co_return answer.error();
    if (!self)
        co_return Error{ErrorKind::Cancelled, tr("The program was closed.")};
    for (const Run& run : q->runs()) {
        context.runFolders.insert(run.folder, tr("run %1, %2").arg(run.id, run.title));
        context.runIds.insert(run.folder, run.id);
    }
    GuestList list = readGuests(answer->out, context);
    // A launch that is still on its way there has no job yet.
    bool underWay = false;
    for (const Launch* launch : std::as_const(launches)) {
        const Run& run = launch->run();
        if (isTerminal(run.phase) || run.spec.siteId != siteId)
            continue;
        underWay = true;
        for (GuestItem& item : list.items)
            item.inUse = item.inUse || item.path == run.folder;
    }
    for (GuestItem& item : list.items)
        item.inUse = item.inUse || (underWay && (item.kind == GuestItem::Kind::Probe || item.kind == GuestItem::Kind::Image));
    list.command = QStringLiteral("squeue --me -O JobID,Comment:60; ps -u $USER; find -P %1 -maxdepth 2; du -k --max-depth=1 %1").arg(context.base);
    co_return list;
}

QCoro::Task<Result<GuestList>> Workbench::guests(QString siteId)
{
    auto found = co_await d->lookForGuests(siteId);
    co_return found;
}

QCoro::Task<Result<GuestList>> Workbench::removeGuests(QString siteId, GuestList items)
{
    const QPointer<Workbench> self(this);
    // What is there now counts, not what a list says that may be old: nothing else is touched.
    const auto found = co_await d->lookForGuests(siteId);
    if (!found.ok())
        co_return found.error();
    if (!self)
        co_return Error{ErrorKind::Cancelled, tr("The program was closed.")};
    SiteLink* const connection = d->connectedLink(siteId);
    if (!connection || !connection->info())
        co_return Error{ErrorKind::LinkLost, tr("The connection was lost."), tr("Connect again.")};
    GuestList left;
    const std::vector<GuestItem> doomed = removableGuests(items, *found, &left.items);
    const QByteArray script = removeScript(connection->info()->scratch + QStringLiteral("/slipway"), doomed);
    left.command = QStringLiteral("rm -rf -- …");
    if (!doomed.empty()) {
        RunOptions options;
        options.timeout = guestPatience;
        const auto shell = connection->cluster()->shell();
        const auto answer = co_await shell->run(script, options);
        if (!answer.ok())
            co_return answer.error();
        readRemoved(answer->out, doomed, &left.items);
    }
    co_return left;
}

} // namespace slipway

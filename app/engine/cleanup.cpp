// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/engine/cleanup.h"

#include "app/runs/runarray.h"
#include "app/sessions/cleanupscan.h"
#include "remote/base/tr.h"

#include <QPointer>

namespace slipway {

namespace {

constexpr auto cleanupTimeout = std::chrono::minutes(3); ///< folders with many files take long

RunOptions patient()
{
    RunOptions options;
    options.timeout = cleanupTimeout;
    return options;
}

} // namespace

Cleanup::Cleanup(Sessions* sessions, Runs* runs)
    : m_sessions(sessions)
    , m_runs(runs)
{
}

void Cleanup::addRuns(CleanupContext* context) const
{
    for (const Run& run : m_runs->all()) {
        context->runFolders.insert(run.folder, tr("run %1, %2").arg(run.id, run.title));
        context->runIds.insert(run.folder, run.id);
        if (run.arrayTask == 0)
            context->runFolders.insert(
                submitFolder(run), tr("a sweep, %1: the folders of all its runs").arg(run.title));
    }
}

/// A launch that is still being submitted has no job yet.
void Cleanup::markInUse(CleanupList* list, const QString& siteId) const
{
    bool underWay = false;
    for (const Run& run : m_runs->all()) {
        if (isTerminal(run.phase) || run.spec.siteId != siteId)
            continue;
        underWay = true;
        for (CleanupItem& item : list->items)
            item.inUse = item.inUse || item.path == submitFolder(run);
    }
    for (CleanupItem& item : list->items) {
        const bool shared = item.kind == CleanupItem::Kind::Probe
            || item.kind == CleanupItem::Kind::Image || item.kind == CleanupItem::Kind::Checkpoints;
        item.inUse = item.inUse || (underWay && shared);
    }
}

QCoro::Task<Result<CleanupList>> Cleanup::find(QString siteId)
{
    const QPointer<Cleanup> self(this);
    const auto cluster = m_sessions->cluster(siteId);
    const auto info = m_sessions->clusterInfo(siteId);
    if (!cluster || !info)
        co_return m_sessions->notConnected(siteId);
    if (!info->scratch.startsWith(u'/'))
        co_return Error{
            ErrorKind::NotFound, tr("The scratch folder of %1 is not known.").arg(siteId)};
    CleanupContext context;
    context.base = info->scratch + QStringLiteral("/slipway");
    context.host = cluster->shell()->displayName();
    const QString prefix = QString::fromLatin1(jobCommentPrefix);
    auto jobs = co_await cluster->orphans(prefix);
    if (!jobs.ok())
        co_return jobs.error();
    context.jobs = *jobs;
    const QByteArray script = cleanupScript(context.base);
    const RunOptions options = patient();
    const auto answer = co_await cluster->shell()->run(script, options);
    if (!answer.ok())
        co_return answer.error();
    if (!self)
        co_return programClosed();
    addRuns(&context);
    CleanupList list = readCleanupList(answer->out, context);
    markInUse(&list, siteId);
    list.command = QStringLiteral("squeue --me -O JobID,Comment:60; ps -u $USER; "
                                  "find -P %1 -maxdepth 2; du -k --max-depth=1 %1")
                       .arg(context.base);
    co_return list;
}

QCoro::Task<Result<CleanupList>> Cleanup::remove(QString siteId, CleanupList items)
{
    const QPointer<Cleanup> self(this);
    // Only what exists now is deleted, whatever an older list contains.
    const auto found = co_await find(siteId);
    if (!found.ok())
        co_return found.error();
    if (!self)
        co_return programClosed();
    const auto cluster = m_sessions->cluster(siteId);
    const auto info = m_sessions->clusterInfo(siteId);
    if (!cluster || !info)
        co_return Error{ErrorKind::LinkLost, tr("The connection was lost."), tr("Connect again.")};
    CleanupList left;
    const std::vector<CleanupItem> doomed = removableItems(items, *found, &left.items);
    const QByteArray script = removeScript(info->scratch + QStringLiteral("/slipway"), doomed);
    left.command = QStringLiteral("rm -rf -- …");
    if (!doomed.empty()) {
        const RunOptions options = patient();
        const auto shell = cluster->shell();
        const auto answer = co_await shell->run(script, options);
        if (!answer.ok())
            co_return answer.error();
        readRemoved(answer->out, doomed, &left.items);
    }
    co_return left;
}

} // namespace slipway

#include "moc_cleanup.cpp"

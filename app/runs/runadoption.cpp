// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runadoption.h"

#include "app/runs/relaunch.h"
#include "app/runs/runarray.h"
#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"
#include "remote/slurm/arraytasks.h"
#include "remote/slurm/jobstates.h"

#include <QFileInfo>
#include <QMultiHash>
#include <QPointer>
#include <QRegularExpression>

namespace slipway {

namespace {

const QString tagPrefix = QString::fromLatin1(jobCommentPrefix);

Run runOfJob(const QString& siteId, const Allocation& found, bool interactive)
{
    Run run;
    run.tag = found.comment.mid(tagPrefix.size());
    run.spec.siteId = siteId;
    run.spec.mode = interactive ? LaunchMode::Interactive : LaunchMode::Batch;
    run.folder = found.folder;
    run.job = found.id;
    run.nodeList = found.nodeList;
    run.created = QDateTime::currentDateTime();
    run.phase = interactive ? RunPhase::Allocated : RunPhase::Queued;
    run.sentence = interactive
        ? tr("Found on the cluster: an allocation that is kept until it is released.")
        : tr("Found on the cluster; it was started elsewhere.");
    for (const auto& [id, title] : {std::pair(QStringLiteral("queued"), tr("Queued")),
             std::pair(QStringLiteral("node"), tr("Node")),
             std::pair(QStringLiteral("results"), tr("Results"))})
        run.stages.push_back({id, title, StageState::Pending, {}, {}, {}});
    return run;
}

} // namespace

RunAdoption::RunAdoption(RunContext context, RunRegistry* registry)
    : m_context(std::move(context))
    , m_registry(registry)
{
    connect(m_registry, &RunRegistry::appeared, this, [this](const QString& id) {
        if (RunHandle* const run = m_registry->existing(id))
            attach(run);
    });
}

void RunAdoption::attach(RunHandle* run)
{
    if (const auto cluster = m_context.sessions->cluster(run->run().spec.siteId))
        run->attach(cluster);
}

void RunAdoption::attach(const QString& siteId)
{
    for (RunHandle* run : m_registry->handles()) // a receiver may access other runs
        if (run->run().spec.siteId == siteId)
            attach(run);
}

void RunAdoption::detach(const QString& siteId)
{
    for (RunHandle* run : m_registry->handles())
        if (run->run().spec.siteId == siteId)
            run->detach();
}

/// Started on another computer, or lost with a list of runs: they hold nodes or wait, so they must
/// be shown.
QCoro::Task<void> RunAdoption::adoptOrphans(QString siteId)
{
    const QPointer<RunAdoption> self(this);
    const auto cluster = m_context.sessions->cluster(siteId);
    if (!cluster)
        co_return;
    const auto found = co_await cluster->orphans(tagPrefix);
    if (!self || !found.ok() || !m_context.sessions->cluster(siteId))
        co_return;
    m_registry->reload();
    for (const Allocation& any : *found) {
        const Allocation job = ownAllocation(any);
        const QString tag = job.comment.mid(tagPrefix.size());
        // A run that was considered ended gets its handle back: its job is alive.
        RunHandle* const known = m_registry->withTag(tag);
        static const QRegularExpression tagForm(QStringLiteral("^[A-Za-z0-9-]{1,64}$"));
        if (known)
            onLiveJob(known, job);
        if (known || !tagForm.match(tag).hasMatch())
            continue;
        const RunFolder folder(cluster->shell(), job.folder);
        const QStringList stepFiles{QStringLiteral("steps/*")};
        const auto steps = co_await folder.list(stepFiles);
        if (!self || !m_context.sessions->cluster(siteId))
            co_return;
        adopt(siteId, job, steps.ok() && !steps->empty());
    }
}

/// A run that ended here while its job is alive: its end was concluded too early.
void RunAdoption::onLiveJob(RunHandle* handle, const Allocation& found)
{
    const Run& run = handle->run();
    const bool disowned = !run.job.isValid() || run.job == found.id;
    if (!isTerminal(run.phase) || !disowned || found.state == JobState::Completing)
        return;
    handle->explainWith(m_context.hints, explainContext(run, m_context.plan(run.spec)));
    handle->reopen(found.id);
    attach(handle);
}

void RunAdoption::adopt(const QString& siteId, const Allocation& found, bool interactive)
{
    static const QRegularExpression form(QStringLiteral("^\\d{8}-\\d{4}-(.+)-([a-z0-9]{4})$"));
    Run run = runOfJob(siteId, found, interactive);
    run.arrayTask = isArrayTag(arrayTagOf(run.tag)) ? taskOf(found.id) : -1;
    const auto parts = form.match(QFileInfo(submitFolder(run)).fileName());
    const bool free = parts.hasMatch() && run.arrayTask <= 0 && !m_registry->run(parts.captured(2));
    run.id = free ? parts.captured(2) : m_registry->freeId();
    run.spec.recipeId = parts.captured(1);
    const Recipe* const recipe = m_context.catalogue->recipe(run.spec.recipeId);
    run.title = recipe ? recipe->title : tr("A Slipway job");
    if (!m_registry->insert(run))
        return;
    RunHandle* const handle = m_registry->add(run);
    emit adopted(run.id);
    attach(handle);
}

void RunAdoption::routeEvents(const QString& siteId, const std::vector<JobEvent>& events)
{
    QMultiHash<QString, QString>
        runIds; // indexed by job: a queue may be long, and few of its jobs are runs
    for (const RunHandle* handle : m_registry->handles()) {
        const Run& run = handle->run();
        if (run.spec.siteId == siteId && run.job.isValid())
            runIds.insert(run.job.text, run.id);
    }
    for (const JobEvent& event : events) {
        for (const QString& runId : runIds.values(event.after.id.text))
            if (RunHandle* const run = m_registry->existing(runId))
                run->onJobEvent(event);
        if (event.kind == JobEvent::Kind::Appeared && !runIds.contains(event.after.id.text))
            onAppeared(siteId, event.after);
    }
}

/// An sbatch that was given up may reach the scheduler later, as its answers then show: the job's
/// comment names its run.
void RunAdoption::onAppeared(const QString& siteId, const Job& job)
{
    if (!job.comment.startsWith(tagPrefix) || isTerminal(job.state))
        return;
    const Allocation found =
        ownAllocation({job.id, job.nodeList, job.state, job.comment, job.workDir});
    RunHandle* const known = m_registry->withTag(found.comment.mid(tagPrefix.size()));
    if (known && known->run().spec.siteId == siteId)
        onLiveJob(known, found);
}

} // namespace slipway

#include "moc_runadoption.cpp"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/cluster.h"

#include "remote/cluster/accountshares.h"
#include "remote/cluster/allocating.h"
#include "remote/cluster/discovering.h"
#include "remote/cluster/runtail.h"
#include "remote/cluster/scriptgroup.h"
#include "remote/cluster/slurmcontext.h"
#include "remote/cluster/stepping.h"
#include "remote/cluster/submissionlock.h"
#include "remote/cluster/submitting.h"
#include "remote/cluster/surveying.h"
#include "remote/cluster/worker.h"
#include "remote/slurm/arraytasks.h"
#include "remote/slurm/jobstates.h"
#include "remote/slurm/squeue.h"
#include "remote/slurm/submission.h"

#include <QPointer>

namespace slipway {

Cluster::Cluster(std::shared_ptr<Shell> shell, QObject* parent)
    : QObject(parent)
    , m_side(std::make_shared<SlurmContext>())
    , m_watcher(nullptr)
{
    m_side->shell = std::move(shell);
    m_side->budget = std::make_shared<RpcBudget>(CallsFile::forAccount(m_side->shell->account()));
    m_side->tail = std::make_shared<RunTail>(m_side->shell);
    m_group = std::make_unique<ScriptGroup>(m_side->shell);
    m_watcher = new JobWatcher(m_side, this);
}

Cluster::~Cluster() = default;

const std::shared_ptr<Shell>& Cluster::shell() const
{
    return m_side->shell;
}

const std::shared_ptr<RunTail>& Cluster::tail() const
{
    return m_side->tail;
}

int Cluster::callsLastMinute() const
{
    return m_side->budget->callsLastMinute();
}

int Cluster::callsAllowed() const
{
    return m_side->budget->limit();
}

void Cluster::setTimeouts(const Timeouts& timeouts)
{
    m_side->timeouts = timeouts;
}

std::unique_ptr<Process> Cluster::start(const QByteArray& script)
{
    return m_group->start(m_side->preamble + script);
}

QCoro::Task<Result<ClusterInfo>> Cluster::discover(QString scratchExpression)
{
    return discoverCluster(m_side, std::move(scratchExpression));
}

QCoro::Task<Result<std::vector<AccountShare>>> Cluster::accountShares(ClusterInfo known)
{
    return askForShares(m_side, std::move(known));
}

QCoro::Task<Result<ClusterSurvey>> Cluster::survey(SurveyPart part, ClusterSurvey soFar)
{
    return surveyCluster(m_side, part, std::move(soFar));
}

QCoro::Task<Result<JobId>> Cluster::submit(SubmitRequest request)
{
    return submitJob(m_side, std::move(request));
}

QCoro::Task<Result<SubmissionState>> Cluster::submissionState(QString folder)
{
    return submissionStateOn(m_side, std::move(folder));
}

QCoro::Task<Result<bool>> Cluster::closeSubmission(QString folder, int holders)
{
    return closeSubmissionOn(m_side, std::move(folder), holders);
}

QCoro::Task<Result<std::optional<Allocation>>> Cluster::findSubmitted(QString tag, QString folder)
{
    return findTagged(m_side, std::move(tag), std::move(folder));
}

QCoro::Task<Result<Allocation>> Cluster::allocate(AllocateRequest request)
{
    const QString tag = request.tag;
    auto pending = [self = QPointer<Cluster>(this), tag](const JobId& job) {
        if (self)
            emit self->allocationPending(tag, job);
    };
    return allocateNodes(m_side, std::move(request), std::move(pending));
}

QCoro::Task<Result<void>> Cluster::cancel(JobId job)
{
    return cancelJob(m_side, std::move(job));
}

namespace {

/// A queue may be long: to be called on a worker thread.
Result<std::vector<Allocation>> taggedIn(
    const QByteArray& output, const Separators& separators, const QString& tagPrefix)
{
    const auto jobs = parseTaggedJobs(output, separators);
    if (!jobs.ok())
        return jobs.error();
    std::vector<Allocation> found;
    for (const auto& job : *jobs) {
        if (job.comment.startsWith(tagPrefix) && (holdsNodes(job.state) || isWaiting(job.state)))
            found.push_back({job.id, job.nodeList, job.state, job.comment, job.workDir});
    }
    return found;
}

/// An array of Slipway's is listed task by task: only this query names those that wait.
QCoro::Task<Result<std::vector<Allocation>>> withTasks(
    std::shared_ptr<SlurmContext> side, std::vector<Allocation> found)
{
    std::vector<JobId> arrays;
    std::vector<Allocation> all;
    for (const Allocation& job : found) {
        if (isArrayTag(job.comment))
            arrays.push_back(job.id);
        else
            all.push_back(job);
    }
    if (arrays.empty())
        co_return found;
    const auto separators = Separators::random();
    const QByteArray question = squeueCommand(separators, arrays);
    const auto output = co_await runOn(side, question, 1);
    if (!output.ok())
        co_return output.error();
    if (output->exitCode != 0)
        co_return submitError(output->err);
    const auto jobs = parseSqueue(output->out, separators);
    if (!jobs.ok())
        co_return jobs.error();
    QStringList listed; // a task that runs was named by its own number and by that of the array
    for (const Job& job : *jobs) {
        const bool active = holdsNodes(job.state) || isWaiting(job.state);
        if (!active || taskOf(job.id) < 0 || listed.contains(job.id.text))
            continue;
        listed << job.id.text;
        all.push_back({job.id, job.nodeList, job.state, job.comment, job.workDir});
    }
    co_return all;
}

QCoro::Task<Result<std::vector<Allocation>>> orphansOn(
    std::shared_ptr<SlurmContext> side, QString tagPrefix)
{
    const auto separators = Separators::random();
    const QByteArray question = taggedJobsCommand(separators);
    const auto output = co_await runOn(side, question, 1);
    if (!output.ok())
        co_return output.error();
    if (output->exitCode != 0)
        co_return submitError(output->err);
    const auto read = [out = output->out, separators, tagPrefix] {
        return taggedIn(out, separators, tagPrefix);
    };
    auto found = co_await onWorker(read);
    if (!found.ok())
        co_return found;
    auto tasks = co_await withTasks(side, *found);
    co_return tasks;
}

} // namespace

QCoro::Task<Result<std::vector<Allocation>>> Cluster::orphans(QString tagPrefix)
{
    return orphansOn(m_side, std::move(tagPrefix));
}

QCoro::Task<Result<void>> Cluster::startStep(StepRequest step)
{
    return startStepOn(m_side, std::move(step));
}

QCoro::Task<Result<StepState>> Cluster::stepState(StepRequest step)
{
    return stepStateOn(m_side, std::move(step));
}

QCoro::Task<Result<int>> Cluster::stepResult(StepRequest step)
{
    return stepResultOn(m_side, std::move(step));
}

} // namespace slipway

#include "moc_cluster.cpp"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/checksteps.h"
#include "app/launch/launch.h"
#include "app/launch/node/probedelivery.h"
#include "app/launch/runstore.h"
#include "remote/base/tr.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QPointer>

namespace slipway {

namespace {

Error notSubmitted(Error error)
{
    error.summary += u' ' + tr("Nothing was submitted.");
    return error;
}

} // namespace

QString runFolderPath(const QString& scratch, const Run& run)
{
    return scratch + u"/slipway/" + run.created.toString(QStringLiteral("yyyyMMdd-HHmm")) + u'-'
        + run.spec.recipeId + u'-' + run.id;
}

QCoro::Task<Result<void>> Launch::begin(Plan plan, std::shared_ptr<Cluster> cluster, QString scratch)
{
    const QPointer<Launch> self(this);
    m_local.lock();
    m_cluster = cluster;
    m_beginning = true;
    connect(cluster.get(), &Cluster::allocationPending, this, [this](const QString& tag, const JobId& job) {
        if (tag.endsWith(m_run.tag))
            takeJobId(job);
    });
    const auto prepared = co_await prepare(plan, scratch);
    if (!self)
        co_return Error{ErrorKind::Cancelled, tr("The program was closed.")};
    if (!prepared.ok()) {
        giveUp(notSubmitted(prepared.error()));
        co_return m_acceptance;
    }
    if (m_cluster != cluster) {
        giveUp(notSubmitted(Error{ErrorKind::LinkLost, tr("The connection was lost.")}));
        co_return m_acceptance;
    }
    setPhase(RunPhase::Submitting, tr("Being submitted."));
    if (m_run.spec.mode == LaunchMode::Interactive)
        interact();
    else
        submit();
    if (!m_acceptedTold)
        co_await m_accepted.wait();
    if (!self)
        co_return Error{ErrorKind::Cancelled, tr("The program was closed.")};
    co_return m_acceptance;
}

QCoro::Task<Result<void>> Launch::prepare(Plan plan, QString scratch)
{
    const QPointer<Launch> self(this);
    if (scratch.isEmpty())
        co_return Error{ErrorKind::NotFound, tr("The scratch folder of %1 is not known.").arg(plan.site.name),
            tr("Give the site file a scratch folder that exists there.")};
    m_run.folder = runFolderPath(scratch, m_run);
    m_planned = plannedStages(plan);
    m_run.stages = m_planned;
    setPhase(RunPhase::Preparing, tr("Uploading to %1.").arg(m_run.folder));

    const auto files = launchFiles(plan);
    if (!files.ok())
        co_return files.error();
    const auto kept = m_local.keepFiles(*files);
    if (!kept.ok())
        co_return kept;
    if (m_run.spec.mode == LaunchMode::Interactive) {
        const auto options = allocationOptions(plan.job, plan.site.gpuRequest);
        if (!options.ok())
            co_return options.error();
        keepSteps(plan, *options);
    }

    const RunFolder there = folder();
    const auto shell = m_cluster->shell();
    const auto made = co_await there.make();
    if (!made.ok() || !self)
        co_return made;
    std::vector<RunFolder::Upload> uploads;
    for (const LaunchFile& file : *files)
        uploads.push_back({file.name, file.bytes, file.mode});
    // Without the probe the launch goes on; what it would have looked at is said to be missing.
    const auto probe = co_await deliverProbe(shell, scratch);
    if (probe.ok())
        uploads.push_back({QStringLiteral("probe.sha256"), probe->sumFile()});
    else if (nodeCheck(plan) != NodeCheck::None)
        uploads.push_back({QStringLiteral("probe.ndjson"), missingProbeRow(probe.error())});
    const auto written = co_await there.write(uploads);
    if (self && m_cancelWanted)
        co_return Error{ErrorKind::Cancelled, tr("Cancelled by you.")};
    co_return written;
}

QCoro::Task<void> Launch::submit()
{
    const QPointer<Launch> self(this);
    const auto cluster = m_cluster;
    const SubmitRequest request{m_run.folder, QStringLiteral("job.sh"), u"slipway:" + m_run.tag};
    const auto job = co_await cluster->submit(request);
    if (!self)
        co_return;
    m_beginning = false;
    if (job.ok()) {
        takeJobId(*job);
        co_return;
    }
    const ErrorKind kind = job.error().kind;
    const bool answered = kind != ErrorKind::LinkLost && kind != ErrorKind::Timeout && kind != ErrorKind::Protocol
        && kind != ErrorKind::Unknown;
    if (answered) {
        giveUp(notSubmitted(job.error()));
        co_return;
    }
    // The request may have arrived although the answer did not: it is looked for, never repeated.
    m_run.sentence = tr("Whether the job was submitted is not known: %1").arg(job.error().summary);
    save();
    tellAccepted(job.error());
    if (cluster->shell()->linkState() != LinkState::Down && m_cluster == cluster)
        reconcile();
    else
        detach();
}

/// A run without a job number and a connection: either the job is there, or there is none.
QCoro::Task<void> Launch::reconcile()
{
    const QPointer<Launch> self(this);
    const auto cluster = m_cluster;
    if (m_run.folder.isEmpty() || m_run.phase == RunPhase::Preparing) {
        giveUp(notSubmitted(Error{ErrorKind::LinkLost, tr("The launch was interrupted while files were uploaded."),
            tr("Launch it again.")}));
        co_return;
    }
    for (int look = 0; look < 3; ++look) {
        if (look > 0)
            co_await rest(std::chrono::seconds(3)); // an sbatch may still be under way there
        if (!self || m_cluster != cluster)
            co_return;
        const auto job = co_await lookForJob(cluster);
        if (!self || m_cluster != cluster)
            co_return;
        if (job.ok()) {
            takeJobId(*job);
            if (m_run.spec.mode == LaunchMode::Interactive)
                interact();
            co_return;
        }
        if (job.error().kind != ErrorKind::NotFound) {
            look = 0; // no answer is no proof: ask until there is one
            m_run.sentence = tr("Whether the job was submitted is not known: %1").arg(job.error().summary);
            save();
        }
    }
    giveUp(notSubmitted(Error{ErrorKind::LinkLost,
        tr("The connection was lost before the job was submitted, and the cluster has no job of this run."),
        tr("Launch it again.")}));
}

QCoro::Task<Result<JobId>> Launch::lookForJob(std::shared_ptr<Cluster> cluster)
{
    const QString comment = u"slipway:" + m_run.tag;
    const RunFolder there(cluster->shell(), m_run.folder);
    const auto note = co_await there.readFrom(QStringLiteral("jobid"), 0);
    if (!note.ok())
        co_return note.error();
    const QString number = QString::fromLatin1(note->trimmed()).section(u';', 0, 0);
    if (!number.isEmpty() && std::all_of(number.begin(), number.end(), [](QChar c) { return c.isDigit(); }))
        co_return JobId{number};
    const auto jobs = co_await cluster->orphans(comment);
    if (!jobs.ok())
        co_return jobs.error();
    if (!jobs->empty())
        co_return jobs->front().id;
    co_return Error{ErrorKind::NotFound, tr("There is no job of this run.")};
}

void Launch::takeJobId(const JobId& job)
{
    const bool fresh = m_run.job != job;
    m_run.job = job;
    m_run.logFile = m_run.folder + u"/slurm-" + job.text + u".out";
    if (fresh && m_run.phase < RunPhase::Queued) {
        m_run.phase = RunPhase::Queued;
        m_run.sentence = tr("Submitted as job %1.").arg(job.text);
    }
    if (fresh)
        save();
    tellAccepted({});
    if (!m_cluster)
        return;
    Job expected;
    expected.id = job;
    expected.restarts = m_local.logPosition().restarts;
    JobWatcher* watcher = m_cluster->watcher();
    const auto known = watcher->job(job);
    if (!known)
        watcher->expect(expected);
    else
        takeJob(*known);
    if (fresh || !known)
        watcher->refresh();
    if (fresh && m_cancelWanted)
        cancel(m_cluster);
}

void Launch::giveUp(const Error& error)
{
    const bool cancelled = error.kind == ErrorKind::Cancelled;
    m_beginning = false;
    if (!cancelled)
        m_run.error = error;
    if (!cancelled)
        explainRefusal(error);
    m_run.ended = QDateTime::currentDateTime();
    closeStages(m_run.stages, RunPhase::Failed, m_run.ended);
    if (RunStage* results = findStage(m_run.stages, QStringLiteral("results")))
        results->state = StageState::Skipped;
    setPhase(cancelled ? RunPhase::Cancelled : RunPhase::Failed, error.summary);
    m_local.unlock();
    if (m_cluster)
        m_cluster->disconnect(this);
    m_cluster.reset();
    tellAccepted(error);
}

void Launch::tellAccepted(const Result<void>& result)
{
    if (std::exchange(m_acceptedTold, true))
        return;
    m_acceptance = result;
    m_accepted.open();
}

QCoro::Task<void> Launch::interact()
{
    if (m_interacting)
        co_return;
    const QPointer<Launch> self(this);
    const auto cluster = m_cluster;
    m_interacting = true;
    readSteps();
    const AllocateRequest request{m_run.folder, m_allocationOptions, u"slipway:" + m_run.tag, m_allocateByBatchJob};
    const auto granted = co_await cluster->allocate(request);
    if (!self)
        co_return;
    m_beginning = false;
    if (m_cluster != cluster || isTerminal(m_run.phase)) {
        tellAccepted(granted.ok() ? Error{ErrorKind::LinkLost, tr("The connection was lost.")} : granted.error());
        co_return;
    }
    if (!granted.ok()) {
        m_interacting = false;
        const bool known = granted.error().kind == ErrorKind::Refused || granted.error().kind == ErrorKind::Unsupported;
        if (granted.error().kind == ErrorKind::Cancelled)
            conclude(JobState::Cancelled, {});
        else if (known)
            giveUp(granted.error());
        else
            tellAccepted(granted.error()); // the link; attach() asks again
        co_return;
    }
    takeJobId(granted->id);
    if (m_run.nodeList.isEmpty())
        m_run.nodeList = granted->nodeList;
    Job job = m_job;
    job.id = granted->id;
    job.state = JobState::Running;
    if (job.nodeList.isEmpty())
        job.nodeList = granted->nodeList;
    takeJob(job);
    bool whole = true;
    for (int i = 0; i < int(m_steps.size()); ++i) {
        const auto wentOn = co_await runStep(i);
        if (!self || m_cluster != cluster)
            co_return;
        if (!wentOn.ok() || !*wentOn || isTerminal(m_run.phase)) {
            whole = wentOn.ok();
            break;
        }
    }
    m_interacting = false;
    if (!whole || m_cluster != cluster || isTerminal(m_run.phase) || m_concluding)
        co_return;
    co_await fetchResults();
    if (!self || m_cluster != cluster || isTerminal(m_run.phase) || m_concluding)
        co_return;
    EndFacts facts;
    facts.state = JobState::Completed;
    facts.marks = m_marks;
    facts.logTail = m_local.logTail(16 * 1024);
    const RunEnd end = endOf(facts);
    m_run.error = end.error;
    m_run.exitCode = end.exitCode;
    setPhase(RunPhase::Allocated, end.sentence + u' ' + tr("The nodes are kept until they are released."));
}

/// One step in the allocation: true when the next one may run.
QCoro::Task<Result<bool>> Launch::runStep(int index)
{
    const QPointer<Launch> self(this);
    const auto cluster = m_cluster;
    const Step step = m_steps.at(size_t(index));
    const StepRequest request{m_run.folder, m_run.job, step.file, u"slurm-" + m_run.job.text + u".out", step.id};
    const auto started = co_await cluster->startStep(request);
    if (!started.ok() || !self) {
        if (self && started.error().kind != ErrorKind::LinkLost)
            m_run.sentence = started.error().summary;
        co_return started.ok() ? Error{ErrorKind::Cancelled, {}} : started.error();
    }
    const auto code = co_await cluster->stepResult(request);
    if (!self)
        co_return Error{ErrorKind::Cancelled, {}};
    if (!code.ok())
        co_return code.error();
    co_await readMarks();
    co_return *code == 0 || step.mayFail;
}

void Launch::keepSteps(const Plan& plan, const QStringList& options)
{
    const auto scripts = renderStepScripts(plan);
    QJsonArray steps;
    for (size_t i = 0; i < scripts.size() && i < plan.steps.size(); ++i) {
        const PlanStep& step = plan.steps[i];
        steps.append(QJsonObject{{QStringLiteral("file"), scripts[i].name}, {QStringLiteral("id"), step.id},
            {QStringLiteral("title"), step.title},
            {QStringLiteral("mayFail"), (step.stage == checkStepId && nodeCheck(plan) != NodeCheck::Stop) || step.goesOn || step.expect != RecipeStep::Expect::Success}});
    }
    m_local.keepSteps({{QStringLiteral("options"), QJsonArray::fromStringList(options)},
        {QStringLiteral("byBatchJob"), plan.site.interactive == InteractiveStyle::Idev}, {QStringLiteral("steps"), steps}});
}

void Launch::readSteps()
{
    const QJsonObject json = m_local.steps();
    m_allocateByBatchJob = json.value(u"byBatchJob").toBool();
    m_allocationOptions.clear();
    m_steps.clear();
    for (const auto& option : json.value(u"options").toArray())
        m_allocationOptions.append(option.toString());
    for (const auto& entry : json.value(u"steps").toArray()) {
        const QJsonObject step = entry.toObject();
        m_steps.push_back({step.value(u"file").toString(), step.value(u"id").toString(),
            step.value(u"title").toString(), step.value(u"mayFail").toBool()});
    }
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runrecord.h"

#include "app/plan/checksteps.h"
#include "app/runs/runstore.h"
#include "remote/slurm/jobstates.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 sameClock = 30; ///< s: an answer may take as long

/// By how many seconds the cluster's clock is ahead: a running job has been running for `elapsed`
/// there. None: this job does not say it.
std::optional<qint64> clockAheadOf(const Job& job, const QDateTime& asked)
{
    if (job.state != JobState::Running || !job.started || !job.elapsed || !asked.isValid())
        return std::nullopt;
    const qint64 ahead = asked.secsTo(*job.started) + job.elapsed->count();
    return qAbs(ahead) < sameClock ? 0 : ahead;
}

} // namespace

RunRecord::RunRecord(Run theRun, QString localFolder, RunStore* store, QStringList results)
    : run(std::move(theRun))
    , local(std::move(localFolder))
    , resultPatterns(std::move(results))
    , m_store(store)
{
    planned = run.stages;
    for (RunStage& stage : planned)
        if (stage.id != QLatin1String("queued"))
            stage = RunStage{stage.id, stage.title, StageState::Pending, {}, {}, {}};
    readMarks();
}

void RunRecord::save()
{
    // A store that cannot be written must not end a job: the run continues, and the next save may
    // work.
    if (m_store && local.isLocked())
        Q_UNUSED(m_store->save(run).ok())
    emit changed();
}

void RunRecord::say(const QString& sentence)
{
    run.sentence = sentence;
    save();
}

void RunRecord::setPhase(RunPhase phase, const QString& sentence)
{
    run.phase = phase;
    if (isTerminal(phase))
        run.pull.reset();
    say(sentence);
}

void RunRecord::readMarks()
{
    const QByteArray events = local.events();
    marks = parseMarks(events);
    if (!isTerminal(
            run.phase)) // the pulls of an ended run are not shown, and reading them takes time
        pulls = readPulls(events);
    if (!marks.empty())
        run.imageDigest = imageDigestOf(marks);
}

void RunRecord::onNewMarks(const QDateTime& when)
{
    const auto known = qsizetype(marks.size()); // the copy only grows
    readMarks();
    const auto end = marks.rend() - std::min<qsizetype>(known, qsizetype(marks.size()));
    const auto begun = std::find_if(marks.rbegin(), end,
        [](const StepMark& mark) { return mark.stage == QLatin1String("node"); });
    if (begun != end && run.phase == RunPhase::Queued && !isInteractive()) {
        m_begun = when;
        run.phase = RunPhase::Running;
        run.started = begun->time;
        job.state = JobState::Running;
        job.started = begun->time;
        if (RunStage* const queued = findStage(planned, QStringLiteral("queued"))) {
            queued->state = StageState::Done;
            queued->end = begun->time;
        }
    }
    if (!ended())
        updateTimeline();
}

bool RunRecord::lastStepEnded() const
{
    if (planned.size() < 2 || marks.empty() || marks.back().state == QLatin1String("begin"))
        return false;
    return marks.back().state == QLatin1String("failed")
        || marks.back().step == planned[planned.size() - 2].id; // the results follow it
}

bool RunRecord::setJobId(const JobId& id)
{
    const bool fresh = run.job != id;
    run.job = id;
    run.logFile = run.folder + u"/slurm-" + id.text + u".out";
    if (!fresh)
        return false;
    if (run.phase < RunPhase::Queued) {
        run.phase = RunPhase::Queued;
        run.sentence = tr("Submitted as job %1.").arg(id.text);
    }
    save();
    return true;
}

void RunRecord::restartTimeline()
{
    for (RunStage& stage : planned)
        stage = RunStage{stage.id, stage.title, StageState::Pending, {}, {}, {}};
}

QDateTime RunRecord::logBegan() const
{
    return logBeginning(marks, run.started, !local.logRestarts().empty());
}

void RunRecord::onJob(const Job& reported, const QDateTime& asked)
{
    if (isWaiting(reported.state) && m_begun.isValid() && asked <= m_begun)
        return; // it has begun since
    job = reported;
    run.clockAhead = clockAheadOf(job, asked).value_or(run.clockAhead);
    RunStage* const queued = findStage(planned, QStringLiteral("queued"));
    RunStage* const node = findStage(planned, QStringLiteral("node"));
    if (queued)
        queued->begin = job.submitted;
    if (holdsNodes(job.state)) {
        if (run.phase != RunPhase::Allocated)
            run.phase = RunPhase::Running;
        run.nodeList = job.nodeList;
        if (job.started)
            run.started = *job.started;
        if (queued) {
            queued->state = StageState::Done;
            queued->end = job.started;
        }
        // The job's own mark is more precise; until it arrives, the scheduler's state is shown.
        if (node) {
            node->state = isInteractive() ? StageState::Done : StageState::Running;
            node->begin = job.started;
            node->detail = job.nodeList;
        }
    } else if (isWaiting(job.state)) {
        run.phase = RunPhase::Queued;
        if (queued)
            queued->state = StageState::Running;
    }
    updateTimeline();
}

void RunRecord::updateTimeline()
{
    run.stages = planned;
    // While it waits again after a requeue, the marks are those of the previous attempt.
    run.pull.reset();
    if (run.phase != RunPhase::Queued) {
        applyMarks(run.stages, marks);
        run.pull = applyPulls(run.stages, pulls);
    }
    RunStage* const check = findStage(run.stages, checkStepId);
    if (check && check->state != StageState::Pending)
        check->detail = nodeSentence(readNodeReport(local.probeRows()));
    run.asOf = QDateTime::currentDateTime();
    if (run.phase == RunPhase::Queued || run.phase == RunPhase::Running)
        run.sentence = liveSentence(run, job, run.asOf);
    if (!logTrouble.isEmpty() && !run.sentence.endsWith(logTrouble))
        run.sentence += u' ' + logTrouble;
    save();
}

bool RunRecord::cancelAsked() const
{
    return m_store && m_store->cancelAsked(run.id).has_value();
}

Result<void> RunRecord::noteCancelAsked()
{
    return m_store ? m_store->noteCancelAsked(run.id, QDateTime::currentDateTime())
                   : Result<void>();
}

void RunRecord::giveUp(const Error& error)
{
    const bool cancelled = error.kind == ErrorKind::Cancelled;
    if (!cancelled)
        run.error = error;
    if (!cancelled && hints) {
        ExplainContext context = explainContext;
        context.refusal = QString::fromUtf8(error.detail);
        context.endedWell = false;
        run.explanations = Explainer(hints->book()).result(context);
    }
    run.ended = QDateTime::currentDateTime();
    closeStages(run.stages, RunPhase::Failed, run.ended);
    if (RunStage* results = findStage(run.stages, QStringLiteral("results")))
        results->state = StageState::Skipped;
    setPhase(cancelled ? RunPhase::Cancelled : RunPhase::Failed, error.summary);
}

void RunRecord::reopen(const JobId& found)
{
    run.job = found;
    run.error.reset();
    run.exitCode.reset();
    run.explanations.clear();
    run.endState.clear();
    run.ended = {};
    restartTimeline();
    run.stages = planned;
    setPhase(RunPhase::Queued, tr("Its job %1 was found on the cluster.").arg(found.text));
}

RunEnd endOfRun(const RunRecord& record, EndFacts facts, const QStringList& stepIds)
{
    if (!record.isInteractive())
        return runEnd(facts);
    bool allEnded = !record.run.stages.empty();
    bool failed = false;
    for (const RunStage& stage : record.run.stages) {
        const bool isStep = stepIds.contains(stage.id);
        const bool ended = stage.state == StageState::Done || stage.state == StageState::Failed;
        allEnded = allEnded && (!isStep || ended);
        failed = failed || (isStep && stage.state == StageState::Failed && stage.id != checkStepId);
    }
    if (failed)
        facts.state = JobState::Failed;
    else if (allEnded)
        facts.state = JobState::Completed;
    return runEnd(facts);
}

Error notSubmitted(Error error)
{
    error.summary += u' ' + RunRecord::tr("Nothing was submitted.");
    return error;
}

} // namespace slipway

#include "moc_runrecord.cpp"

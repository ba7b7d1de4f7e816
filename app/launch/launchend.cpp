// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/checksteps.h"
#include "app/launch/launch.h"
#include "app/launch/runstore.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QSaveFile>

namespace slipway {

namespace {

using namespace std::chrono_literals;

constexpr qint64 largestResult = 20 * 1024 * 1024;
constexpr qint64 largestResults = 100 * 1024 * 1024;
constexpr qint64 shownLog = 16 * 1024;

} // namespace

Error programClosed()
{
    return Error{ErrorKind::Cancelled, tr("The program was closed.")};
}

/// The job is not in the scheduler's answer. That is no end, but its own note of its end is one.
QCoro::Task<void> Launch::checkExitNote()
{
    const QPointer<Launch> self(this);
    const auto cluster = m_cluster;
    const RunFolder there = folder();
    const auto note = co_await there.readExit();
    if (!self || m_cluster != cluster || isTerminal(m_run.phase))
        co_return;
    if (note.ok() && note->has_value()) {
        cluster->watcher()->forget(m_run.job);
        co_await conclude(std::nullopt, {});
        co_return;
    }
    m_run.sentence = tr("The scheduler's answer did not name the job; whether it has ended is not known yet.");
    save();
}

/// The job has ended: what it wrote is read to its end, then the run ends too. When the connection is
/// lost on the way, the next attach() comes here again.
QCoro::Task<void> Launch::conclude(std::optional<JobState> state, QString stateText)
{
    if (m_concluding || !m_cluster || isTerminal(m_run.phase))
        co_return;
    m_concluding = true;
    const QPointer<Launch> self(this);
    const auto cluster = m_cluster;
    const bool whole = co_await drainLog();
    if (!self || m_cluster != cluster || !whole)
        co_return;
    while (m_readingMarks) {
        co_await rest(50ms);
        if (!self || m_cluster != cluster)
            co_return;
    }
    co_await readMarks();
    if (!self || m_cluster != cluster)
        co_return;
    if (findStage(m_run.stages, checkStepId))
        co_await readReport();
    if (!self || m_cluster != cluster)
        co_return;
    EndFacts facts;
    facts.node = readNodeReport(m_local.probeRows());
    const RunFolder there = folder();
    for (int look = 0; look < 2 && !facts.exit; ++look) {
        if (look > 0)
            co_await rest(1s); // a shared file system may show the note late
        if (!self || m_cluster != cluster)
            co_return;
        const auto note = co_await there.readExit();
        if (!self || m_cluster != cluster)
            co_return;
        facts.exit = note.ok() ? *note : std::nullopt;
        if (m_run.spec.mode == LaunchMode::Interactive || !m_run.started.isValid())
            break; // no batch script, no note
    }
    // A short job is over before anybody saw it run: its marks are of this try all the same.
    if (m_run.phase == RunPhase::Queued && facts.exit && facts.exit->restarts == m_job.restarts) {
        m_run.phase = RunPhase::Running;
        retell();
    }
    m_run.sentence = tr("The job has ended; its results are fetched.");
    save();
    co_await fetchResults();
    if (!self || m_cluster != cluster)
        co_return;

    facts.state = state;
    facts.stateText = stateText;
    facts.marks = m_marks;
    facts.cancelAsked = m_store->cancelAsked(m_run.id).has_value();
    if (m_job.timeLimit)
        facts.timeLimit = WallTime(*m_job.timeLimit);
    facts.logTail = m_local.logTail(shownLog);
    const RunEnd end = endOf(facts);
    m_run.endState = stateText;
    auto explanations = co_await explainEnd(end.phase, stateText);
    if (!self || m_cluster != cluster)
        co_return;
    m_run.explanations = std::move(explanations);
    m_run.exitCode = end.exitCode;
    m_run.error = end.error;
    m_run.ended = m_job.ended ? *m_job.ended
        : facts.exit && facts.exit->ended ? *facts.exit->ended : QDateTime::currentDateTime();
    closeStages(m_run.stages, end.phase, m_run.ended);
    m_marksTimer.stop();
    m_follower.reset();
    setPhase(end.phase, end.sentence);
    cluster->disconnect(this);
    m_cluster.reset();
    m_local.unlock();
    emit logGrew();
}

/// True when the log here is as long as the log there.
QCoro::Task<bool> Launch::drainLog()
{
    const QPointer<Launch> self(this);
    const auto cluster = m_cluster;
    follow();
    if (!m_follower || !m_follower->isRunning())
        co_return true;
    m_follower->finish();
    while (self && m_cluster == cluster && m_follower && m_follower->isRunning())
        co_await m_logEnded.wait();
    co_return self && m_cluster == cluster;
}

/// How a run ended. An interactive one is judged by its steps: its allocation always ends by a cancel
/// or by its time.
RunEnd Launch::endOf(const EndFacts& facts)
{
    if (m_run.spec.mode == LaunchMode::Batch)
        return runEnd(facts);
    bool allEnded = !m_run.stages.empty();
    bool failed = false;
    for (const RunStage& stage : m_run.stages) {
        const bool isStep = std::any_of(m_steps.begin(), m_steps.end(), [&](const Step& s) { return s.id == stage.id; });
        allEnded = allEnded && (!isStep || stage.state == StageState::Done || stage.state == StageState::Failed);
        failed = failed || (isStep && stage.state == StageState::Failed && stage.id != checkStepId);
    }
    EndFacts judged = facts;
    if (failed)
        judged.state = JobState::Failed;
    else if (allEnded)
        judged.state = JobState::Completed;
    return runEnd(judged);
}

QCoro::Task<void> Launch::fetchResults()
{
    const QPointer<Launch> self(this);
    const auto cluster = m_cluster;
    QStringList patterns;
    for (const QString& pattern : m_resultPatterns)
        patterns.append(u"results/" + pattern);
    RunStage stage{QStringLiteral("results"), tr("Results"), StageState::Skipped, QDateTime::currentDateTime(), {}, {}};
    qint64 total = 0;
    int fetched = 0, left = 0;
    const RunFolder there = folder();
    auto files = Result<std::vector<RemoteFile>>(std::vector<RemoteFile>());
    if (!patterns.isEmpty())
        files = co_await there.list(patterns);
    for (size_t i = 0; files.ok() && i < files->size(); ++i) {
        if (!self || m_cluster != cluster)
            co_return;
        const RemoteFile file = files->at(i);
        if (file.size > largestResult || total + file.size > largestResults) {
            ++left;
            continue;
        }
        const QString path = m_local.filePath(file.name);
        QDir().mkpath(QFileInfo(path).path());
        QSaveFile here(path);
        if (!here.open(QIODevice::WriteOnly)) {
            ++left;
            continue;
        }
        const auto done = co_await there.fetch(file.name, &here);
        if (done.ok() && here.commit()) {
            total += file.size;
            ++fetched;
        } else {
            ++left;
        }
    }
    if (!self || m_cluster != cluster)
        co_return;
    stage.end = QDateTime::currentDateTime();
    if (!files.ok()) {
        stage.state = StageState::Failed;
        stage.detail = files.error().summary;
    } else if (fetched + left > 0) {
        stage.state = StageState::Done;
        stage.detail = tr("%n file(s)", nullptr, fetched);
        if (left > 0)
            stage.detail += tr("; %1 left on the cluster").arg(left);
    }
    for (auto* stages : {&m_run.stages, &m_planned})
        if (RunStage* results = findStage(*stages, stage.id))
            *results = stage;
}

QCoro::Task<Result<void>> Launch::cancel(std::shared_ptr<Cluster> cluster)
{
    const QPointer<Launch> self(this);
    if (isTerminal(m_run.phase))
        co_return Error{ErrorKind::Usage, tr("Run %1 has ended already.").arg(m_run.id)};
    const auto noted = m_store->noteCancelAsked(m_run.id, QDateTime::currentDateTime());
    if (!noted.ok())
        co_return noted;
    if (!m_run.job.isValid()) {
        if (!m_beginning)
            co_return Error{ErrorKind::Unknown, tr("Whether the job was submitted is not known yet."),
                tr("Cancel it again when it is in the list with a job number.")};
        m_cancelWanted = true;
        if (!m_acceptedTold)
            co_await m_accepted.wait();
        if (!self)
            co_return programClosed();
        if (!m_run.job.isValid())
            co_return Result<void>(); // it ended before it became a job
    }
    const auto ended = co_await endJob(cluster);
    co_return ended;
}

QCoro::Task<Result<void>> Launch::release(std::shared_ptr<Cluster> cluster)
{
    if (m_run.spec.mode != LaunchMode::Interactive)
        co_return Error{ErrorKind::Usage, tr("Run %1 is a batch job: there is nothing to release.").arg(m_run.id)};
    if (isTerminal(m_run.phase))
        co_return Error{ErrorKind::Usage, tr("The nodes of run %1 were given back already.").arg(m_run.id)};
    if (m_run.phase != RunPhase::Allocated) {
        const auto cancelled = co_await cancel(cluster); // steps still run: that is a cancel
        co_return cancelled;
    }
    const auto ended = co_await endJob(cluster);
    co_return ended;
}

QCoro::Task<Result<void>> Launch::endJob(std::shared_ptr<Cluster> cluster)
{
    const QPointer<Launch> self(this);
    const auto ended = co_await cluster->cancel(m_run.job);
    if (!self)
        co_return programClosed();
    if (!ended.ok())
        co_return ended;
    if (m_cluster != cluster)
        co_return Result<void>(); // another program drives the run, and sees it
    // The cluster is sure; the run itself ends when its log is whole.
    for (int i = 0; i < 300 && self && m_cluster == cluster && !isTerminal(m_run.phase); ++i) {
        if (i % 20 == 0 && !m_concluding)
            cluster->watcher()->refresh();
        co_await rest(100ms);
    }
    co_return Result<void>();
}

} // namespace slipway

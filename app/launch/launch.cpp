// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/launch.h"

#include "app/launch/checksteps.h"
#include "app/launch/runstore.h"
#include "remote/slurm/jobstates.h"

#include <QCoreApplication>
#include <QPointer>

namespace slipway {

namespace {

constexpr auto marksInterval = std::chrono::seconds(2);

} // namespace

Launch::Launch(Run run, QString localFolder, RunStore* store, QStringList resultPatterns, QObject* parent)
    : QObject(parent)
    , m_run(std::move(run))
    , m_local(std::move(localFolder))
    , m_store(store)
    , m_resultPatterns(std::move(resultPatterns))
{
    m_planned = m_run.stages;
    for (RunStage& stage : m_planned)
        if (stage.id != QLatin1String("queued"))
            stage = RunStage{stage.id, stage.title, StageState::Pending, {}, {}, {}};
    m_marks = parseMarks(m_local.events());
    m_marksTimer.setInterval(marksInterval);
    connect(&m_marksTimer, &QTimer::timeout, this, [this] { readMarks(); });
}

Launch::~Launch()
{
    // Whoever waits goes on now, sees that the connection is gone, and ends.
    m_cluster.reset();
    m_follower.reset();
    m_logEnded.open();
    tellAccepted(Error{ErrorKind::Cancelled, tr("The program was closed.")});
    for (const auto& resting : std::exchange(m_rests, {}))
        if (const auto gate = resting.lock())
            gate->open();
}

QCoro::Task<void> Launch::rest(std::chrono::milliseconds time)
{
    const auto gate = std::make_shared<Gate>();
    std::erase_if(m_rests, [](const auto& other) { return other.expired(); });
    m_rests.push_back(gate);
    QTimer::singleShot(time, this, [gate] { gate->open(); });
    co_await gate->wait();
}

RunFolder Launch::folder() const
{
    return RunFolder(m_cluster->shell(), m_run.folder);
}

void Launch::attach(const std::shared_ptr<Cluster>& cluster)
{
    if (m_cluster || m_beginning || isTerminal(m_run.phase) || !m_local.lock())
        return;
    m_cluster = cluster;
    connect(cluster.get(), &Cluster::allocationPending, this, [this](const QString& tag, const JobId& job) {
        if (tag.endsWith(m_run.tag))
            takeJobId(job);
    });
    if (!m_run.job.isValid()) {
        reconcile();
        return;
    }
    takeJobId(m_run.job);
    if (m_run.spec.mode == LaunchMode::Interactive && m_run.phase != RunPhase::Allocated)
        interact();
}

void Launch::detach()
{
    if (!m_cluster)
        return;
    m_cluster->disconnect(this);
    m_cluster.reset();
    m_marksTimer.stop();
    // The follower ends by itself; what it brought so far is here.
    if (m_follower)
        m_follower.release()->deleteLater();
    m_concluding = m_interacting = m_readingMarks = false;
    m_logEnded.open();
    if (isTerminal(m_run.phase) || m_beginning)
        return;
    m_run.sentence = m_run.job.isValid()
        ? tr("Not connected; the job goes on. Last known: %1").arg(m_run.sentence)
        : tr("Not connected; whether the job was submitted is looked for at the next login.");
    save();
    m_local.unlock(); // another program may have a connection
}

void Launch::setFetchedTo(const QString& folder)
{
    m_run.fetchedTo = folder;
    emit changed();
}

void Launch::takeStored(const Run& run)
{
    if (m_local.isLocked())
        return;
    m_run = run;
    m_marks = parseMarks(m_local.events());
    emit logGrew();
    emit reportGrew();
    emit changed();
}

void Launch::takeEvent(const JobEvent& event)
{
    // Before its number is known, a job is nobody's: takeJobId() then reads what the watcher knows of it.
    if (!m_cluster || isTerminal(m_run.phase) || m_run.job != event.after.id)
        return;
    switch (event.kind) {
    case JobEvent::Kind::Appeared:
    case JobEvent::Kind::Changed:
    case JobEvent::Kind::ReasonChanged:
    case JobEvent::Kind::Returned:
        takeJob(event.after);
        break;
    case JobEvent::Kind::Restarted:
        takeRestart(event.after);
        break;
    case JobEvent::Kind::Missing:
        checkExitNote();
        break;
    case JobEvent::Kind::Ended:
        m_job = event.after;
        conclude(event.after.state, event.after.stateText);
        break;
    case JobEvent::Kind::EndedUnknown:
        conclude(std::nullopt, {});
        break;
    }
}

void Launch::takeJob(const Job& job)
{
    m_job = job;
    if (slipway::isTerminal(job.state)) {
        conclude(job.state, job.stateText);
        return;
    }
    if (holdsNodes(job.state)) {
        takeStarted(job);
    } else if (isWaiting(job.state)) {
        m_run.phase = RunPhase::Queued;
        if (RunStage* queued = findStage(m_planned, QStringLiteral("queued"))) {
            queued->state = StageState::Running;
            queued->begin = job.submitted;
        }
    }
    retell();
}

void Launch::takeStarted(const Job& job)
{
    if (m_run.phase != RunPhase::Allocated)
        m_run.phase = RunPhase::Running;
    m_run.nodeList = job.nodeList;
    if (job.started)
        m_run.started = *job.started;
    if (RunStage* queued = findStage(m_planned, QStringLiteral("queued"))) {
        queued->state = StageState::Done;
        queued->begin = job.submitted;
        queued->end = job.started;
    }
    // The job's own mark says more; until it comes, the scheduler's word stands.
    if (RunStage* node = findStage(m_planned, QStringLiteral("node"))) {
        node->state = m_run.spec.mode == LaunchMode::Interactive ? StageState::Done : StageState::Running;
        node->begin = job.started;
        node->detail = job.nodeList;
    }
    follow();
}

void Launch::takeRestart(const Job& job)
{
    if (m_follower)
        m_follower->jobRestarted(job.restarts);
    for (RunStage& stage : m_planned)
        stage = RunStage{stage.id, stage.title, StageState::Pending, {}, {}, {}};
    takeJob(job);
}

void Launch::follow()
{
    if (!m_cluster || m_run.logFile.isEmpty())
        return;
    if (!m_marksTimer.isActive()) {
        m_marksTimer.start();
        readMarks();
    }
    if (m_follower)
        return;
    m_follower = std::make_unique<LogFollower>(m_cluster->shell(), m_run.logFile, m_local.logPosition());
    connect(m_follower.get(), &LogFollower::bytes, this, &Launch::takeLog);
    connect(m_follower.get(), &LogFollower::restarted, this, [this] {
        m_local.restartLog();
        emit logGrew();
    });
    // From the event loop: who waits for it may delete the follower.
    connect(m_follower.get(), &LogFollower::ended, this, [this] { m_logEnded.open(); }, Qt::QueuedConnection);
    m_follower->start();
}

void Launch::takeLog(const QByteArray& bytes, qint64 offset)
{
    const auto kept = m_local.appendLog(bytes, offset);
    if (!kept.ok()) {
        // The job must not suffer from a full disk here; its log is still there to be fetched.
        m_run.sentence = kept.error().summary;
        m_follower->cancel();
        save();
        return;
    }
    const LogPosition& position = m_follower->position();
    m_local.noteLogIdentity(position.inode, position.restarts);
    m_run.logBytes = offset + bytes.size();
    emit logGrew();
}

QCoro::Task<void> Launch::readMarks()
{
    if (!m_cluster || m_readingMarks)
        co_return;
    const QPointer<Launch> self(this);
    const auto cluster = m_cluster;
    m_readingMarks = true;
    const RunFolder there = folder();
    const qint64 offset = m_local.eventsSize();
    const auto fresh = co_await there.readFrom(QStringLiteral("events.ndjson"), offset);
    if (!self || m_cluster != cluster)
        co_return;
    m_readingMarks = false;
    // The report grows while a check is under way, and once more when its end is noted.
    const RunStage* const check = findStage(m_run.stages, checkStepId);
    if ((check && check->state == StageState::Running) || (fresh.ok() && fresh->contains("\"stage\":\"check\"")))
        co_await readReport();
    if (!self || m_cluster != cluster || !fresh.ok() || fresh->isEmpty())
        co_return;
    if (!m_local.appendEvents(*fresh).ok())
        co_return;
    m_marks = parseMarks(m_local.events());
    if (!isTerminal(m_run.phase))
        retell();
    // The last step has ended: the scheduler will say so as soon as it is asked.
    const auto& last = m_marks.empty() ? StepMark{} : m_marks.back();
    if (m_planned.size() >= 2 && last.state != QLatin1String("begin")
        && (last.state == QLatin1String("failed") || last.step == m_planned[m_planned.size() - 2].id))
        cluster->watcher()->refresh();
}

QCoro::Task<void> Launch::readReport()
{
    const QPointer<Launch> self(this);
    const auto cluster = m_cluster;
    const RunFolder there = folder();
    const qint64 offset = m_local.probeRowsSize();
    const auto fresh = co_await there.readFrom(QStringLiteral("probe.ndjson"), offset);
    if (!self || m_cluster != cluster || !fresh.ok() || fresh->isEmpty() || m_local.probeRowsSize() != offset)
        co_return;
    if (m_local.appendProbeRows(*fresh).ok())
        emit reportGrew();
}

/// The timeline and the sentence from what is known now; tells only what is new.
void Launch::retell()
{
    m_run.stages = m_planned;
    // While it waits again after a requeue, the marks are those of the try before.
    if (m_run.phase != RunPhase::Queued)
        applyMarks(m_run.stages, m_marks);
    if (RunStage* check = findStage(m_run.stages, checkStepId); check && check->state != StageState::Pending)
        check->detail = nodeSentence(readNodeReport(m_local.probeRows()));
    if (m_run.phase == RunPhase::Queued || m_run.phase == RunPhase::Running)
        m_run.sentence = liveSentence(m_run, m_job, QDateTime::currentDateTime());
    save();
}

void Launch::setPhase(RunPhase phase, const QString& sentence)
{
    m_run.phase = phase;
    m_run.sentence = sentence;
    save();
}

void Launch::save()
{
    // A store that cannot be written must not end a job: the run goes on, and the next save may work.
    if (m_local.isLocked())
        Q_UNUSED(m_store->save(m_run).ok())
    emit changed();
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runreader.h"

#include "app/plan/checksteps.h"
#include "app/runs/sampletimes.h"
#include "remote/cluster/runtail.h"

#include <QLocale>

#include <utility>

namespace slipway {

using namespace std::chrono_literals;

namespace {

constexpr auto longestPause = std::chrono::milliseconds(60s);

} // namespace

RunReader::RunReader(RunFlow flow)
    : m_flow(std::move(flow))
    , m_record(m_flow.record)
    , m_folder(m_flow.cluster->shell(), m_record->run.folder)
    , m_records(std::make_shared<RecordFollower>(m_flow))
    , m_pause(m_flow.timeouts.log)
{
    connect(m_records.get(), &RecordFollower::grew, this, [this] { emit m_record->logGrew(); });
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &RunReader::follow);
}

RunReader::~RunReader() = default;

void RunReader::start()
{
    if (m_flow.over() || m_record->run.logFile.isEmpty())
        return;
    if (m_watched.empty()) {
        watch(QStringLiteral("events.ndjson"), [this] { readMarks(); });
        watch(QStringLiteral("probe.ndjson"), [this] { readReport(); });
        watch(QStringLiteral("exit.json"), [this] {
            m_noted = true;
            // The scheduler reported the end of the job first: there is nothing more to wait for.
            for (LogFollower* file : {m_follower.get(), m_times.get()}) {
                if (m_finishing && file && file->isRunning())
                    file->finish(0ms);
            }
            emit noteCame();
        });
    }
    m_records->start();
    if (!m_again.isActive())
        follow();
}

void RunReader::end()
{
    m_again.stop();
    m_records->end();
    for (auto& file : std::exchange(m_watched, {}))
        drop(file);
    drop(m_times);
    dropFollower(); // what it has received so far is stored
    m_logEnded.open();
    m_marksRead.open();
}

void RunReader::dropFollower()
{
    drop(m_follower);
}

/// Deleted later: this may be called from one of its signals.
void RunReader::drop(std::unique_ptr<LogFollower>& file)
{
    if (!file)
        return;
    LogFollower* const dropped = file.release();
    dropped->disconnect();
    dropped->cancel();
    dropped->deleteLater();
}

void RunReader::jobRestarted(int restarts)
{
    m_noted = false;
    if (m_follower)
        m_follower->jobRestarted(restarts);
}

void RunReader::follow()
{
    if (m_flow.over() || m_follower || m_record->run.logFile.isEmpty()
        || m_record->local.logIsFull())
        return;
    m_again.stop();
    for (const auto& file : m_watched)
        file->start();
    followTimes();
    m_follower = std::make_unique<LogFollower>(
        m_flow.cluster->tail(), m_record->run.logFile, m_record->local.logPosition());
    connect(m_follower.get(), &LogFollower::bytes, this, &RunReader::onLogBytes);
    connect(m_follower.get(), &LogFollower::restarted, this, [this] {
        m_record->local.restartLog();
        emit m_record->logGrew();
    });
    connect(m_follower.get(), &LogFollower::ended, this, &RunReader::onLogEnd);
    m_follower->start();
}

/// What the job notes of its log is read again with each connection, and small.
void RunReader::followTimes()
{
    if (!m_times) {
        m_times = std::make_unique<LogFollower>(
            m_flow.cluster->tail(), m_folder.filePath(QStringLiteral("log.times")));
        connect(m_times.get(), &LogFollower::bytes, this,
            [this](const QByteArray& bytes, qint64 offset) {
                keepLogTimes(m_record->local.logFile(), bytes, offset);
                emit m_record->logGrew();
            });
        connect(m_times.get(), &LogFollower::ended, this, &RunReader::openLogEnded);
    }
    m_times->start();
}

/// `changed` is called at each change of a small file in the run folder, and when it appears.
void RunReader::watch(const QString& name, const std::function<void()>& changed)
{
    m_watched.push_back(
        std::make_unique<LogFollower>(m_flow.cluster->tail(), m_folder.filePath(name)));
    connect(m_watched.back().get(), &LogFollower::bytes, this, changed);
    m_watched.back()->start();
}

void RunReader::onLogBytes(const QByteArray& bytes, qint64 offset)
{
    const auto kept = m_record->local.appendLog(bytes, offset);
    if (!kept.ok())
        return pauseLog(kept.error());
    if (m_record->local.logIsFull())
        return leaveLog();
    m_pause = m_flow.timeouts.log;
    if (m_logTrouble) {
        m_logTrouble.reset();
        m_record->logTrouble.clear();
        m_record->updateTimeline();
    }
    const LogPosition& position = m_follower->position();
    m_record->local.noteLogIdentity(position.inode, position.restarts);
    m_record->run.logBytes = offset + bytes.size();
    emit m_record->logGrew();
}

/// The log has reached its limit; its last line says so.
void RunReader::leaveLog()
{
    m_record->run.logBytes = m_record->local.logSize();
    m_record->logTrouble = tr(
        "Only the beginning of the log is kept on this computer; the whole log is on the cluster.");
    m_record->updateTimeline();
    dropFollower();
    emit m_record->logGrew();
    openLogEnded();
}

/// A local problem must not affect the job: its log is still on the cluster, and a new follower
/// continues from the local copy when there may be space again.
void RunReader::pauseLog(const Error& why)
{
    m_logTrouble = why;
    m_record->logTrouble = tr("The log here is not complete: %1").arg(why.summary);
    m_record->updateTimeline();
    dropFollower();
    if (!m_finishing)
        m_again.start(m_pause);
    m_pause = std::min(2 * m_pause, longestPause);
    openLogEnded();
}

/// Its result is kept at once: the end of another file may wake who waits for both.
void RunReader::onLogEnd(const Result<void>& result)
{
    // A lost connection ends the reader soon; anything else may be temporary.
    if (!result.ok() && result.error().kind != ErrorKind::LinkLost)
        pauseLog(result.error());
    else
        openLogEnded();
}

/// From the event loop: who waits may delete the follower that has just ended.
void RunReader::openLogEnded()
{
    QMetaObject::invokeMethod(
        this, [this] { m_logEnded.open(); }, Qt::QueuedConnection);
}

QCoro::Task<Result<void>> RunReader::readLogToEnd()
{
    const auto self = shared_from_this();
    m_logTrouble.reset();
    m_finishing = true;
    follow();
    // The exit record is the last thing that a job writes, and steps that have ended write no more.
    const bool settled = m_noted || m_record->run.phase == RunPhase::Allocated;
    if (m_follower && settled)
        m_follower->finish(0ms);
    else if (m_follower)
        m_follower->finish();
    if (m_times && settled)
        m_times->finish(0ms); // written before the exit record
    else if (m_times)
        m_times->finish();
    const auto isRunning = [](const auto& file) { return file && file->isRunning(); };
    while (!m_flow.over() && (isRunning(m_follower) || isRunning(m_times)))
        co_await m_logEnded.wait();
    drop(m_times);
    m_finishing = false;
    if (m_flow.over())
        co_return connectionGone();
    dropFollower(); // another call of the probe begins where this one ended
    if (m_logTrouble)
        co_return *m_logTrouble;
    m_record->logTrouble.clear();
    co_return Result<void>();
}

QCoro::Task<void> RunReader::readRecordsToEnd()
{
    const auto self = shared_from_this();
    co_await m_records->readToEnd();
}

QCoro::Task<Result<void>> RunReader::readMarks()
{
    const auto self = shared_from_this();
    while (m_readingMarks && !m_flow.over())
        co_await m_marksRead.wait();
    if (m_flow.over())
        co_return connectionGone();
    m_readingMarks = true;
    const QString name = QStringLiteral("events.ndjson");
    const qint64 offset = m_record->local.eventsSize();
    auto fresh = Result<QByteArray>(QByteArray());
    if (!m_record->local.eventsAreFull())
        fresh = co_await m_folder.readFrom(name, offset);
    m_readingMarks = false;
    if (m_flow.over())
        co_return connectionGone();
    m_marksRead.open();
    // The report grows while a check is running, and once more when its end is recorded.
    const RunStage* const check = findStage(m_record->run.stages, checkStepId);
    if ((check && check->state == StageState::Running)
        || (fresh.ok() && fresh->contains("\"stage\":\"check\"")))
        co_await readReport();
    if (m_flow.over())
        co_return connectionGone();
    if (!fresh.ok())
        co_return fresh.error();
    if (fresh->isEmpty() || m_record->local.eventsSize() != offset
        || !m_record->local.appendEvents(*fresh).ok())
        co_return Result<void>(); // a full local disk is reported by the log
    if (m_record->local.eventsAreFull())
        m_record->logTrouble = tr("Its job marked more stages than are kept on this computer (%1); "
                                  "later ones are not shown.")
                                   .arg(QLocale::c().formattedDataSize(LocalRun::mostRows));
    m_record->onNewMarks();
    emit marksCame();
    co_return Result<void>();
}

QCoro::Task<Result<void>> RunReader::readReport()
{
    const auto self = shared_from_this();
    const QString name = QStringLiteral("probe.ndjson");
    if (m_record->local.probeRowsAreFull())
        co_return Result<void>();
    const qint64 offset = m_record->local.probeRowsSize();
    const auto fresh = co_await m_folder.readFrom(name, offset);
    if (m_flow.over())
        co_return connectionGone();
    if (!fresh.ok())
        co_return fresh.error();
    if (!fresh->isEmpty() && m_record->local.probeRowsSize() == offset
        && m_record->local.appendProbeRows(*fresh).ok())
        emit m_record->reportGrew();
    co_return Result<void>();
}

} // namespace slipway

#include "moc_runreader.cpp"

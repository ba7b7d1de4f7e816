// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runhandle.h"

#include "app/runs/runnumbers.h"
#include "app/runs/runstore.h"

#include <QPointer>

namespace slipway {

namespace {

/// The sentence of a run whose job goes on without a connection.
QString awaySentence(const QString& known)
{
    return RunHandle::tr("Not connected; the job continues. Last known: %1").arg(known);
}

/// What is said in it; any other sentence as it is. A run may lose several connections before there
/// is news of it.
QString lastKnown(const QString& sentence)
{
    const QString prefix = awaySentence({});
    return sentence.startsWith(prefix) ? sentence.mid(prefix.size()) : sentence;
}

} // namespace

RunHandle::RunHandle(
    Run run, QString localFolder, RunStore* store, QStringList resultPatterns, QObject* parent)
    : QObject(parent)
    , m_record(std::make_shared<RunRecord>(
          std::move(run), std::move(localFolder), store, std::move(resultPatterns)))
{
    connect(m_record.get(), &RunRecord::changed, this, &RunHandle::changed);
    connect(m_record.get(), &RunRecord::logGrew, this, &RunHandle::logGrew);
    connect(m_record.get(), &RunRecord::reportGrew, this, &RunHandle::reportGrew);
}

RunHandle::~RunHandle()
{
    // All waiting tasks are resumed, see that the program ends, and end.
    m_record->disconnect(this);
    m_digest.reset();
    stopRenewing();
    if (m_driver && !m_record->ended()) {
        noteAnswer();
        m_record->save();
    }
    m_record->close();
    m_record->local.unlock();
    if (const auto driver = std::exchange(m_driver, nullptr)) {
        driver->disconnect(this);
        driver->end();
    }
    reportAccepted(programClosed());
}

void RunHandle::readAgain(RunReading reading)
{
    setReading(std::move(reading));
    if (m_digest)
        m_digest = std::make_unique<DigestReader>(m_record);
    else
        renewKeptNumbers();
}

/// Of a run that has ended. Another program that has it at this moment renews them itself.
QCoro::Task<void> RunHandle::renewKeptNumbers()
{
    stopRenewing();
    if (m_driver || !m_record->ended() || !m_record->local.lock())
        co_return;
    RunFlow flow;
    flow.record = m_record;
    m_renewing = flow.pauses;
    co_await renewNumbers(flow);
    if (flow.over())
        co_return; // somebody else has the lock now, or another renewal
    m_renewing.reset();
    flow.record->local.unlock();
}

void RunHandle::stopRenewing()
{
    if (const auto renewing = std::exchange(m_renewing, nullptr)) {
        renewing->end();
        m_record->local.unlock();
    }
}

void RunHandle::explainWith(std::shared_ptr<HintSource> hints, ExplainContext context)
{
    m_record->hints = std::move(hints);
    m_record->explainContext = std::move(context);
}

std::shared_ptr<RunDriver> RunHandle::drive(
    const std::shared_ptr<Cluster>& cluster, const std::shared_ptr<ArrayLaunch>& array)
{
    RunFlow flow;
    flow.record = m_record;
    flow.cluster = cluster;
    flow.timeouts = m_timeouts;
    flow.secrets = m_secrets;
    flow.imageBytes = m_imageBytes;
    flow.array = array;
    m_driver = std::make_shared<RunDriver>(flow);
    connect(m_driver.get(), &RunDriver::accepted, this, &RunHandle::reportAccepted);
    connect(m_driver.get(), &RunDriver::lost, this, &RunHandle::detach);
    connect(m_driver.get(), &RunDriver::finished, this, [this] {
        m_driver.reset();
        m_digest.reset();
    });
    m_digest = std::make_unique<DigestReader>(m_record);
    return m_driver;
}

QCoro::Task<Result<void>> RunHandle::begin(Plan plan, std::shared_ptr<Cluster> cluster,
    QString scratch, std::shared_ptr<ArrayLaunch> array)
{
    const QPointer<RunHandle> self(this);
    if (!m_record->local.lock())
        co_return Error{ErrorKind::Io, tr("Another program drives this run.")};
    drive(cluster, array)->begin(plan, scratch);
    if (!m_acceptedReported)
        co_await m_accepted.wait();
    if (!self)
        co_return programClosed();
    co_return m_acceptance;
}

void RunHandle::attach(const std::shared_ptr<Cluster>& cluster)
{
    if (m_driver || m_record->ended() || !m_record->local.lock())
        return;
    m_record->say(lastKnown(run().sentence));
    drive(cluster)->resume();
}

void RunHandle::detach()
{
    if (!m_driver)
        return;
    noteAnswer();
    m_digest.reset();
    const auto driver = std::exchange(m_driver, nullptr);
    driver->disconnect(this);
    driver->end();
    const Run& run = m_record->run;
    if (m_record->ended()) { // its last numbers do not come any more
        m_record->local.unlock();
        emit logGrew();
        return;
    }
    if (run.phase == RunPhase::Preparing) {
        m_record->giveUp(notSubmitted(connectionGone()));
    } else {
        m_record->say(run.job.isValid()
                ? awaySentence(lastKnown(run.sentence))
                : tr("Not connected; it is not known whether the job was submitted. Slipway will "
                     "check on reconnecting."));
    }
    m_record->local.unlock(); // another program may have a connection
    reportAccepted(connectionGone());
}

void RunHandle::reopen(const JobId& job)
{
    stopRenewing();
    if (m_driver || !m_record->ended() || !m_record->local.lock())
        return;
    m_record->reopen(job);
    m_record->local.unlock();
}

bool RunHandle::isSettled() const
{
    return !m_driver || m_driver->isSettled();
}

void RunHandle::setFetchedTo(const QString& folder)
{
    m_record->run.fetchedTo = folder;
    emit changed();
}

void RunHandle::setLabels(const RunLabels& labels)
{
    const bool isOtherReading = m_record->run.labels.readWith != labels.readWith;
    m_record->run.labels = labels;
    if (isOtherReading)
        emit readingChosen();
    emit changed();
}

/// Until there is a connection again, the state is that of the last answer.
void RunHandle::noteAnswer()
{
    const QDateTime answered = m_driver->cluster()->watcher()->lastAsked();
    QDateTime& asOf = m_record->run.asOf;
    if (answered.isValid() && (!asOf.isValid() || asOf < answered))
        asOf = answered;
}

void RunHandle::onStored(const Run& run)
{
    if (m_record->local.isLocked()) {
        // This program drives the run: newer in the store is only what the user wrote elsewhere.
        if (m_record->run.labels != run.labels)
            setLabels(run.labels);
        return;
    }
    const bool isOtherReading = m_record->run.labels.readWith != run.labels.readWith;
    m_record->run = run;
    m_record->readMarks();
    if (isOtherReading)
        emit readingChosen();
    emit logGrew();
    emit reportGrew();
    emit changed();
}

void RunHandle::onJobEvent(const JobEvent& event)
{
    if (const auto driver = m_driver)
        driver->onJobEvent(event);
}

void RunHandle::reportAccepted(const Result<void>& result)
{
    if (std::exchange(m_acceptedReported, true))
        return;
    m_acceptance = result;
    m_accepted.open();
}

QCoro::Task<Result<void>> RunHandle::cancel(std::shared_ptr<Cluster> cluster)
{
    const QPointer<RunHandle> self(this);
    const auto record = m_record;
    if (record->ended())
        co_return Error{ErrorKind::Usage, tr("Run %1 has ended already.").arg(run().id)};
    const auto noted = record->noteCancelAsked();
    if (!noted.ok())
        co_return noted;
    if (!record->run.job.isValid()) {
        const auto driver = m_driver;
        if (!driver)
            co_return Error{ErrorKind::Unknown,
                tr("It is not known yet whether the job was submitted; another program is "
                   "checking."),
                tr("It will cancel the job as soon as its job ID is known.")};
        driver->cancelSoon();
        co_await driver->untilKnown();
        if (!self)
            co_return programClosed();
        if (record->ended())
            co_return Result<void>(); // it ended before it had a job
        if (!record->run.job.isValid())
            co_return Error{ErrorKind::LinkLost,
                tr("The connection was lost before Slipway knew whether the job was submitted."),
                tr("Connect again: Slipway will cancel the job as soon as its job ID is known.")};
    }
    const auto ended = co_await endJob(cluster);
    co_return ended;
}

QCoro::Task<Result<void>> RunHandle::release(std::shared_ptr<Cluster> cluster)
{
    if (!m_record->isInteractive())
        co_return Error{ErrorKind::Usage,
            tr("Run %1 is a batch job: there is nothing to release.").arg(run().id)};
    if (m_record->ended())
        co_return Error{
            ErrorKind::Usage, tr("The nodes of run %1 were released already.").arg(run().id)};
    if (run().phase != RunPhase::Allocated) {
        const auto cancelled =
            co_await cancel(cluster); // steps are still running: this is a cancel
        co_return cancelled;
    }
    const auto ended = co_await endJob(cluster);
    co_return ended;
}

QCoro::Task<Result<void>> RunHandle::endJob(std::shared_ptr<Cluster> cluster)
{
    const QPointer<RunHandle> self(this);
    const auto ended = co_await cluster->cancel(m_record->run.job);
    if (!self)
        co_return programClosed();
    const auto driver = m_driver;
    if (!ended.ok() || !driver || driver->cluster() != cluster)
        co_return ended; // another program drives the run and reads the request
    // The cluster has confirmed it; the run itself ends when its log is complete.
    co_await driver->untilEnded();
    co_return Result<void>();
}

} // namespace slipway

#include "moc_runhandle.cpp"

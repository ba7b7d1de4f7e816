// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/rundriver.h"

#include "app/runs/arraylaunch.h"
#include "app/runs/runbegin.h"
#include "app/runs/runending.h"
#include "app/runs/runsearch.h"
#include "app/runs/runsecrets.h"
#include "app/runs/runsteps.h"
#include "remote/slurm/jobstates.h"

#include <QScopeGuard>

namespace slipway {

using namespace std::chrono_literals;

RunDriver::RunDriver(RunFlow flow)
    : m_flow(std::move(flow))
    , m_record(m_flow.record)
{
    connect(cluster().get(), &Cluster::allocationPending, this,
        [this](const QString& tag, const JobId& job) {
            if (tag == m_record->comment())
                setJobId(job);
        });
}

void RunDriver::begin(Plan plan, QString scratch)
{
    lead(launch(std::move(plan), std::move(scratch)));
}

void RunDriver::resume()
{
    const auto self = shared_from_this();
    m_cancelWanted = m_record->cancelAsked();
    if (!m_record->run.job.isValid()) {
        lead(findAgain());
        return;
    }
    setJobId(m_record->run.job);
    // Steps without an answer are continued; those that have ended are not started again.
    const bool unanswered = m_record->run.error && m_flow.mayPass(*m_record->run.error);
    if (!m_flow.over() && m_record->isInteractive()
        && (m_record->run.phase != RunPhase::Allocated || unanswered))
        lead(interact());
    else if (!m_flow.over() && releasesNow())
        lead(cancelJob());
}

/// The steps have ended, and the program that was to give the nodes back was ended before it did.
bool RunDriver::releasesNow() const
{
    const Run& run = m_record->run;
    const bool stepsEnded = !run.error || run.error->kind == ErrorKind::JobFailed;
    return run.phase == RunPhase::Allocated && run.spec.releaseAtEnd && stepsEnded;
}

void RunDriver::end()
{
    cluster()->disconnect(this);
    m_flow.pauses->end();
    if (m_reader)
        m_reader->end();
}

QCoro::Task<void> RunDriver::lead(Flow flow)
{
    const auto self = shared_from_this();
    const auto done = co_await flow;
    if (!done.ok())
        leave(done.error());
}

/// There is no job, and there will be none.
bool RunDriver::endsUnsubmitted(const Error& error) const
{
    return !m_record->run.job.isValid()
        && (m_record->run.phase == RunPhase::Preparing || m_flow.isRefusal(error)
            || error.kind == ErrorKind::Cancelled);
}

/// The only exit of a flow that cannot continue.
void RunDriver::leave(const Error& error)
{
    const bool known = m_record->run.job.isValid();
    if (m_flow.over() || m_record->ended() || m_concluding)
        return;
    if (error.kind == ErrorKind::LinkLost && !m_flow.mayPass(error)) {
        emit accepted(error);
        emit lost();
    } else if (error.kind == ErrorKind::Cancelled && known) {
        concludeAtLast(JobState::Cancelled, {});
    } else if (known && m_record->isInteractive()) {
        keepNodes(error);
    } else if (known) {
        m_record->say(error.summary);
    } else if (m_record->run.phase == RunPhase::Preparing || m_flow.isRefusal(error)) {
        giveUp(notSubmitted(error));
    } else if (error.kind == ErrorKind::Cancelled) {
        giveUp(error);
    } else {
        // The request may have arrived although the answer did not: Slipway searches for it and
        // never repeats it blindly.
        m_record->say(tr("It is not known whether the job was submitted: %1").arg(error.summary));
        emit accepted(error);
        lead(findAgain());
    }
}

/// The steps cannot continue, and the allocation still exists: the user must be told.
void RunDriver::keepNodes(const Error& error)
{
    Run& run = m_record->run;
    Error shown = error;
    shown.remedy =
        tr("Connect again to continue with the steps, or release the nodes. In a terminal: "
           "slipway-cli log %1 --follow, or slipway-cli cancel %1.")
            .arg(run.id);
    run.error = shown;
    emit accepted(Result<void>());
    if (run.phase < RunPhase::Running) {
        m_record->say(tr("%1 Job %2 still waits for its nodes; it was not cancelled.")
                          .arg(error.summary, run.job.text));
        return;
    }
    m_record->setPhase(RunPhase::Allocated,
        tr("%1 The steps do not continue. Job %2 keeps its nodes, which are charged for until they "
           "are released.")
            .arg(error.summary, run.job.text));
}

void RunDriver::giveUp(const Error& error)
{
    m_record->giveUp(error);
    emit accepted(error);
    finish();
}

void RunDriver::finish()
{
    end();
    m_record->local.unlock();
    emit finished();
}

RunReader& RunDriver::reader()
{
    if (!m_reader) {
        m_reader = std::make_shared<RunReader>(m_flow);
        connect(m_reader.get(), &RunReader::marksCame, this, [this] {
            // The last step has ended, or the job has begun: the scheduler will report it soon.
            if (m_record->lastStepEnded() || m_record->run.phase == RunPhase::Queued)
                cluster()->watcher()->refresh();
        });
        connect(m_reader.get(), &RunReader::noteCame, this,
            [this] { cluster()->watcher()->endExpected(m_record->run.job); });
    }
    return *m_reader;
}

RunDriver::Flow RunDriver::launch(Plan plan, QString scratch)
{
    const auto self = shared_from_this();
    auto launching = prepareAndSubmit(std::move(plan), std::move(scratch));
    const auto launched = co_await launching;
    // No job will remove them.
    if (!launched.ok() && !m_flow.over() && endsUnsubmitted(launched.error()))
        co_await removeSecrets(m_flow);
    co_return launched;
}

RunDriver::Flow RunDriver::prepareAndSubmit(Plan plan, QString scratch)
{
    const auto self = shared_from_this();
    if (m_flow.array) {
        const auto turn = co_await awaitTurn(m_flow, m_flow.array);
        if (!turn.ok())
            co_return turn;
    }
    auto preparing = prepareRun(m_flow, plan, scratch);
    const auto prepared = co_await here(m_flow, std::move(preparing));
    if (m_flow.array)
        noteFolder(m_flow, m_flow.array.get(), prepared);
    if (!prepared.ok())
        co_return prepared.error();
    if (m_cancelWanted && !m_flow.array) // of an array only the task can be cancelled
        co_return Error{ErrorKind::Cancelled, tr("Cancelled by you.")};
    m_record->setPhase(RunPhase::Submitting, tr("Being submitted."));
    auto going = m_record->isInteractive() ? interact() : submit();
    const auto gone = co_await going;
    co_return gone;
}

RunDriver::Flow RunDriver::submit()
{
    const auto self = shared_from_this();
    const SubmitRequest request{
        m_record->run.folder, QStringLiteral("job.sh"), m_record->comment()};
    auto submitting = m_flow.array ? submitTask(m_flow, m_flow.array) : cluster()->submit(request);
    const auto job = co_await here(m_flow, std::move(submitting));
    if (!job.ok())
        co_return job.error();
    setJobId(*job);
    co_return Result<void>();
}

/// A run with a connection but without a job ID: finds out whether its job exists.
RunDriver::Flow RunDriver::findAgain()
{
    const auto self = shared_from_this();
    auto looking = findJob(m_flow);
    const auto job = co_await here(m_flow, std::move(looking));
    if (!job.ok() && job.error().kind == ErrorKind::LinkLost)
        co_return job.error();
    if (!job.ok()) {
        co_await removeSecrets(m_flow);
        giveUp(job.error());
        co_return Result<void>();
    }
    setJobId(*job);
    if (m_flow.over() || !m_record->isInteractive())
        co_return Result<void>();
    const auto gone = co_await interact();
    co_return gone;
}

/// Requests nodes, or continues to wait for a pending request; then runs the steps, one by one.
RunDriver::Flow RunDriver::interact()
{
    const auto self = shared_from_this();
    if (m_interacting)
        co_return Result<void>();
    m_interacting = true;
    const auto atEnd = qScopeGuard([this] { m_interacting = false; });
    const InteractiveSteps steps = readSteps(m_record->local);
    const AllocateRequest request{m_record->run.folder, steps.allocationOptions,
        m_record->comment(), steps.allocateByBatchJob};
    const auto there = cluster();
    const std::function ask = [there, request] { return there->allocate(request); };
    const auto granted = co_await repeated<Allocation>(m_flow, ask);
    if (!granted.ok())
        co_return granted.error();
    m_record->run.error.reset();
    setJobId(granted->id);
    if (m_flow.over())
        co_return connectionGone();
    if (m_record->run.nodeList.isEmpty())
        m_record->run.nodeList = granted->nodeList;
    if (m_record->run.phase == RunPhase::Allocated)
        m_record->run.phase = RunPhase::Running; // its steps continue
    Job job = m_record->job;
    job.id = granted->id;
    job.state = JobState::Running;
    job.elapsed.reset(); // of an earlier answer
    if (job.nodeList.isEmpty())
        job.nodeList = granted->nodeList;
    onJob(job);
    reader().start();
    auto running = runSteps(m_flow, m_reader, steps);
    const auto ran = co_await here(m_flow, std::move(running));
    if (!ran.ok() || m_concluding)
        co_return ran;
    const auto ended = co_await endSteps(m_flow, steps);
    if (!ended.ok() || !m_record->run.spec.releaseAtEnd)
        co_return ended;
    const auto released = co_await cancelJob();
    cluster()->watcher()->refresh();
    co_return released;
}

void RunDriver::setJobId(const JobId& job)
{
    const auto self = shared_from_this();
    const bool fresh = m_record->setJobId(job);
    emit accepted(Result<void>());
    if (m_flow.over())
        return;
    Job expected;
    expected.id = job;
    expected.restarts = m_record->local.logPosition().restarts;
    JobWatcher* const watcher = cluster()->watcher();
    const auto known = watcher->job(job);
    if (!known)
        watcher->expect(expected);
    else
        onJob(*known);
    if (fresh || !known)
        watcher->refresh();
    // Before the scheduler reports it: a short job has ended by then.
    if (!m_flow.over() && !m_record->ended())
        reader().start();
    const bool cancels = std::exchange(m_cancelWanted, false) || (fresh && m_record->cancelAsked());
    if (cancels && !m_flow.over())
        lead(cancelJob());
}

RunDriver::Flow RunDriver::cancelJob()
{
    const auto self = shared_from_this();
    const auto there = cluster();
    const std::function ask = [there, job = m_record->run.job] { return there->cancel(job); };
    const auto cancelled = co_await repeated<void>(m_flow, ask);
    co_return cancelled;
}

void RunDriver::onJobEvent(const JobEvent& event)
{
    const auto self = shared_from_this();
    // Before its ID is known, a job cannot be matched; setJobId() then reads what the watcher
    // knows.
    if (m_flow.over() || m_record->ended() || m_record->run.job != event.after.id)
        return;
    m_heard = true;
    switch (event.kind) {
    case JobEvent::Kind::Appeared:
    case JobEvent::Kind::Changed:
    case JobEvent::Kind::ReasonChanged:
    case JobEvent::Kind::Returned:
        onJob(event.after);
        break;
    case JobEvent::Kind::Restarted:
        reader().jobRestarted(event.after.restarts);
        m_record->restartTimeline();
        onJob(event.after);
        break;
    case JobEvent::Kind::Missing:
        lead(checkExitNote());
        break;
    case JobEvent::Kind::Ended:
        m_record->job = event.after;
        concludeAtLast(event.after.state, event.after.stateText);
        break;
    case JobEvent::Kind::EndedUnknown:
        concludeAtLast(std::nullopt, {});
        break;
    }
}

void RunDriver::onJob(const Job& job)
{
    const Run& run = m_record->run;
    m_heard = true;
    if (isTerminal(job.state)) {
        m_record->job = job;
        concludeAtLast(job.state, job.stateText);
        return;
    }
    // Nodes whose request had timed out are now allocated: the steps can continue.
    const bool goesOn = m_record->isInteractive() && !m_interacting && holdsNodes(job.state)
        && run.phase <= RunPhase::Running && run.error && m_flow.mayPass(*run.error);
    m_record->onJob(job, cluster()->watcher()->lastAsked());
    if (holdsNodes(job.state))
        reader().start();
    if (goesOn)
        lead(interact());
}

/// The job is not in the scheduler's answer. That is not proof of its end, but its exit record is.
RunDriver::Flow RunDriver::checkExitNote()
{
    const auto self = shared_from_this();
    const RunFolder there(cluster()->shell(), m_record->run.folder);
    const std::function ask = [there] { return there.readExit(); };
    m_checking = true;
    const auto note = co_await repeated<ExitNote>(m_flow, ask);
    m_checking = false;
    if (m_flow.over())
        co_return connectionGone();
    if (note.ok() && note->record) {
        cluster()->watcher()->forget(m_record->run.job);
        concludeAtLast(std::nullopt, {});
        co_return Result<void>();
    }
    if (!m_concluding)
        m_record->say(tr("The scheduler's answer did not include the job; it is not known yet "
                         "whether it has ended."));
    co_return Result<void>();
}

/// Concludes even if the output cannot be read: the job holds no nodes any more.
QCoro::Task<void> RunDriver::concludeAtLast(std::optional<JobState> state, QString stateText)
{
    const auto self = shared_from_this();
    if (m_concluding || m_flow.over() || m_record->ended())
        co_return;
    m_concluding = true;
    while (true) {
        const auto done = co_await conclude(state, stateText);
        if (done.ok() || m_flow.over())
            break;
        if (!m_flow.mayPass(done.error())) {
            m_concluding = false;
            leave(done.error());
            break;
        }
        m_record->say(
            tr("The job has ended; its output cannot be read yet: %1").arg(done.error().summary));
        co_await m_flow.pauses->pause(m_flow.timeouts.look);
    }
    m_concluding = false;
}

/// The job has ended: its output is read completely, then the run ends too. If the connection is
/// lost before that, the next one repeats this. What metrics loggers wrote last comes afterwards:
/// nobody waits for it to see how the run ended.
RunDriver::Flow RunDriver::conclude(std::optional<JobState> state, QString stateText)
{
    const auto self = shared_from_this();
    reader().start();
    const auto numbers = std::make_shared<RunNumbers>(m_record);
    auto ending = endRun(m_flow, m_reader, numbers, state, stateText);
    const auto ended = co_await here(m_flow, std::move(ending));
    if (!ended.ok())
        co_return ended;
    co_await keepLastNumbers(m_flow, m_reader, numbers);
    if (m_flow.over())
        co_return connectionGone();
    finish();
    emit m_record->logGrew();
    co_return Result<void>();
}

QCoro::Task<void> RunDriver::untilKnown()
{
    const auto self = shared_from_this();
    while (!m_flow.over() && !m_record->ended() && !m_record->run.job.isValid())
        co_await m_flow.pauses->pause(100ms);
}

QCoro::Task<void> RunDriver::untilEnded()
{
    const auto self = shared_from_this();
    for (int i = 0; i < 300 && !m_flow.over() && !m_record->ended(); ++i) {
        if (i % 20 == 0 && !m_concluding)
            cluster()->watcher()->refresh();
        co_await m_flow.pauses->pause(100ms);
    }
}

} // namespace slipway

#include "moc_rundriver.cpp"

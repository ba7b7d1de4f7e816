// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/sshshell.h"

#include "remote/base/tr.h"
#include "remote/ssh/link.h"
#include "remote/ssh/openroute.h"
#include "remote/ssh/workerthread.h"

using namespace std::chrono_literals;

namespace slipway {

namespace {

constexpr qint64 consumedStep =
    1024 * 1024; // well below the 8 MiB at which a channel stops reading

/// The command for the account's login shell: constant except for base64, so that bash, dash, tcsh
/// and fish all parse it in the same way.
QByteArray remoteCommand(const Invocation& invocation)
{
    if (invocation.place == Invocation::Place::StandardInput)
        return "exec /bin/sh -s";
    return "exec /bin/sh -c 'eval \"$(printf %s " + invocation.script.toBase64() + "|base64 -d)\"'";
}

} // namespace

SshShell::SshShell(ResolvedTarget target, Prompter* prompter)
    : m_target(std::move(target))
    , m_gate(std::make_shared<LinkGate>())
    , m_door(std::make_shared<MainThreadPoster>(this))
{
    m_worker =
        std::make_shared<WorkerThread>([target = m_target, gate = m_gate, door = m_door, this,
                                           prompter] { work(target, gate, door, this, prompter); },
            [gate = m_gate] { gate->stop(); });
}

SshShell::~SshShell()
{
    dropKept();
    m_door->close();
    m_worker->stop();
    const Error error{
        ErrorKind::LinkLost, tr("The connection to %1 was closed.").arg(displayName())};
    for (auto* process : std::as_const(m_processes))
        process->endLater(error);
    // The worker needs a moment to stop. One that is blocked inside libssh is left to the
    // connector.
    m_worker->hasEndedWithin(30ms);
}

/// The worker thread, from the first packet to the last.
void SshShell::work(ResolvedTarget target, std::shared_ptr<LinkGate> gate,
    std::shared_ptr<MainThreadPoster> door, SshShell* shell, Prompter* prompter)
{
    PromptProxy promptProxy(door, gate, prompter);
    auto connection = connectAndLogIn(target, *gate, promptProxy);
    if (!connection.ok()) {
        door->post([shell, error = connection.error()] { shell->loginEnded(error); });
        return;
    }
    Link::Reports reports;
    reports.news = [door, shell](std::vector<ChannelNews> news) {
        door->post([shell, news = std::move(news)] { shell->deliver(news); });
    };
    reports.state = [door, shell](LinkState state) {
        door->post([shell, state] { shell->setState(state); });
    };
    reports.fewSessions = [door, shell](bool few) {
        door->post([shell, few] { few ? shell->retireKept() : shell->allowKept(); });
    };
    Link link(std::move(*connection), gate, reports, target);
    door->post([shell] { shell->loginEnded({}); });
    const Error error = link.run();
    door->post([shell, error] { shell->linkEnded(error); });
}

void SshShell::loginEnded(const Result<void>& result)
{
    m_login = result;
    if (!result.ok()) {
        m_state = LinkState::Down;
        m_ended = result.error();
    }
    if (m_waiting)
        std::exchange(m_waiting, {}).resume();
}

std::unique_ptr<Process> SshShell::start(Invocation invocation)
{
    const bool asArgument = invocation.place == Invocation::Place::Argument;
    ChannelRequest request{0, remoteCommand(invocation)};
    if (invocation.isLongLived)
        request.kind = ChannelRequest::Kind::Stream;
    if (!asArgument) {
        request.input = invocation.script;
        request.inputEnds = true;
    }
    return startChannel(std::move(request), asArgument);
}

std::unique_ptr<Process> SshShell::startKept()
{
    ChannelRequest request{0, remoteCommand({})};
    request.kind = ChannelRequest::Kind::PersistentShell;
    return m_ended ? nullptr : startChannel(std::move(request), true);
}

std::unique_ptr<Process> SshShell::startChannel(ChannelRequest request, bool takesInput)
{
    request.id = ++m_lastId;
    auto process = std::make_unique<SshProcess>(this, request.id, takesInput);
    if (m_ended) {
        process->endLater(*m_ended);
        return process;
    }
    m_processes.insert(request.id, process.get());
    m_gate->post([request](Link& link) { link.start(request); });
    return process;
}

void SshShell::deliver(const std::vector<ChannelNews>& news)
{
    const QPointer<SshShell> self(this);
    for (const auto& one : news) {
        auto* process = m_processes.value(one.id);
        if (!process)
            continue;
        if (one.end)
            m_processes.remove(one.id);
        process->deliver(one);
        if (!self)
            return;
        if (one.end || !m_processes.contains(one.id))
            continue;
        // Reported in large steps, because each one wakes the worker.
        const auto taken = process->takeConsumed(one.out.size() + one.err.size());
        if (taken > 0)
            m_gate->post([id = one.id, taken](Link& link) { link.consumed(id, taken); });
    }
}

void SshShell::setState(LinkState state)
{
    if (std::exchange(m_state, state) != state)
        emit linkStateChanged(state);
}

void SshShell::close()
{
    m_worker->stop(); // linkEnded() follows
}

void SshShell::linkEnded(const Error& error)
{
    if (m_ended)
        return;
    m_ended = error;
    const QPointer<SshShell> self(this);
    const auto left = m_processes; // started after the worker had stopped accepting requests
    m_processes.clear();
    for (auto* process : left)
        process->endLater(error);
    setState(LinkState::Down);
    if (self)
        emit closed(error);
}

SshProcess::SshProcess(SshShell* shell, quint64 id, bool takesInput)
    : m_shell(shell)
    , m_id(id)
    , m_takesInput(takesInput)
{
}

SshProcess::~SshProcess()
{
    if (!m_shell)
        return;
    m_shell->m_processes.remove(m_id);
    if (!m_ended && !m_shell->m_ended)
        m_shell->m_gate->post([id = m_id](Link& link) { link.cancel(id); });
}

void SshProcess::write(const QByteArray& bytes)
{
    if (!m_takesInput || m_ending || m_ended || !m_shell)
        return;
    m_given += bytes.size();
    m_shell->m_gate->post([id = m_id, bytes](Link& link) { link.write(id, bytes); });
}

void SshProcess::closeInput()
{
    if (!std::exchange(m_takesInput, false) || m_ending || m_ended || !m_shell)
        return;
    m_shell->m_gate->post([id = m_id](Link& link) { link.endInput(id); });
}

void SshProcess::cancel()
{
    if (m_ending || m_ended)
        return;
    if (m_shell) {
        m_shell->m_processes.remove(m_id);
        m_shell->m_gate->post([id = m_id](Link& link) { link.cancel(id); });
    }
    endLater({ErrorKind::Cancelled, tr("The command was cancelled.")});
}

bool SshProcess::deliver(const ChannelNews& news)
{
    const QPointer<SshProcess> self(this);
    if (news.opened && !std::exchange(m_opened, true) && !m_ending)
        emit started();
    if (self && !news.out.isEmpty() && !m_ending)
        emit output(news.out);
    if (self && !news.err.isEmpty() && !m_ending)
        emit errorOutput(news.err);
    if (self && !m_ending && std::exchange(m_written, news.written) != news.written)
        emit bytesWritten(bytesToWrite());
    if (self && news.end && !m_ending)
        end(*news.end);
    return self;
}

qint64 SshProcess::takeConsumed(qint64 more)
{
    m_consumed += more;
    return m_held || m_consumed < consumedStep ? 0 : std::exchange(m_consumed, 0);
}

void SshProcess::setHeld(bool held)
{
    if (std::exchange(m_held, held) == held || held || m_consumed < consumedStep || !m_shell)
        return;
    const auto taken = std::exchange(m_consumed, 0);
    m_shell->m_gate->post([id = m_id, taken](Link& link) { link.consumed(id, taken); });
}

void SshProcess::endLater(const Error& error)
{
    if (std::exchange(m_ending, true) || m_ended)
        return;
    QMetaObject::invokeMethod(
        this, [this, error] { end(error); }, Qt::QueuedConnection);
}

void SshProcess::end(const Result<int>& result)
{
    if (std::exchange(m_ended, true))
        return;
    emit finished(result); // the last thing: a slot may delete us
}

} // namespace slipway

#include "moc_sshshell.cpp"

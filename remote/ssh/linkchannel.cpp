// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/linkchannel.h"

#include "remote/base/tr.h"

#include <algorithm>
#include <csignal>
#include <cstring>

namespace slipway {

namespace {

constexpr qint64 unconsumedLimit = 8 * 1024 * 1024;
constexpr qsizetype readAtOnce = 512 * 1024; // then the other channels are processed
constexpr qsizetype writeAtOnce = 128 * 1024;
constexpr qint64 longestLeaving = 10'000; // ms

/// 128 + n, as a shell reports a command that was ended by a signal.
int signalExitCode(const char* name)
{
    struct Named {
        const char* name;
        int number;
    };
    for (const auto& one : {Named{"ABRT", SIGABRT}, {"ALRM", SIGALRM}, {"FPE", SIGFPE},
             {"HUP", SIGHUP}, {"ILL", SIGILL}, {"INT", SIGINT}, {"KILL", SIGKILL},
             {"PIPE", SIGPIPE}, {"QUIT", SIGQUIT}, {"SEGV", SIGSEGV}, {"TERM", SIGTERM},
             {"USR1", SIGUSR1}, {"USR2", SIGUSR2}})
        if (std::strcmp(one.name, name) == 0)
            return 128 + one.number;
    return 128;
}

} // namespace

LinkChannel::LinkChannel(ssh_session session, ChannelRequest request)
    : m_session(session)
    , m_request(std::move(request))
    , m_outbox(m_request.id)
{
}

LinkChannel::~LinkChannel()
{
    dropChannel();
}

/// libssh keeps a channel that was freed until the server has closed it as well, and calls back
/// until then.
void LinkChannel::dropChannel()
{
    if (m_channel)
        ssh_remove_channel_callbacks(m_channel.get(), &m_callbacks);
    m_channel.reset();
}

void LinkChannel::listen()
{
    // Only the end events use callbacks; data is polled, so that the window can be enlarged and
    // reading can be paused.
    m_callbacks = {};
    m_callbacks.userdata = this;
    m_callbacks.channel_close_function = [](ssh_session, ssh_channel, void* self) {
        static_cast<LinkChannel*>(self)->m_closed = true;
    };
    m_callbacks.channel_exit_status_function = [](ssh_session, ssh_channel, int code, void* self) {
        static_cast<LinkChannel*>(self)->m_exitCode = code;
    };
    m_callbacks.channel_exit_signal_function = [](ssh_session, ssh_channel, const char* name, int,
                                                   const char*, const char*, void* self) {
        static_cast<LinkChannel*>(self)->m_exitCode = signalExitCode(name);
    };
    ssh_callbacks_init(&m_callbacks);
    ssh_set_channel_callbacks(m_channel.get(), &m_callbacks);
}

void LinkChannel::requeue()
{
    dropChannel();
    m_refused = false;
    m_state = State::Queued;
}

bool LinkChannel::advance(char* scratch, qsizetype scratchSize)
{
    bool moved = false;
    if (m_state == State::Opening)
        moved |= openChannel();
    if (m_state == State::Requesting)
        moved |= request();
    // Input is sent right after the request, without waiting for its answer, which saves a round
    // trip.
    if (m_state == State::Requesting || m_state == State::Running)
        moved |= writeInput();
    if (m_state == State::Running) {
        moved |= readStream(false, scratch, scratchSize);
        moved |= readStream(true, scratch, scratchSize);
        moved |= finishIfClosed();
    }
    if (m_state == State::Leaving)
        moved |= drain(scratch);
    return moved;
}

void LinkChannel::leave(std::optional<Result<int>> result)
{
    if (m_state == State::Leaving || m_state == State::Ended)
        return;
    m_outbox.drop(std::move(result));
    if (!m_channel || m_refused) {
        dropChannel();
        m_state = State::Ended;
        return;
    }
    m_since.start();
    m_leavesOpening = m_state == State::Opening;
    if (m_state != State::Running) {
        if (!m_leavesOpening)
            ssh_channel_close(m_channel.get());
        m_state = State::Leaving;
        return;
    }
    // sshd passes no signal on in a root login or a forced command; the end of its input reaches
    // every stream.
    if (!m_closed && !m_inputEnded) {
        m_inputEnded = true;
        ssh_channel_send_eof(m_channel.get());
    }
    if (!m_closed)
        ssh_channel_request_send_signal(m_channel.get(), "TERM");
    m_state = State::Leaving;
}

/// The server counts a session until it is closed. One that is freed here before the server has
/// confirmed it is never closed, and would be counted for as long as the connection lasts.
bool LinkChannel::closeOnceOpen()
{
    const int rc = ssh_channel_open_session(m_channel.get());
    if (rc == SSH_AGAIN && m_since.elapsed() < longestLeaving)
        return false;
    m_leavesOpening = false;
    if (rc == SSH_OK)
        ssh_channel_close(m_channel.get());
    else
        m_closed = true; // there is none
    return true;
}

bool LinkChannel::drain(char* scratch)
{
    if (m_leavesOpening && !closeOnceOpen())
        return false;
    for (const int isError : {0, 1}) {
        int n = 1;
        for (qsizetype total = 0; n > 0 && total < readAtOnce; total += n)
            n = ssh_channel_read_timeout(m_channel.get(), scratch, smallCount, isError, 0);
    }
    if (!m_closed && m_since.elapsed() < longestLeaving)
        return false;
    dropChannel();
    m_state = State::Ended;
    return true;
}

bool LinkChannel::openChannel()
{
    if (!m_channel) {
        m_channel.reset(ssh_channel_new(m_session));
        listen();
        m_window.sessionRequested();
    }
    const int rc = ssh_channel_open_session(m_channel.get());
    if (rc == SSH_AGAIN)
        return false;
    if (rc != SSH_OK) {
        m_refused = true;
        return true;
    }
    m_window.sessionOpened();
    opened();
    return true;
}

void LinkChannel::opened()
{
    m_outbox.news().opened = true;
    m_state = State::Requesting;
}

void LinkChannel::takeSession(LinkChannel& other)
{
    ssh_remove_channel_callbacks(other.m_channel.get(), &other.m_callbacks);
    m_channel = std::move(other.m_channel);
    listen();
    m_closed = other.m_closed;
    m_window.sessionTaken(other.m_window);
    opened();
}

bool LinkChannel::request()
{
    const int rc = ssh_channel_request_exec(m_channel.get(), m_request.command.constData());
    if (rc == SSH_AGAIN)
        return false;
    if (rc == SSH_OK) {
        m_state = State::Running;
    } else if (ssh_is_connected(m_session)) {
        end(Error{ErrorKind::Refused, tr("The server refused to run a command."),
            tr("The account may be restricted to other uses."),
            QByteArray(ssh_get_error(m_session))});
    }
    return true;
}

bool LinkChannel::writeInput()
{
    bool moved = false;
    auto& input = m_request.input;
    qsizetype done = 0;
    while (
        done < input.size() && !m_closed && !(ssh_get_poll_flags(m_session) & SSH_WRITE_PENDING)) {
        const qsizetype window = ssh_channel_window_size(m_channel.get());
        const auto size = std::min({input.size() - done, window, writeAtOnce});
        if (size <= 0)
            break;
        const int n = ssh_channel_write(m_channel.get(), input.constData() + done, quint32(size));
        if (n <= 0)
            break;
        done += n;
        m_outbox.news().written += n;
        moved = true;
    }
    input.remove(0, done);
    if (input.isEmpty() && m_request.inputEnds && !m_inputEnded && !m_closed) {
        m_inputEnded = true;
        ssh_channel_send_eof(m_channel.get());
        moved = true;
    }
    return moved;
}

bool LinkChannel::readStream(bool isError, char* scratch, qsizetype scratchSize)
{
    auto& pending = isError ? m_outbox.news().err : m_outbox.news().out;
    qint64 total = 0;
    while (m_unconsumed < unconsumedLimit && pending.size() < readAtOnce) {
        const auto count = isError ? smallCount : m_window.wantedCount(scratchSize);
        const int n = ssh_channel_read_timeout(m_channel.get(), scratch, count, isError, 0);
        if (n <= 0)
            break;
        if (pending.size() + n > pending.capacity())
            pending.reserve(pending.isEmpty()
                    ? n
                    : std::max<qsizetype>(pending.size() + n, readAtOnce)); // grown once
        pending.append(scratch, n);
        m_unconsumed += n;
        total += n;
    }
    if (!isError && total > 0)
        m_window.noteRead(total);
    return total > 0;
}

bool LinkChannel::finishIfClosed()
{
    if (!m_closed || m_unconsumed >= unconsumedLimit)
        return false;
    if (ssh_channel_poll(m_channel.get(), 0) > 0 || ssh_channel_poll(m_channel.get(), 1) > 0)
        return false;
    if (m_exitCode)
        end(*m_exitCode);
    else
        end(Error{ErrorKind::Protocol, tr("The server ended a command without its exit code."),
            tr("Try again.")});
    return true;
}

void LinkChannel::end(Result<int> result)
{
    if (m_state == State::Ended)
        return;
    m_state = State::Ended;
    m_outbox.news().end = std::move(result);
}

} // namespace slipway

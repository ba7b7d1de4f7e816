// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/jumproute.h"

#include "remote/base/tr.h"

#include <QDeadlineTimer>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

using namespace std::chrono_literals;

namespace slipway {

namespace {

constexpr qsizetype jumpScratch = 1024 * 1024;
constexpr qsizetype mostHeld = 2 * 1024 * 1024; ///< in each direction; then reading pauses
constexpr qsizetype jumpWriteAtOnce = 128 * 1024;
constexpr int pairBuffer = 1024 * 1024;

Error jumpError(const ResolvedTarget& hop, const QString& host, int port, ssh_session session)
{
    const QByteArray said(ssh_get_error(session));
    Error error{ErrorKind::Network,
        tr("The jump host %1 could not connect to %2, port %3.").arg(hop.alias, host).arg(port),
        tr("Check the name and the port as the jump host sees them."), said};
    if (said.contains("prohibited") || said.contains("error (1)")) {
        error.kind = ErrorKind::Refused;
        error.summary = tr("The jump host %1 does not allow connections to be forwarded to %2.")
                            .arg(hop.alias, host);
        error.remedy =
            tr("Ask its administrators which host to go through, and set it as ProxyJump "
               "in ~/.ssh/config.");
    }
    return error;
}

} // namespace

JumpRoute::JumpRoute(SessionHandle session, std::unique_ptr<Route> below, const ResolvedTarget& hop)
    : m_hop(hop)
    , m_below(std::move(below))
    , m_session(std::move(session))
    , m_event(ssh_event_new())
    , m_scratch(new char[size_t(jumpScratch)])
{
}

JumpRoute::~JumpRoute()
{
    m_gate.stop();
    if (m_thread.joinable())
        m_thread.join();
    m_monitor.reset();
    m_channel.reset(); // before the session, which would free it too
    ssh_event_remove_session(m_event.get(), m_session.get());
}

Result<std::unique_ptr<Route>> JumpRoute::open(SessionHandle session, std::unique_ptr<Route> below,
    const ResolvedTarget& hop, const QString& host, int port, LinkGate& gate)
{
    std::unique_ptr<JumpRoute> route(new JumpRoute(std::move(session), std::move(below), hop));
    if (const auto opened = route->openChannel(host, port, gate); !opened.ok())
        return opened.error();
    if (const auto begun = route->begin(); !begun.ok())
        return begun.error();
    return std::unique_ptr<Route>(std::move(route));
}

Result<void> JumpRoute::openChannel(const QString& host, int port, LinkGate& gate)
{
    auto* session = m_session.get();
    ssh_set_blocking(session, 0);
    ssh_event_add_session(m_event.get(), session);
    m_channel.reset(ssh_channel_new(session));
    m_window.sessionRequested();
    const QDeadlineTimer deadline(m_hop.times.step);
    const QByteArray name = host.toUtf8();
    while (true) {
        const int rc =
            ssh_channel_open_forward(m_channel.get(), name.constData(), port, "127.0.0.1", 0);
        if (rc == SSH_OK) {
            m_window.sessionOpened();
            return {};
        }
        if (rc != SSH_AGAIN || !ssh_is_connected(session))
            return jumpError(m_hop, host, port, session);
        if (deadline.hasExpired())
            return Error{ErrorKind::Timeout,
                tr("The jump host %1 did not connect to %2 within %3 s.")
                    .arg(m_hop.alias, host)
                    .arg(double(m_hop.times.step.count()) / 1000),
                tr("The host behind it may be down, or not reachable from there.")};
        const bool writing = ssh_get_poll_flags(session) & SSH_WRITE_PENDING;
        if (!gate.wait(ssh_get_fd(session), short(writing ? POLLIN | POLLOUT : POLLIN), 200ms))
            return Error{ErrorKind::Cancelled, tr("The connection was cancelled.")};
    }
}

Result<void> JumpRoute::begin()
{
    std::array<int, 2> pair{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()) != 0)
        return Error{ErrorKind::Io,
            tr("The connection through %1 could not be made.").arg(m_hop.alias),
            tr("Close other programs and try again."), QByteArray(strerror(errno))};
    m_near = Fd(pair[0]);
    setSocket(Fd(pair[1]));
    for (const int fd : pair)
        for (const int buffer : {SO_SNDBUF, SO_RCVBUF})
            ::setsockopt(fd, SOL_SOCKET, buffer, &pairBuffer, sizeof(pairBuffer));
    m_monitor = std::make_unique<PeerMonitor>(m_session.get(), m_hop.times, m_hop.senses);
    m_thread = std::thread([this] { run(); });
    return {};
}

QString JumpRoute::failure() const
{
    const std::lock_guard lock(m_mutex);
    return m_failure.isEmpty() && m_below ? m_below->failure() : m_failure;
}

void JumpRoute::fail(const QString& why)
{
    const QString below = m_below->failure();
    const std::lock_guard lock(m_mutex);
    m_failure = below.isEmpty() ? why : below;
    m_ended = true;
}

/// The thread. When it ends, the inner session reads the end of its socket.
void JumpRoute::run()
{
    while (!m_gate.stopping() && !m_ended) {
        const bool moved = pump();
        if (m_ended)
            break;
        if (m_monitor->check() == LinkState::Down) {
            fail(tr("Nothing was received from the jump host %1 for %2 s.")
                     .arg(m_hop.alias)
                     .arg(qRound(double(m_monitor->silence().count()) / 1000)));
            break;
        }
        wait(moved ? 0ms : m_monitor->timeToCheck());
    }
    m_near.reset();
}

bool JumpRoute::pump()
{
    auto* session = m_session.get();
    if (ssh_event_dopoll(m_event.get(), 0) == SSH_ERROR || !ssh_is_connected(session)
        || (ssh_get_status(session) & (SSH_CLOSED | SSH_CLOSED_ERROR))) {
        while (readChannel() && writeSocket()) { } // what arrived before the end is delivered
        fail(tr("The jump host %1 closed the connection.").arg(m_hop.alias));
        return true;
    }
    bool moved = readChannel();
    moved |= writeSocket();
    moved |= readSocket();
    moved |= writeChannel();
    if (m_toSocket.isEmpty() && ssh_channel_is_eof(m_channel.get())
        && ssh_channel_poll(m_channel.get(), 0) <= 0)
        m_ended = true; // the host behind it closed the connection: nothing to say of the jump host
    return moved;
}

bool JumpRoute::readChannel()
{
    bool moved = false;
    while (m_toSocket.size() < mostHeld) {
        const int n = ssh_channel_read_timeout(
            m_channel.get(), m_scratch.get(), m_window.wantedCount(jumpScratch), 0, 0);
        if (n <= 0)
            break;
        m_toSocket.append(m_scratch.get(), n);
        m_window.noteRead(n);
        moved = true;
    }
    return moved;
}

bool JumpRoute::writeSocket()
{
    qsizetype done = 0;
    while (done < m_toSocket.size()) {
        const auto n = ::send(m_near.get(), m_toSocket.constData() + done,
            size_t(m_toSocket.size() - done), MSG_NOSIGNAL);
        if (n <= 0) {
            m_ended |= n < 0 && errno != EAGAIN && errno != EINTR;
            break;
        }
        done += n;
    }
    m_toSocket.remove(0, done);
    return done > 0;
}

bool JumpRoute::readSocket()
{
    if (m_toChannel.size() >= mostHeld)
        return false;
    const auto n = ::recv(m_near.get(), m_scratch.get(), size_t(jumpScratch), 0);
    if (n > 0)
        m_toChannel.append(m_scratch.get(), n);
    m_ended |= n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR); // the inner session is gone
    return n > 0;
}

bool JumpRoute::writeChannel()
{
    auto* session = m_session.get();
    qsizetype done = 0;
    while (done < m_toChannel.size() && !(ssh_get_poll_flags(session) & SSH_WRITE_PENDING)) {
        const auto size = std::min<qsizetype>({m_toChannel.size() - done,
            qsizetype(ssh_channel_window_size(m_channel.get())), jumpWriteAtOnce});
        if (size <= 0)
            break;
        const int n =
            ssh_channel_write(m_channel.get(), m_toChannel.constData() + done, quint32(size));
        if (n <= 0)
            break;
        done += n;
    }
    m_toChannel.remove(0, done);
    return done > 0;
}

void JumpRoute::wait(std::chrono::milliseconds time)
{
    auto* session = m_session.get();
    const bool writing = ssh_get_poll_flags(session) & SSH_WRITE_PENDING;
    short near = m_toChannel.size() < mostHeld ? POLLIN : 0;
    if (!m_toSocket.isEmpty())
        near |= POLLOUT;
    std::array<pollfd, 3> fds{{{m_gate.wakeFd(), POLLIN, 0},
        {ssh_get_fd(session), short(writing ? POLLIN | POLLOUT : POLLIN), 0},
        {m_near.get(), near, 0}}};
    ::poll(fds.data(), fds.size(), int(std::clamp<qint64>(time.count(), 0, 60'000)));
}

} // namespace slipway

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

JumpRoute::JumpRoute(SessionHandle session, std::unique_ptr<Route> below, const ResolvedTarget& hop,
    QString host, int port)
    : m_hop(hop)
    , m_below(std::move(below))
    , m_session(std::move(session))
    , m_event(ssh_event_new())
    , m_host(std::move(host))
    , m_port(port)
    , m_scratch(new char[size_t(JumpTunnel::scratchSize)])
{
}

JumpRoute::~JumpRoute()
{
    m_gate.stop();
    if (m_thread.joinable())
        m_thread.join();
    m_monitor.reset();
    m_others.clear(); // their channels go before the session, which would free them too
    m_tunnel.reset();
    ssh_event_remove_session(m_event.get(), m_session.get());
}

Result<std::unique_ptr<Route>> JumpRoute::open(SessionHandle session, std::unique_ptr<Route> below,
    const ResolvedTarget& hop, const QString& host, int port, LinkGate& gate)
{
    std::unique_ptr<JumpRoute> route(
        new JumpRoute(std::move(session), std::move(below), hop, host, port));
    if (const auto made = route->makeTunnel(); !made.ok())
        return made.error();
    if (const auto opened = route->openTunnel(gate); !opened.ok())
        return opened.error();
    route->begin();
    return std::unique_ptr<Route>(std::move(route));
}

Result<void> JumpRoute::makeTunnel()
{
    std::array<int, 2> pair{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair.data()) != 0)
        return Error{ErrorKind::Io,
            tr("The connection through %1 could not be made.").arg(m_hop.alias),
            tr("Close other programs and try again."), QByteArray(strerror(errno))};
    setSocket(Fd(pair[1]));
    for (const int fd : pair)
        for (const int buffer : {SO_SNDBUF, SO_RCVBUF})
            ::setsockopt(fd, SOL_SOCKET, buffer, &pairBuffer, sizeof(pairBuffer));
    ssh_set_blocking(m_session.get(), 0);
    ssh_event_add_session(m_event.get(), m_session.get());
    m_tunnel = std::make_unique<JumpTunnel>(m_session.get(), Fd(pair[0]));
    return {};
}

Result<void> JumpRoute::openTunnel(LinkGate& gate)
{
    auto* session = m_session.get();
    const QDeadlineTimer deadline(m_hop.times.step);
    const QByteArray name = m_host.toUtf8();
    while (true) {
        const int rc = m_tunnel->open(name, m_port);
        if (rc == SSH_OK)
            return {};
        if (rc != SSH_AGAIN || !ssh_is_connected(session))
            return jumpError(m_hop, m_host, m_port, session);
        if (deadline.hasExpired())
            return Error{ErrorKind::Timeout,
                tr("The jump host %1 did not connect to %2 within %3 s.")
                    .arg(m_hop.alias, m_host)
                    .arg(double(m_hop.times.step.count()) / 1000),
                tr("The host behind it may be down, or not reachable from there.")};
        const bool writing = ssh_get_poll_flags(session) & SSH_WRITE_PENDING;
        if (!gate.wait(ssh_get_fd(session), short(writing ? POLLIN | POLLOUT : POLLIN), 200ms))
            return Error{ErrorKind::Cancelled, tr("The connection was cancelled.")};
    }
}

void JumpRoute::begin()
{
    m_monitor = std::make_unique<PeerMonitor>(m_session.get(), m_hop.times, m_hop.senses);
    m_thread = std::thread([this] { run(); });
}

std::unique_ptr<Route> JumpRoute::another(Fd near)
{
    {
        const std::lock_guard lock(m_mutex);
        m_wanted.push_back(std::move(near));
    }
    m_gate.wake();
    return nullptr;
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
    m_others.clear();
    m_tunnel->close();
}

bool JumpRoute::pump()
{
    auto* session = m_session.get();
    if (ssh_event_dopoll(m_event.get(), 0) == SSH_ERROR || !ssh_is_connected(session)
        || (ssh_get_status(session) & (SSH_CLOSED | SSH_CLOSED_ERROR))) {
        m_tunnel->drain(m_scratch.get());
        fail(tr("The jump host %1 closed the connection.").arg(m_hop.alias));
        return true;
    }
    bool moved = m_tunnel->pump(session, m_scratch.get());
    moved |= pumpOthers();
    // The host behind it closed the connection: nothing to say of the jump host.
    m_ended |= m_tunnel->isOver();
    return moved;
}

bool JumpRoute::pumpOthers()
{
    std::vector<Fd> wanted;
    {
        const std::lock_guard lock(m_mutex);
        wanted.swap(m_wanted);
    }
    for (Fd& near : wanted)
        m_others.push_back(std::make_unique<JumpTunnel>(m_session.get(), std::move(near)));
    bool moved = false;
    for (const auto& other : m_others) {
        if (other->isOpen() || other->open(m_host.toUtf8(), m_port) == SSH_OK)
            moved |= other->pump(m_session.get(), m_scratch.get());
    }
    std::erase_if(m_others, [](const auto& other) { return other->isOver(); });
    return moved;
}

void JumpRoute::wait(std::chrono::milliseconds time)
{
    auto* session = m_session.get();
    const bool writing = ssh_get_poll_flags(session) & SSH_WRITE_PENDING;
    std::vector<pollfd> fds{{m_gate.wakeFd(), POLLIN, 0},
        {ssh_get_fd(session), short(writing ? POLLIN | POLLOUT : POLLIN), 0}, m_tunnel->wanted()};
    for (const auto& other : m_others)
        fds.push_back(other->wanted());
    ::poll(fds.data(), fds.size(), int(std::clamp<qint64>(time.count(), 0, 60'000)));
    if (fds[0].revents != 0)
        m_gate.wait(-1, 0, 0ms); // reads what woke it
}

} // namespace slipway

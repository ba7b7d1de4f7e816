// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/jumptunnel.h"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>

namespace slipway {

namespace {

constexpr qsizetype mostHeld = 2 * 1024 * 1024; ///< in each direction; then reading pauses
constexpr qsizetype jumpWriteAtOnce = 128 * 1024;

} // namespace

JumpTunnel::JumpTunnel(ssh_session session, Fd near)
    : m_channel(ssh_channel_new(session))
    , m_near(std::move(near))
{
    m_window.sessionRequested();
}

int JumpTunnel::open(const QByteArray& host, int port)
{
    const int rc =
        ssh_channel_open_forward(m_channel.get(), host.constData(), port, "127.0.0.1", 0);
    m_isOpen = rc == SSH_OK;
    m_isOver = !m_isOpen && rc != SSH_AGAIN;
    if (m_isOpen)
        m_window.sessionOpened();
    return rc;
}

bool JumpTunnel::pump(ssh_session session, char* scratch)
{
    bool moved = readChannel(scratch);
    moved |= writeSocket();
    moved |= readSocket(scratch);
    moved |= writeChannel(session);
    if (m_toSocket.isEmpty() && ssh_channel_is_eof(m_channel.get())
        && ssh_channel_poll(m_channel.get(), 0) <= 0)
        m_isOver = true;
    return moved;
}

void JumpTunnel::drain(char* scratch)
{
    while (m_isOpen && readChannel(scratch) && writeSocket()) { }
}

bool JumpTunnel::readChannel(char* scratch)
{
    bool moved = false;
    while (m_toSocket.size() < mostHeld) {
        const int n = ssh_channel_read_timeout(
            m_channel.get(), scratch, m_window.wantedCount(scratchSize), 0, 0);
        if (n <= 0)
            break;
        m_toSocket.append(scratch, n);
        m_window.noteRead(n);
        moved = true;
    }
    return moved;
}

bool JumpTunnel::writeSocket()
{
    qsizetype done = 0;
    while (done < m_toSocket.size()) {
        const auto n = ::send(m_near.get(), m_toSocket.constData() + done,
            size_t(m_toSocket.size() - done), MSG_NOSIGNAL);
        if (n <= 0) {
            m_isOver |= n < 0 && errno != EAGAIN && errno != EINTR;
            break;
        }
        done += n;
    }
    m_toSocket.remove(0, done);
    return done > 0;
}

bool JumpTunnel::readSocket(char* scratch)
{
    if (m_toChannel.size() >= mostHeld)
        return false;
    const auto n = ::recv(m_near.get(), scratch, size_t(scratchSize), 0);
    if (n > 0)
        m_toChannel.append(scratch, n);
    m_isOver |= n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR); // who used it is gone
    return n > 0;
}

bool JumpTunnel::writeChannel(ssh_session session)
{
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

pollfd JumpTunnel::wanted() const
{
    short events = m_isOpen && m_toChannel.size() < mostHeld ? POLLIN : 0;
    if (!m_toSocket.isEmpty())
        events |= POLLOUT;
    return {m_near.get(), events, 0};
}

} // namespace slipway

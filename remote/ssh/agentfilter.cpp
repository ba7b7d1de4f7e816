// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/agentfilter.h"

#include "remote/ssh/agentmessages.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QtEndian>

#include <cstring>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace slipway {

namespace {

constexpr auto longestTouch = std::chrono::minutes(2); // the person may have to confirm
constexpr quint32 longestMessage = 256 * 1024; // as OpenSSH's agent

Fd connectAgent(const QString& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const auto name = QFile::encodeName(path);
    if (name.isEmpty() || name.size() >= qsizetype(sizeof(address.sun_path)))
        return Fd();
    std::memcpy(address.sun_path, name.constData(), size_t(name.size()));
    Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (fd.valid()
        && ::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0)
        fd.reset();
    return fd;
}

std::optional<QByteArray> readExactly(int fd, qsizetype size, const std::function<bool()>& goOn)
{
    QByteArray bytes;
    while (bytes.size() < size) {
        pollfd one{fd, POLLIN, 0};
        if (!goOn())
            return std::nullopt;
        if (::poll(&one, 1, 10) <= 0)
            continue;
        QByteArray piece(size - bytes.size(), Qt::Uninitialized);
        const auto n = ::read(fd, piece.data(), size_t(piece.size()));
        if (n <= 0)
            return std::nullopt;
        bytes += piece.first(n);
    }
    return bytes;
}

std::optional<QByteArray> readMessage(int fd, const std::function<bool()>& goOn)
{
    const auto header = readExactly(fd, 4, goOn);
    if (!header)
        return std::nullopt;
    const auto size = qFromBigEndian<quint32>(header->constData());
    if (size == 0 || size > longestMessage)
        return std::nullopt;
    return readExactly(fd, size, goOn);
}

bool writeMessage(int fd, const QByteArray& body)
{
    const auto bytes = withLength(body);
    return ::send(fd, bytes.constData(), size_t(bytes.size()), MSG_NOSIGNAL) == bytes.size();
}

} // namespace

AgentFilter::AgentFilter(
    LinkGate& gate, const QString& socket, QList<QByteArray> blobs, bool only, Reports reports)
    : m_gate(gate)
    , m_blobs(std::move(blobs))
    , m_only(only)
    , m_reports(std::move(reports))
    , m_agent(connectAgent(socket))
{
    int pair[2] = {-1, -1};
    if (!m_agent.valid() || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        m_agent.reset();
        return;
    }
    m_near.reset(pair[0]);
    m_far.reset(pair[1]);
    m_thread = std::thread([this] { relay(); });
}

AgentFilter::~AgentFilter()
{
    m_stop = true;
    if (m_thread.joinable())
        m_thread.join(); // at most 10 ms: it waits for nothing else
}

void AgentFilter::relay()
{
    const auto goOn = [this] { return !m_stop && !m_gate.stopping(); };
    while (const auto request = readMessage(m_far.get(), goOn)) {
        if (!writeMessage(m_agent.get(), *request))
            break;
        const bool signs = request->startsWith(signRequest);
        if (signs && wantsTouch(*request) && m_reports.touch)
            m_reports.touch();
        // The user may have to touch a key or confirm; an agent that hangs is abandoned.
        const QDeadlineTimer deadline(
            signs ? std::chrono::milliseconds(longestTouch) : patience.load());
        const auto answer =
            readMessage(m_agent.get(), [&] { return goOn() && !deadline.hasExpired(); });
        if (!answer) {
            if (goOn() && deadline.hasExpired() && m_reports.silent)
                m_reports.silent();
            break;
        }
        const bool list =
            request->startsWith(requestIdentities) && answer->startsWith(identitiesAnswer);
        if (!writeMessage(
                m_far.get(), list ? filteredIdentities(*answer, m_blobs, m_only) : *answer))
            break;
    }
    ::shutdown(m_far.get(), SHUT_RDWR); // libssh reads an end instead of waiting
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/delayproxy.h"

#include <QByteArray>
#include <QtGlobal>

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <deque>
#include <fcntl.h>
#include <list>
#include <netinet/tcp.h>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <vector>

namespace slipway {

using Clock = std::chrono::steady_clock;

namespace {

constexpr size_t readAtOnce = 256 * 1024;

sockaddr_in onLoopback(int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(quint16(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

const sockaddr* general(const sockaddr_in& address)
{
    return reinterpret_cast<const sockaddr*>(&address);
}

/// What came in at one time, and when it goes out.
struct Piece {
    Clock::time_point due;
    QByteArray bytes;
};

/// One direction of a line.
struct Way {
    int from = -1;
    int to = -1;
    std::deque<Piece> pieces;
    qsizetype sent = 0; ///< of the first piece
    bool isEnded = false; ///< nothing more comes in
    bool isFull = false; ///< the receiver takes nothing at the moment
    std::optional<Clock::time_point> end; ///< when its receiver gets the end

    void read(QByteArray& buffer, std::chrono::milliseconds delay)
    {
        const auto n = ::recv(from, buffer.data(), size_t(buffer.size()), 0);
        if (n > 0) {
            pieces.push_back({Clock::now() + delay, QByteArray(buffer.constData(), n)});
        } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            isEnded = true;
            end = Clock::now() + delay;
        }
    }
    void write()
    {
        isFull = false;
        while (!pieces.empty() && pieces.front().due <= Clock::now()) {
            const QByteArray& bytes = pieces.front().bytes;
            const auto n =
                ::send(to, bytes.constData() + sent, size_t(bytes.size() - sent), MSG_NOSIGNAL);
            isFull = n < 0 && errno == EAGAIN;
            if (isFull)
                return;
            sent += std::max<qsizetype>(n, 0);
            if (n < 0 || sent == bytes.size()) { // a receiver that is gone gets nothing
                pieces.pop_front();
                sent = 0;
            }
        }
        if (pieces.empty() && end && *end <= Clock::now()) {
            ::shutdown(to, SHUT_WR);
            end.reset();
        }
    }
    bool isDone() const { return isEnded && pieces.empty() && !end; }
    std::optional<Clock::time_point> next() const
    {
        if (isFull)
            return {};
        return pieces.empty() ? end : std::optional(pieces.front().due);
    }
};

/// One connection.
struct Line {
    Fd near, far;
    Way there, back;
};

Fd socketTo(int port)
{
    Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = onLoopback(port);
    if (::connect(fd.get(), general(address), sizeof(address)) != 0)
        return {};
    const int flags = ::fcntl(fd.get(), F_GETFL);
    ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK);
    return fd;
}

void acceptInto(std::list<Line>& lines, int server, int targetPort)
{
    Fd near(::accept4(server, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    Fd far = socketTo(targetPort);
    if (!near.valid() || !far.valid())
        return;
    const int on = 1;
    for (const Fd* fd : {&near, &far})
        ::setsockopt(fd->get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    Line& line = lines.emplace_back();
    line.there.from = line.back.to = near.get();
    line.there.to = line.back.from = far.get();
    line.near = std::move(near);
    line.far = std::move(far);
}

timespec timeUntil(std::optional<Clock::time_point> next)
{
    const auto time = next ? std::max<Clock::duration>(Clock::duration(0), *next - Clock::now())
                           : std::chrono::seconds(60);
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    return {seconds.count(), std::chrono::nanoseconds(time - seconds).count()};
}

} // namespace

DelayProxy::DelayProxy(int targetPort, std::chrono::milliseconds oneWay)
    : m_server(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0))
    , m_wake(::eventfd(0, EFD_CLOEXEC))
    , m_targetPort(targetPort)
    , m_oneWay(oneWay)
{
    sockaddr_in address = onLoopback(0);
    socklen_t size = sizeof(address);
    const bool isListening = ::bind(m_server.get(), general(address), size) == 0
        && ::listen(m_server.get(), 16) == 0
        && ::getsockname(m_server.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0;
    Q_ASSERT_X(isListening, "DelayProxy", "no port on the loopback");
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { run(); });
}

DelayProxy::~DelayProxy()
{
    ::eventfd_write(m_wake.get(), 1);
    m_thread.join();
}

void DelayProxy::run()
{
    std::list<Line> lines;
    QByteArray buffer(qsizetype(readAtOnce), Qt::Uninitialized);
    for (;;) {
        std::vector<pollfd> fds{{m_wake.get(), POLLIN, 0}, {m_server.get(), POLLIN, 0}};
        std::optional<Clock::time_point> next;
        for (Line& line : lines)
            for (Way* way : {&line.there, &line.back}) {
                fds.push_back({way->isEnded ? -1 : way->from, POLLIN, 0});
                fds.push_back({way->isFull ? way->to : -1, POLLOUT, 0});
                if (const auto due = way->next(); due && (!next || *due < *next))
                    next = due;
            }
        const timespec time = timeUntil(next);
        ::ppoll(fds.data(), fds.size(), &time, nullptr);
        if (fds[0].revents != 0)
            return;
        size_t at = 2;
        for (Line& line : lines)
            for (Way* way : {&line.there, &line.back}) {
                if (fds[at].revents != 0)
                    way->read(buffer, m_oneWay);
                way->write();
                at += 2;
            }
        lines.remove_if([](const Line& line) { return line.there.isDone() && line.back.isDone(); });
        if (fds[1].revents != 0)
            acceptInto(lines, m_server.get(), m_targetPort);
    }
}

} // namespace slipway

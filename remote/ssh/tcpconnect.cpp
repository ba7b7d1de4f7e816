// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/tcpconnect.h"

#include "remote/base/tr.h"

#include <QDeadlineTimer>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>

using namespace std::chrono_literals;

namespace slipway {

namespace {

struct Address {
    sockaddr_storage storage{};
    socklen_t length = 0;
    int family = 0;
};

struct Lookup {
    std::atomic<bool> done = false;
    int code = 0;
    std::vector<Address> addresses;
};

void look(Lookup& lookup, const QByteArray& host, int port, int family)
{
    addrinfo hints{};
    hints.ai_family = family;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    const auto service = QByteArray::number(port);
    lookup.code = ::getaddrinfo(host.constData(), service.constData(), &hints, &list);
    for (auto* one = list; one; one = one->ai_next) {
        Address address;
        std::memcpy(&address.storage, one->ai_addr, one->ai_addrlen);
        address.length = one->ai_addrlen;
        address.family = one->ai_family;
        lookup.addresses.push_back(address);
    }
    if (list)
        ::freeaddrinfo(list);
}

/// Address families alternate, in the order preferred by name resolution.
std::vector<Address> byTurns(const std::vector<Address>& addresses)
{
    std::vector<Address> first;
    std::vector<Address> second;
    for (const auto& address : addresses)
        (address.family == addresses.front().family ? first : second).push_back(address);
    std::vector<Address> mixed;
    for (size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
        if (i < first.size())
            mixed.push_back(first[i]);
        if (i < second.size())
            mixed.push_back(second[i]);
    }
    return mixed;
}

Error networkError(const ResolvedTarget& target, const QString& why, const QString& remedy)
{
    return {ErrorKind::Network, tr("%1 could not be reached: %2.").arg(target.host, why), remedy};
}

Error timeoutError(const ResolvedTarget& target)
{
    return {ErrorKind::Timeout,
        tr("%1 did not respond within %2 s.")
            .arg(target.host)
            .arg(target.times.connect.count() / 1000.0),
        tr("Check the network, and whether this cluster needs a VPN.")};
}

Error cancelledError()
{
    return {ErrorKind::Cancelled, tr("The connection was cancelled.")};
}

Result<std::vector<Address>> resolve(
    const ResolvedTarget& target, LinkGate& gate, QDeadlineTimer deadline)
{
    if (!target.addresses.isEmpty()) {
        Lookup lookup;
        for (const auto& address : target.addresses)
            look(lookup, address.toUtf8(), target.port, target.addressFamily);
        return lookup.addresses;
    }
    auto lookup = std::make_shared<Lookup>();
    std::thread([lookup, host = target.host.toUtf8(), port = target.port,
                    family = target.addressFamily] {
        look(*lookup, host, port, family);
        lookup->done = true;
    }).detach(); // getaddrinfo cannot be stopped: a late answer is discarded
    for (auto pause = 1ms; !lookup->done; pause = std::min(pause * 2, 20ms)) {
        if (!gate.wait(-1, 0, pause))
            return cancelledError();
        if (deadline.hasExpired())
            return timeoutError(target);
    }
    if (lookup->addresses.empty())
        return networkError(target,
            tr("the name cannot be resolved (%1)")
                .arg(QString::fromLocal8Bit(::gai_strerror(lookup->code))),
            tr("Check the spelling, the network, and whether this cluster needs a VPN."));
    return lookup->addresses;
}

Fd startConnect(const Address& address)
{
    Fd fd(::socket(address.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (fd.valid()
        && ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.length)
            != 0
        && errno != EINPROGRESS)
        fd.reset();
    return fd;
}

void tune(int fd, std::chrono::milliseconds giveUp)
{
    const int on = 1;
    const auto silence = static_cast<unsigned int>(giveUp.count());
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    ::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    ::setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence, sizeof(silence));
}

/// The first of `tries` that is connected; those that failed are removed and set `why`.
Fd firstConnected(std::vector<Fd>& tries, std::chrono::milliseconds time, int wakeFd, int& why)
{
    std::vector<pollfd> fds{{wakeFd, POLLIN, 0}};
    for (const auto& one : tries)
        fds.push_back({one.get(), POLLOUT, 0});
    ::poll(fds.data(), fds.size(), int(std::max<qint64>(1, time.count())));
    for (size_t i = tries.size(); i-- > 0;) {
        if (!fds[i + 1].revents)
            continue;
        socklen_t length = sizeof(why);
        int code = 0;
        ::getsockopt(tries[i].get(), SOL_SOCKET, SO_ERROR, &code, &length);
        if (code == 0)
            return std::move(tries[i]);
        why = code;
        tries.erase(tries.begin() + qsizetype(i));
    }
    return Fd();
}

} // namespace

Result<Fd> connectTcp(const ResolvedTarget& target, LinkGate& gate)
{
    const QDeadlineTimer deadline(target.times.connect);
    const auto found = resolve(target, gate, deadline);
    if (!found.ok())
        return found.error();
    const auto addresses = byTurns(*found);
    std::vector<Fd> tries;
    size_t next = 0;
    int why = 0;
    QDeadlineTimer stagger(0);
    while (next < addresses.size() || !tries.empty()) {
        if (gate.stopping())
            return cancelledError();
        if (deadline.hasExpired())
            return timeoutError(target);
        if (next < addresses.size() && (tries.empty() || stagger.hasExpired())) {
            if (auto fd = startConnect(addresses[next++]); fd.valid())
                tries.push_back(std::move(fd));
            else
                why = errno;
            stagger.setRemainingTime(250);
            continue;
        }
        const auto left = std::min(
            deadline.remainingTime(), next < addresses.size() ? stagger.remainingTime() : 1000);
        if (auto fd = firstConnected(tries, std::chrono::milliseconds(left), gate.wakeFd(), why);
            fd.valid()) {
            tune(fd.get(), target.times.downAfter);
            return fd;
        }
    }
    return networkError(target,
        why == ECONNREFUSED ? tr("nothing is listening on port %1").arg(target.port)
                            : QString::fromLocal8Bit(std::strerror(why)),
        tr("Check the host, the port and the network."));
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/loopbackport.h"

#include "remote/base/tr.h"

#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

using namespace std::chrono_literals;

namespace slipway {

Result<std::unique_ptr<LoopbackPort>> LoopbackPort::open(std::function<void(Fd)> connected)
{
    Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const place = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket.get(), place, size) != 0 || ::listen(socket.get(), 1) != 0
        || ::getsockname(socket.get(), place, &size) != 0)
        return Error{ErrorKind::Io, tr("No port of this computer could be opened."),
            tr("Close other programs and try again."), QByteArray(strerror(errno))};
    return std::unique_ptr<LoopbackPort>(
        new LoopbackPort(std::move(socket), ntohs(address.sin_port), std::move(connected)));
}

LoopbackPort::LoopbackPort(Fd socket, int number, std::function<void(Fd)> connected)
    : m_socket(std::move(socket))
    , m_number(number)
    , m_thread([this, connected = std::move(connected)] {
        while (m_gate.wait(m_socket.get(), POLLIN, 60s)) {
            Fd taken(::accept4(m_socket.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
            if (!taken.valid() && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
                return; // it would be so again at once
            if (!taken.valid())
                continue;
            m_socket.reset();
            return connected(std::move(taken));
        }
    })
{
}

LoopbackPort::~LoopbackPort()
{
    m_gate.stop();
    m_thread.join();
}

} // namespace slipway

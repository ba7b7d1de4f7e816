// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/ssh/sshhandles.h"

#include <QString>

#include <memory>
#include <utility>

namespace slipway {

/// Route is what the SSH session of a connection runs over: a TCP connection, a channel through a
/// jump host, or the process of a ProxyCommand. Lives on the worker, which destroys it after the
/// session; a route with a thread of its own ends that thread first.
class Route {
public:
    explicit Route(Fd socket)
        : m_socket(std::move(socket))
    {
    }
    virtual ~Route() = default;
    Route(const Route&) = delete;

    /// The socket for the session, which closes it.
    Fd takeSocket() { return std::move(m_socket); }
    /// Why the route ended, in a sentence that names the jump host or the command; empty: it has
    /// not, or nothing is known beyond the closed socket. On the worker.
    virtual QString failure() const { return {}; }
    /// Makes one more connection to the same host and port, and carries its bytes from and to
    /// `near`, a connected non-blocking socket, until one of the two ends. What is returned, if
    /// anything, must live as long. Any thread. Who has a direct route makes the connection itself:
    /// nothing happens here.
    virtual std::unique_ptr<Route> another(Fd near)
    {
        Q_UNUSED(near)
        return nullptr;
    }

protected:
    Route() = default;
    void setSocket(Fd socket) { m_socket = std::move(socket); }

private:
    Fd m_socket;
};

} // namespace slipway

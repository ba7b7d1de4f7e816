// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/fd.h"
#include "remote/base/result.h"
#include "remote/ssh/linkgate.h"

#include <functional>
#include <memory>
#include <thread>

namespace slipway {

/// LoopbackPort is a TCP port of 127.0.0.1 for a program of this computer that can only connect to
/// an address. It takes one connection and closes. Whoever else on this computer comes first gets
/// what the port leads to, so it may lead only to what everybody may ask. Used on the worker; its
/// thread waits for the connection and ends with the object.
class LoopbackPort {
public:
    /// `connected` is called once, on the thread of the port, with the connected socket, which is
    /// non-blocking.
    static Result<std::unique_ptr<LoopbackPort>> open(std::function<void(Fd)> connected);
    ~LoopbackPort();

    int number() const { return m_number; }

private:
    LoopbackPort(Fd socket, int number, std::function<void(Fd)> connected);

    Fd m_socket;
    int m_number;
    LinkGate m_gate; ///< only to end the thread
    std::thread m_thread;
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/fd.h"

#include <chrono>
#include <thread>

namespace slipway {

/// DelayProxy stands between a client and a port of the loopback and passes everything on after a
/// while, each way: a line with a long round trip and no limit on its rate. On a thread of its own,
/// so that what is measured does not slow it down, and with little work for each byte, so that it
/// does not slow down what is measured.
class DelayProxy {
public:
    DelayProxy(int targetPort, std::chrono::milliseconds oneWay);
    ~DelayProxy();
    DelayProxy(const DelayProxy&) = delete;

    int port() const { return m_port; }

private:
    void run();

    Fd m_server;
    Fd m_wake; ///< an eventfd: the thread is to end
    int m_targetPort;
    int m_port = 0;
    std::chrono::milliseconds m_oneWay;
    std::thread m_thread;
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/ssh/sshhandles.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <vector>

namespace slipway {

class Link;

/// LinkGate is the interface to a connection's worker thread: requests for its Link, a request to
/// stop, and the descriptor that wakes its poll(). Any thread; shared by the worker and the GUI
/// side.
class LinkGate {
public:
    using Job = std::function<void(Link& link)>;

    LinkGate();

    void post(Job job);
    void stop();
    bool stopping() const { return m_stopping; }

    /// For the worker alone.
    std::vector<Job> takeJobs();
    int wakeFd() const { return m_wake.get(); }
    void wake();
    /// Waits until `fd` is ready for `events`, the worker was woken, or the time is over. False
    /// when the worker must stop.
    bool wait(int fd, short events, std::chrono::milliseconds time);

private:
    std::mutex m_mutex;
    std::vector<Job> m_jobs;
    std::atomic<bool> m_stopping = false;
    Fd m_wake;
};

} // namespace slipway

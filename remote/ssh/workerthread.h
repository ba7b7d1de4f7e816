// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <thread>

namespace slipway {

/// WorkerThread is the thread of one connection. Unlike QThread::wait(), waiting for it includes
/// what libraries release when a thread ends (pthread_key_create(3)): OpenSSL keeps random number
/// generators there, and they would be lost if the program ended at the same time. Created and
/// waited for on the main thread; shared by the shell and the connector.
class WorkerThread {
public:
    /// `stop` may be called from the main thread, more than once; it makes `work` return soon.
    WorkerThread(std::function<void()> work, std::function<void()> stop);
    /// A thread that still runs is left to itself.
    ~WorkerThread();
    WorkerThread(const WorkerThread&) = delete;
    WorkerThread& operator=(const WorkerThread&) = delete;

    void stop();
    bool wasStopped() const { return m_stopped; }
    /// False: it still ran at the end of that time.
    bool hasEndedWithin(std::chrono::milliseconds time);

private:
    std::function<void()> m_stop;
    bool m_stopped = false;
    std::future<void> m_ended;
    std::thread m_thread;
};

} // namespace slipway

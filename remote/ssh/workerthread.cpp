// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/workerthread.h"

#include <utility>

namespace slipway {

WorkerThread::WorkerThread(std::function<void()> work, std::function<void()> stop)
    : m_stop(std::move(stop))
{
    std::promise<void> ended;
    m_ended = ended.get_future();
    m_thread = std::thread([work = std::move(work), ended = std::move(ended)]() mutable {
        std::exchange(work, {})(); // what it holds is released before it counts as ended
        ended.set_value();
    });
}

WorkerThread::~WorkerThread()
{
    if (m_thread.joinable())
        m_thread.detach();
}

void WorkerThread::stop()
{
    m_stopped = true;
    m_stop();
}

bool WorkerThread::hasEndedWithin(std::chrono::milliseconds time)
{
    if (!m_thread.joinable())
        return true;
    if (m_ended.wait_for(time) != std::future_status::ready)
        return false;
    m_thread.join();
    return true;
}

} // namespace slipway

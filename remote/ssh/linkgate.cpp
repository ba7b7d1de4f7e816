// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/linkgate.h"

#include <QtGlobal>

#include <array>
#include <poll.h>
#include <sys/eventfd.h>

namespace slipway {

LinkGate::LinkGate()
    : m_wake(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))
{
}

void LinkGate::post(Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
        if (m_jobs.size() > 1)
            return; // the first one has already woken the worker
    }
    wake();
}

void LinkGate::stop()
{
    m_stopping = true;
    wake();
}

void LinkGate::wake()
{
    const quint64 one = 1;
    [[maybe_unused]] const auto n = ::write(m_wake.get(), &one, sizeof(one));
}

std::vector<LinkGate::Job> LinkGate::takeJobs()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_jobs, {});
}

bool LinkGate::wait(int fd, short events, std::chrono::milliseconds time)
{
    if (m_stopping)
        return false;
    std::array<pollfd, 2> fds{{{m_wake.get(), POLLIN, 0}, {fd, events, 0}}};
    ::poll(fds.data(), fd >= 0 ? 2 : 1, int(std::max<qint64>(0, time.count())));
    if (fds[0].revents) {
        quint64 count = 0;
        [[maybe_unused]] const auto n = ::read(m_wake.get(), &count, sizeof(count));
    }
    return !m_stopping;
}

} // namespace slipway

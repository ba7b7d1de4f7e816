// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/team.h"

#include <algorithm>

namespace slipway::probe {
namespace {

void pause()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace

void Gate::wait()
{
    const unsigned opened = m_opened.load();
    if (m_here.fetch_add(1) + 1 == m_count) {
        m_here.store(0);
        m_opened.fetch_add(1);
        m_opened.notify_all();
        return;
    }
    for (int look = 0; look < 4000; ++look) {
        if (m_opened.load(std::memory_order_acquire) != opened)
            return;
        pause();
    }
    while (m_opened.load() == opened)
        m_opened.wait(opened);
}

Team::Team(int threads, std::vector<int> cpus)
    : m_size(std::max(1, threads))
    , m_cpus(std::move(cpus))
    , m_start(m_size)
    , m_end(m_size)
{
    sched_getaffinity(0, sizeof m_before, &m_before);
    pin(0);
    for (int index = 1; index < m_size; ++index)
        m_threads.emplace_back([this, index] { serve(index); });
}

Team::~Team()
{
    m_work = nullptr;
    if (m_size > 1)
        m_start.wait();
    for (std::thread& thread : m_threads)
        thread.join();
    if (!m_cpus.empty())
        sched_setaffinity(0, sizeof m_before, &m_before);
}

/// Best effort: a CPU that the job lost meanwhile must not stop it.
void Team::pin(int index) const
{
    const int cpu = m_cpus.empty() ? CPU_SETSIZE : m_cpus[size_t(index) % m_cpus.size()];
    cpu_set_t set;
    CPU_ZERO(&set);
    if (cpu < CPU_SETSIZE) {
        CPU_SET(cpu, &set);
        sched_setaffinity(0, sizeof set, &set);
    }
}

void Team::run(const std::function<void(int)>& work)
{
    m_work = &work;
    if (m_size > 1)
        m_start.wait();
    work(0);
    if (m_size > 1)
        m_end.wait();
}

void Team::serve(int index)
{
    pin(index);
    while (true) {
        m_start.wait();
        if (!m_work)
            return;
        (*m_work)(index);
        m_end.wait();
    }
}

} // namespace slipway::probe

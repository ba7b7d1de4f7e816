// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <sched.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace slipway::probe {

/// A barrier. Threads spin for a short time before they sleep: the waits of a matrix product are
/// shorter than waking a thread takes.
class Gate {
public:
    explicit Gate(int count)
        : m_count(count)
    {
    }
    void wait();

private:
    const int m_count;
    std::atomic<int> m_here{0};
    std::atomic<unsigned> m_opened{0};
};

/// Team is a number of threads that do one piece of work together; the caller is the first of them.
/// Owned and used by one thread; the work must not throw.
class Team {
public:
    /// `cpus` pins a thread to each of them in turn, the caller too while the team lives: the
    /// kernel may leave two threads that wake each other on one CPU. Empty: it places them.
    explicit Team(int threads, std::vector<int> cpus = {});
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team();

    int size() const { return m_size; }
    void run(const std::function<void(int index)>& work);

private:
    void serve(int index);
    void pin(int index) const;

    const int m_size;
    const std::vector<int> m_cpus;
    cpu_set_t m_before{}; ///< where the caller was allowed to be
    const std::function<void(int)>* m_work = nullptr; ///< null: the threads end
    Gate m_start, m_end;
    std::vector<std::thread> m_threads;
};

} // namespace slipway::probe

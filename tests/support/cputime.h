// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QtGlobal>

#include <ctime>

namespace slipway {

/// CpuTime is the processor time that the calling thread has used since it was made or restarted.
/// For limits on work that waits for nothing: what other processes do meanwhile does not count, as
/// it would on the clock. A value, used on one thread.
class CpuTime {
public:
    CpuTime() { restart(); }

    void restart() { m_begin = now(); }
    qint64 microseconds() const { return now() - m_begin; }
    /// In ms, as a QElapsedTimer's.
    qint64 elapsed() const { return microseconds() / 1000; }

private:
    static qint64 now()
    {
        timespec used{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        return qint64(used.tv_sec) * 1'000'000 + used.tv_nsec / 1000;
    }

    qint64 m_begin = 0;
};

/// How much longer work may take under the sanitizers, as a factor of a limit on it.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr int sanitizersTake = 2;
#else
inline constexpr int sanitizersTake = 1;
#endif

} // namespace slipway

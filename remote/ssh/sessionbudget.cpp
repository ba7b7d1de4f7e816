// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/sessionbudget.h"

#include <algorithm>

using namespace std::chrono_literals;

namespace slipway {

namespace {

// A server may count a session until its last process has ended, so the first measurement is made
// soon. A limit that stays small is measured less and less often.
constexpr SessionBudget::Milliseconds firstPause = 1s;
constexpr SessionBudget::Milliseconds longestPause = 5min;

} // namespace

void SessionBudget::refused(size_t others, Milliseconds now)
{
    m_total = std::clamp<size_t>(others, 1, m_total);
    wait(now);
}

void SessionBudget::measured(size_t together, Milliseconds now)
{
    if (together > m_total)
        m_pause = 0ms;
    m_total = std::clamp(together, m_total, most);
    wait(now);
}

void SessionBudget::wait(Milliseconds now)
{
    m_pause = std::clamp(2 * m_pause, firstPause, longestPause);
    m_next = now + m_pause;
}

SessionBudget::Milliseconds SessionBudget::untilMeasuring(Milliseconds now) const
{
    return std::max(0ms, m_next - now);
}

} // namespace slipway

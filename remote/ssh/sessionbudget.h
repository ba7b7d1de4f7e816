// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <chrono>
#include <cstddef>

namespace slipway {

/// SessionBudget is the number of sessions that may be open at once on one connection, and how many
/// of them streams may use: the rest is reserved for short commands and uploads. It shrinks when
/// the server refuses a session, and schedules the next measurement. A value, without its own
/// clock; Link owns one on the worker thread.
class SessionBudget {
public:
    using Milliseconds = std::chrono::milliseconds;

    static constexpr size_t most = 8; ///< sshd's MaxSessions is ten by default
    static constexpr size_t few = 4; ///< below this, none can be spared for the persistent shell

    size_t total() const { return m_total; }
    /// The part for long-lived channels: two sessions are reserved, of a small budget one.
    size_t streams() const { return m_total - (m_total < few ? 1 : 2); }
    bool isFew() const { return m_total < few; }

    /// The server refused a session while `others` were open (at least one).
    void refused(size_t others, Milliseconds now);
    /// The number of sessions that were open at once in a measurement.
    void measured(size_t together, Milliseconds now);
    /// Time until the next measurement; none while the budget is complete.
    Milliseconds untilMeasuring(Milliseconds now) const;
    bool isWhole() const { return m_total == most; }

private:
    void wait(Milliseconds now);

    size_t m_total = most;
    Milliseconds m_next{0};
    Milliseconds m_pause{0};
};

} // namespace slipway

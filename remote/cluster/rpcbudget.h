// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QDateTime>

#include <chrono>
#include <deque>

namespace slipway {

/// RpcBudget counts the calls to one cluster's scheduler, so that the polling rate stays low
/// (Slurm's manual asks not to call squeue in a loop). Calls by the user are counted and pass;
/// calls by a timer wait for room. A plain object of the GUI thread, shared by Cluster and
/// JobWatcher.
class RpcBudget {
public:
    explicit RpcBudget(int callsAMinute = 12)
        : m_limit(callsAMinute)
    {
    }
    void setLimit(int callsAMinute) { m_limit = callsAMinute; }
    int limit() const { return m_limit; }

    void spend(int calls = 1);
    int callsLastMinute() const;
    /// How long a timer must wait before its next call; zero: go.
    std::chrono::milliseconds wait() const;

private:
    int m_limit;
    mutable std::deque<std::chrono::steady_clock::time_point> m_calls;
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/callsfile.h"

#include <QDateTime>

#include <chrono>

namespace slipway {

/// RpcBudget counts the calls to one cluster's scheduler, those of all programs of a person
/// together, so that the polling rate stays low (Slurm's manual asks not to call squeue in a loop).
/// Calls by the user are counted and pass; calls by a timer wait for room, which they take before
/// they are made. A plain object of the GUI thread, shared by Cluster and JobWatcher.
class RpcBudget {
public:
    explicit RpcBudget(int callsAMinute = 12)
        : RpcBudget(CallsFile({}), callsAMinute)
    {
    }
    explicit RpcBudget(CallsFile shared, int callsAMinute = 12)
        : m_limit(callsAMinute)
        , m_shared(std::move(shared))
    {
    }
    void setLimit(int callsAMinute) { m_limit = callsAMinute; }
    int limit() const { return m_limit; }

    /// Calls are made now: those for which room was taken, and others.
    void spend(int calls = 1);
    int callsLastMinute() const;
    /// How long a timer must wait before its next call; zero: go.
    std::chrono::milliseconds wait(int calls = 1) const;
    /// Takes the room for so many calls, before another program does. False: wait(). Where several
    /// want more than there is, those that have called less come first.
    bool takeRoom(int calls = 1);

private:
    CallTimes lastMinute() const;

    int m_limit;
    CallsFile m_shared;
    mutable CallTimes m_calls; ///< of this program
    int m_taken = 0; ///< counted already, and about to be made
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/rpcbudget.h"

#include <algorithm>

namespace slipway {

using namespace std::chrono_literals;

void RpcBudget::spend(int calls)
{
    const int taken = std::min(calls, m_taken);
    m_taken -= taken;
    if (calls == taken)
        return;
    m_calls.insert(m_calls.end(), size_t(calls - taken), CallsFile::now());
    m_shared.add(calls - taken);
}

bool RpcBudget::takeRoom(int calls)
{
    const int more = calls - m_taken;
    if (more <= 0)
        return true;
    const int most = std::max(calls, m_limit);
    const bool isFull = int(lastMinute().size()) + more > most;
    if (!m_shared.add(more, isFull ? 0 : most) || isFull)
        return false;
    m_calls.insert(m_calls.end(), size_t(more), CallsFile::now());
    m_taken = calls;
    return true;
}

/// Of all programs where that is known, and at least of this one.
CallTimes RpcBudget::lastMinute() const
{
    const auto minuteAgo = CallsFile::now() - 60s;
    std::erase_if(m_calls, [minuteAgo](const auto& call) { return call <= minuteAgo; });
    CallTimes shared = m_shared.calls();
    return shared.size() >= m_calls.size() ? shared : m_calls;
}

int RpcBudget::callsLastMinute() const
{
    return int(lastMinute().size());
}

std::chrono::milliseconds RpcBudget::wait(int calls) const
{
    const CallTimes made = lastMinute();
    const auto spent = int(made.size());
    const int allowed = std::max(0, m_limit - calls);
    if (spent <= allowed || m_taken >= calls)
        return 0ms;
    // There is room once enough of the oldest calls are a minute old.
    const auto oldest = made[std::size_t(spent - allowed - 1)];
    return std::max<std::chrono::milliseconds>(1ms, oldest + 60s - CallsFile::now());
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/rpcbudget.h"

namespace slipway {

using namespace std::chrono_literals;

void RpcBudget::spend(int calls)
{
    for (int i = 0; i < calls; ++i)
        m_calls.push_back(std::chrono::steady_clock::now());
    callsLastMinute();
}

int RpcBudget::callsLastMinute() const
{
    const auto minuteAgo = std::chrono::steady_clock::now() - 60s;
    while (!m_calls.empty() && m_calls.front() <= minuteAgo)
        m_calls.pop_front();
    return int(m_calls.size());
}

std::chrono::milliseconds RpcBudget::wait() const
{
    const int spent = callsLastMinute();
    if (spent < m_limit)
        return 0ms;
    // There is room once enough of the oldest calls are a minute old.
    const auto oldest = m_calls[std::size_t(spent - std::max(1, m_limit))];
    const auto left = oldest + 60s - std::chrono::steady_clock::now();
    return std::max(1ms, std::chrono::ceil<std::chrono::milliseconds>(left));
}

} // namespace slipway

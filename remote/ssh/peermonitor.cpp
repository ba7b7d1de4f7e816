// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/peermonitor.h"

#include <libssh/server.h>

#include <algorithm>

using namespace std::chrono_literals;

namespace slipway {

namespace {

/// How often the surroundings are looked at, and the silence before the address is.
constexpr std::chrono::milliseconds addressLook = 3s;

} // namespace

PeerMonitor::PeerMonitor(ssh_session session, const SshTimes& times, SshSenses senses)
    : m_session(session)
    , m_times(times)
    , m_senses(std::move(senses))
    , m_slept(m_senses.slept())
{
    ssh_set_counters(session, &m_socketBytes, &m_rawBytes);
    m_silence.start();
    m_checked.start();
}

PeerMonitor::~PeerMonitor()
{
    ssh_set_counters(m_session, nullptr, nullptr);
}

LinkState PeerMonitor::check()
{
    // Both are read before anything else, where this process may be stopped.
    std::chrono::milliseconds silence(m_silence.elapsed());
    const std::chrono::milliseconds away(m_checked.restart());
    if (m_socketBytes.in_bytes + m_rawBytes.in_bytes != m_seenBytes) {
        m_seenBytes = m_socketBytes.in_bytes + m_rawBytes.in_bytes;
        m_silence.restart();
        silence = 0ms;
        m_probed = false;
        m_hasSlept = false;
    }
    if (wasAway(away)) {
        m_hasSlept = true;
        m_silence.restart();
        silence = 0ms;
        probe();
    }
    if (silence >= m_times.probeAfter && !m_probed)
        probe();
    const bool gone = silence >= addressLook && m_senses.addressIsGone(int(ssh_get_fd(m_session)));
    m_state = gone || silence >= downAfter() ? LinkState::Down
        : silence >= m_times.stalledAfter    ? LinkState::Stalled
                                             : LinkState::Up;
    return m_state;
}

/// The computer slept: the clock of the silence stands meanwhile, but the peer's does not. Or this
/// process stood still, stopped or frozen, and heard nothing because it did not listen.
bool PeerMonitor::wasAway(std::chrono::milliseconds sinceLastCheck)
{
    const auto slept = m_senses.slept();
    const bool hasSlept = slept - m_slept > 1s;
    m_slept = slept;
    return hasSlept || sinceLastCheck >= std::max(2 * addressLook, m_times.downAfter / 2);
}

std::chrono::milliseconds PeerMonitor::downAfter() const
{
    return m_hasSlept ? std::min(m_times.downAfterWaking, m_times.downAfter) : m_times.downAfter;
}

/// Any answer is a sign of life, even "no such request". The first call may only read the answer to
/// the last probe, so it is repeated until bytes are sent.
void PeerMonitor::probe()
{
    m_probed = true;
    const auto sent = m_socketBytes.out_bytes + m_rawBytes.out_bytes;
    for (int i = 0; i < 2 && m_socketBytes.out_bytes + m_rawBytes.out_bytes == sent; ++i)
        ssh_send_keepalive(m_session);
}

std::chrono::milliseconds PeerMonitor::timeToCheck() const
{
    const std::chrono::milliseconds silence(m_silence.elapsed());
    auto next = downAfter();
    if (silence < m_times.probeAfter && !m_probed)
        next = m_times.probeAfter;
    else if (silence < m_times.stalledAfter)
        next = m_times.stalledAfter;
    // Often enough to notice a sleep and a change of address soon.
    next = std::min(next, downAfter());
    return std::min(addressLook, std::max<std::chrono::milliseconds>(1ms, next - silence));
}

} // namespace slipway

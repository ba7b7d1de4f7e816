// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/peermonitor.h"

#include <libssh/server.h>

namespace slipway {

PeerMonitor::PeerMonitor(ssh_session session, const SshTimes& times)
    : m_session(session)
    , m_times(times)
{
    ssh_set_counters(session, &m_socketBytes, &m_rawBytes);
    m_silence.start();
}

PeerMonitor::~PeerMonitor()
{
    ssh_set_counters(m_session, nullptr, nullptr);
}

LinkState PeerMonitor::check()
{
    if (m_socketBytes.in_bytes + m_rawBytes.in_bytes != m_seenBytes) {
        m_seenBytes = m_socketBytes.in_bytes + m_rawBytes.in_bytes;
        m_silence.restart();
        m_probed = false;
    }
    const std::chrono::milliseconds silence(m_silence.elapsed());
    if (silence >= m_times.probeAfter && !m_probed)
        probe();
    m_state = silence >= m_times.downAfter ? LinkState::Down
        : silence >= m_times.stalledAfter  ? LinkState::Stalled
                                           : LinkState::Up;
    return m_state;
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
    auto next = m_times.downAfter;
    if (silence < m_times.probeAfter)
        next = m_times.probeAfter;
    else if (silence < m_times.stalledAfter)
        next = m_times.stalledAfter;
    return next - silence;
}

} // namespace slipway

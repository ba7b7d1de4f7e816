// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/ssh/linkgate.h"
#include "remote/ssh/sshconfig.h"

#include <libssh/libssh.h>

#include <QElapsedTimer>

namespace slipway {

/// PeerMonitor detects a dead peer, which libssh does not: it counts the bytes of a session, and
/// sends a probe when nothing arrives. Lives on the worker, owned by Link; the session, whose
/// counters it holds, must exist as long as it does.
class PeerMonitor {
public:
    PeerMonitor(ssh_session session, const SshTimes& times);
    ~PeerMonitor();
    PeerMonitor(const PeerMonitor&) = delete;

    LinkState state() const { return m_state; }
    std::chrono::milliseconds downAfter() const { return m_times.downAfter; }
    /// Updates the state; sends a probe if it is time for one.
    LinkState check();
    /// When the next check is due.
    std::chrono::milliseconds timeToCheck() const;

private:
    void probe();

    ssh_session m_session;
    SshTimes m_times;
    LinkState m_state = LinkState::Up;
    ssh_counter_struct m_socketBytes{};
    ssh_counter_struct m_rawBytes{};
    quint64 m_seenBytes = 0;
    QElapsedTimer m_silence;
    bool m_probed = false;
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/ssh/linkgate.h"
#include "remote/ssh/sshconfig.h"

#include <libssh/libssh.h>

#include <QElapsedTimer>

namespace slipway {

/// PeerMonitor detects a dead peer, which libssh does not: it counts the bytes of a session, and
/// sends a probe when nothing arrives. After this computer slept, or the process stood still, it
/// probes at once and waits less, and it does not wait at all once the address of the connection is
/// gone. Lives on the worker, owned by Link; the session, whose counters it holds, must exist as
/// long as it does.
class PeerMonitor {
public:
    PeerMonitor(ssh_session session, const SshTimes& times, SshSenses senses);
    ~PeerMonitor();
    PeerMonitor(const PeerMonitor&) = delete;

    LinkState state() const { return m_state; }
    /// The silence after which the peer was given up.
    std::chrono::milliseconds silence() const
    {
        return std::chrono::milliseconds(m_silence.elapsed());
    }
    /// Updates the state; sends a probe if it is time for one.
    LinkState check();
    /// When the next check is due.
    std::chrono::milliseconds timeToCheck() const;

private:
    void probe();
    bool wasAway(std::chrono::milliseconds sinceLastCheck);
    std::chrono::milliseconds downAfter() const;

    ssh_session m_session;
    SshTimes m_times;
    SshSenses m_senses;
    LinkState m_state = LinkState::Up;
    ssh_counter_struct m_socketBytes{};
    ssh_counter_struct m_rawBytes{};
    quint64 m_seenBytes = 0;
    QElapsedTimer m_silence;
    QElapsedTimer m_checked; ///< since the last check
    bool m_probed = false;
    bool m_hasSlept = false; ///< and nothing was received since
    std::chrono::milliseconds m_slept;
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/ssh/linkgate.h"
#include "remote/ssh/sshhandles.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace slipway {

/// AgentFilter is a proxy between libssh and the SSH agent that passes only the keys that may be
/// offered, those of the configuration first: libssh 0.10 does not support IdentitiesOnly, and an
/// agent with many keys would use up the server's attempts. It also abandons an agent that never
/// answers when the gate is stopped; libssh itself would wait forever. Owned by the worker; has its
/// own thread, which does not use libssh.
class AgentFilter {
public:
    /// Called on the filter's own thread.
    struct Reports {
        std::function<void()> touch; ///< the agent signs with a key that wants to be touched
        std::function<void()> silent; ///< the agent did not answer and is abandoned
    };

    /// How long an agent may take for a list of its keys; tests shorten it.
    static inline std::atomic<std::chrono::milliseconds> patience{std::chrono::seconds(10)};

    /// `blobs` are the public keys of the configuration; with `only`, no other key passes.
    AgentFilter(LinkGate& gate, const QString& socket, QList<QByteArray> blobs, bool only,
        Reports reports = {});
    ~AgentFilter();

    /// False when no agent listens at the socket.
    bool running() const { return m_agent.valid(); }
    /// The socket end for ssh_set_agent_socket(), which takes ownership.
    int takeFd() { return m_near.release(); }

private:
    void relay();

    LinkGate& m_gate;
    QList<QByteArray> m_blobs;
    bool m_only;
    Reports m_reports;
    Fd m_agent;
    Fd m_near; // libssh's end
    Fd m_far; // ours
    std::atomic<bool> m_stop = false;
    std::thread m_thread;
};

} // namespace slipway

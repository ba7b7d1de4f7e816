// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/ssh/jumptunnel.h"
#include "remote/ssh/linkgate.h"
#include "remote/ssh/peermonitor.h"
#include "remote/ssh/route.h"
#include "remote/ssh/sshconfig.h"

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace slipway {

/// JumpRoute carries the bytes of a session through a direct-tcpip channel of another session,
/// that of the jump host, which it owns together with the route to that host, and those of further
/// connections to the same port through channels beside it. Its thread alone uses that session once
/// it has begun, and detects a jump host that is gone.
class JumpRoute : public Route {
public:
    /// The channel to `host` and `port` as seen from the jump host. `hop`: the jump host itself.
    /// Waits until the server has opened it or the gate is stopped. Called on the worker.
    static Result<std::unique_ptr<Route>> open(SessionHandle session, std::unique_ptr<Route> below,
        const ResolvedTarget& hop, const QString& host, int port, LinkGate& gate);
    ~JumpRoute() override;

    QString failure() const override;
    std::unique_ptr<Route> another(Fd near) override;

private:
    JumpRoute(SessionHandle session, std::unique_ptr<Route> below, const ResolvedTarget& hop,
        QString host, int port);

    Result<void> makeTunnel();
    Result<void> openTunnel(LinkGate& gate);
    void begin();
    void run();
    bool pump();
    bool pumpOthers();
    void wait(std::chrono::milliseconds time);
    void fail(const QString& why);

    ResolvedTarget m_hop;
    std::unique_ptr<Route> m_below;
    SessionHandle m_session;
    EventHandle m_event;
    QString m_host; ///< as the jump host knows it
    int m_port = 0;
    std::unique_ptr<JumpTunnel> m_tunnel; ///< of the session that this is the route of
    std::vector<std::unique_ptr<JumpTunnel>> m_others;
    std::unique_ptr<PeerMonitor> m_monitor;
    std::unique_ptr<char[]> m_scratch;
    bool m_ended = false;
    LinkGate m_gate; ///< only to stop and to wake the thread
    mutable std::mutex m_mutex;
    QString m_failure;
    std::vector<Fd> m_wanted; ///< sockets that the thread makes tunnels for
    std::thread m_thread;
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/ssh/linkgate.h"
#include "remote/ssh/peermonitor.h"
#include "remote/ssh/readwindow.h"
#include "remote/ssh/route.h"
#include "remote/ssh/sshconfig.h"

#include <QByteArray>

#include <memory>
#include <mutex>
#include <thread>

namespace slipway {

/// JumpRoute carries the bytes of a session through a direct-tcpip channel of another session,
/// that of the jump host, which it owns together with the route to that host. Its thread alone uses
/// that session once it has begun, and detects a jump host that is gone.
class JumpRoute : public Route {
public:
    /// The channel to `host` and `port` as seen from the jump host. `hop`: the jump host itself.
    /// Waits until the server has opened it or the gate is stopped. Called on the worker.
    static Result<std::unique_ptr<Route>> open(SessionHandle session, std::unique_ptr<Route> below,
        const ResolvedTarget& hop, const QString& host, int port, LinkGate& gate);
    ~JumpRoute() override;

    QString failure() const override;

private:
    JumpRoute(SessionHandle session, std::unique_ptr<Route> below, const ResolvedTarget& hop);

    Result<void> openChannel(const QString& host, int port, LinkGate& gate);
    Result<void> begin();
    void run();
    bool pump();
    bool readChannel();
    bool writeSocket();
    bool readSocket();
    bool writeChannel();
    void wait(std::chrono::milliseconds time);
    void fail(const QString& why);

    ResolvedTarget m_hop;
    std::unique_ptr<Route> m_below;
    SessionHandle m_session;
    EventHandle m_event;
    ChannelHandle m_channel;
    std::unique_ptr<PeerMonitor> m_monitor;
    ReadWindow m_window;
    std::unique_ptr<char[]> m_scratch;
    Fd m_near; ///< our end of the pair; the other one is the inner session's
    QByteArray m_toSocket;
    QByteArray m_toChannel;
    bool m_ended = false;
    LinkGate m_gate; ///< only to stop the thread
    mutable std::mutex m_mutex;
    QString m_failure;
    std::thread m_thread;
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/ssh/agentfilter.h"
#include "remote/ssh/knownhosts.h"
#include "remote/ssh/promptproxy.h"
#include "remote/ssh/route.h"
#include "remote/ssh/sshconfig.h"
#include "remote/ssh/sshhandles.h"

#include <QDeadlineTimer>

#include <poll.h>

namespace slipway {

/// Login establishes an authenticated session over a socket, in this order: key exchange, host key
/// (no secret is sent before it is checked), authentication. Runs on the worker, top to bottom; the
/// session is non-blocking, so that a stop request is noticed at once.
class Login {
public:
    /// `route` leads to the target, and outlives this; its socket is taken.
    Login(const ResolvedTarget& target, LinkGate& gate, PromptProxy& promptProxy, Route& route);
    ~Login();

    Result<SessionHandle> run();

private:
    Result<void> openSession();
    Result<void> verifyHostKey();
    Result<void> askUnknownKey(const HostKey& key);
    Result<void> checkRevocation(const HostKey& key);
    Result<void> askKnownHostsCommand(const HostKey& key);
    Result<void> authenticate();

    // One authentication method each; they return an SSH_AUTH_ code.
    int tryMethod(int method);
    int publicKeys();
    int agent();
    int keyFile(const QString& path, bool named);
    int certifiedKey(const QString& path, const QString& file);
    KeyHandle unlocked(const QString& path);
    int keyboardInteractive();
    int keyboardRounds(int attempt);
    void showTexts(const PromptRound& round);
    int password();

    /// Calls until libssh has an answer, within the step's deadline and until the gate is stopped.
    template <typename Call> int await(Call call, int again);
    Error failure(ErrorKind kind, const QString& what) const;
    Error authenticationError(int methods) const;
    Error cancelled() const;
    QList<QByteArray> configuredBlobs() const;

    const ResolvedTarget& m_target;
    LinkGate& m_gate;
    PromptProxy& m_promptProxy;
    Route& m_route;
    Fd m_socket; ///< until the session has it
    SessionHandle m_session;
    std::unique_ptr<AgentFilter> m_agent;
    KnownHosts m_knownHosts;
    QStringList m_tried; ///< for the error when all methods failed
    bool m_gaveUp = false; ///< the user cancelled a prompt
    bool m_wasAsked = false; ///< the keyboard-interactive dialogue had a prompt
    bool m_timedOut = false;
};

template <typename Call> int Login::await(Call call, int again)
{
    const QDeadlineTimer deadline(m_target.times.step);
    while (true) {
        const int rc = call();
        if (rc != again)
            return rc;
        auto* session = m_session.get();
        // After a disconnect by the server (for example after too many failures) libssh would
        // return “again” forever.
        if (ssh_get_status(session) & SSH_CLOSED_ERROR)
            return SSH_ERROR;
        const bool writing = ssh_get_poll_flags(session) & SSH_WRITE_PENDING;
        const auto time =
            std::chrono::milliseconds(std::min<qint64>(deadline.remainingTime(), 200));
        m_timedOut = deadline.hasExpired();
        if (m_timedOut
            || !m_gate.wait(ssh_get_fd(session), short(writing ? POLLIN | POLLOUT : POLLIN), time))
            return SSH_ERROR; // equals SSH_AUTH_ERROR
    }
}

} // namespace slipway

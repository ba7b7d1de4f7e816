// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/ssh/agentfilter.h"
#include "remote/ssh/knownhosts.h"
#include "remote/ssh/promptproxy.h"
#include "remote/ssh/sshconfig.h"
#include "remote/ssh/sshhandles.h"

namespace slipway {

/// Login establishes an authenticated session, in this order: TCP, key exchange, host key (no
/// secret is sent before it is checked), authentication. Runs on the worker, top to bottom; the
/// session is non-blocking, so that a stop request is noticed at once.
class Login {
public:
    Login(const ResolvedTarget& target, LinkGate& gate, PromptProxy& promptProxy);
    ~Login();

    Result<SessionHandle> run();

private:
    Result<void> openSession();
    Result<void> verifyHostKey();
    Result<void> askUnknownKey(const HostKey& key);
    Result<void> authenticate();

    // One authentication method each; they return an SSH_AUTH_ code.
    int tryMethod(int method);
    int publicKeys();
    int agent();
    int keyFile(const QString& path, bool named);
    KeyHandle unlocked(const QString& path);
    int keyboardInteractive();
    int keyboardRounds(int attempt);
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
    SessionHandle m_session;
    std::unique_ptr<AgentFilter> m_agent;
    KnownHosts m_knownHosts;
    QStringList m_tried; ///< for the error when all methods failed
    bool m_gaveUp = false; ///< the user cancelled a prompt
    bool m_timedOut = false;
};

} // namespace slipway

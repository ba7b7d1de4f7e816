// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/login.h"

#include "remote/base/tr.h"

#include <QFile>

namespace slipway {

namespace {

constexpr const char hostKeyTypes[] = "ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,"
                                      "ecdsa-sha2-nistp521,rsa-sha2-512,rsa-sha2-256";

bool cpuHasAes()
{
    QFile cpu(QStringLiteral("/proc/cpuinfo"));
    if (!cpu.open(QIODevice::ReadOnly))
        return true;
    const auto text = cpu.read(64 * 1024);
    return text.contains(" aes");
}

/// AES-GCM moves 1.4 times as much as ChaCha20 where the CPU has AES.
QByteArray ciphers()
{
    const QByteArray gcm("aes128-gcm@openssh.com,aes256-gcm@openssh.com");
    const QByteArray chacha("chacha20-poly1305@openssh.com");
    const QByteArray rest("aes256-ctr,aes192-ctr,aes128-ctr");
    return (cpuHasAes() ? gcm + ',' + chacha : chacha + ',' + gcm) + ',' + rest;
}

/// The algorithms of the known keys first, so that the server sends one of those.
QByteArray hostKeyOrder(const QList<QByteArray>& known)
{
    QList<QByteArray> first;
    QList<QByteArray> rest;
    for (const auto& algorithm : QByteArray(hostKeyTypes).split(',')) {
        const auto type = algorithm.startsWith("rsa-") ? QByteArray("ssh-rsa") : algorithm;
        (known.contains(type) ? first : rest).append(algorithm);
    }
    return (first + rest).join(',');
}

} // namespace

Login::Login(const ResolvedTarget& target, LinkGate& gate, PromptProxy& promptProxy, Route& route)
    : m_target(target)
    , m_gate(gate)
    , m_promptProxy(promptProxy)
    , m_route(route)
    , m_socket(route.takeSocket())
    , m_knownHosts(target.knownHostsFiles(), target.recordedAs, target.recordedPort())
{
}

Login::~Login() = default;

Result<SessionHandle> Login::run()
{
    for (const auto step : {&Login::openSession, &Login::verifyHostKey, &Login::authenticate})
        if (const auto done = (this->*step)(); !done.ok())
            return m_gate.stopping() ? cancelled() : done.error();
    return std::move(m_session);
}

Result<void> Login::openSession()
{
    m_session.reset(ssh_new());
    auto* session = m_session.get();
    const int no = 0;
    const int port = m_target.port;
    const socket_t fd = m_socket.get();
    const auto ciphersWanted = ciphers();
    ssh_options_set(session, SSH_OPTIONS_PROCESS_CONFIG, &no);
    ssh_options_set(session, SSH_OPTIONS_HOST, m_target.host.toUtf8().constData());
    ssh_options_set(session, SSH_OPTIONS_PORT, &port);
    ssh_options_set(session, SSH_OPTIONS_KNOWNHOSTS, "/dev/null"); // checked below instead
    ssh_options_set(session, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null");
    ssh_options_set(session, SSH_OPTIONS_HOSTKEYS, hostKeyOrder(m_knownHosts.types()).constData());
    ssh_options_set(session, SSH_OPTIONS_CIPHERS_C_S, ciphersWanted.constData());
    ssh_options_set(session, SSH_OPTIONS_CIPHERS_S_C, ciphersWanted.constData());
    if (ssh_options_set(session, SSH_OPTIONS_USER, m_target.user.toUtf8().constData()) != SSH_OK)
        return Error{ErrorKind::Invalid, tr("“%1” is not a user name.").arg(m_target.user)};
    ssh_options_set(session, SSH_OPTIONS_FD, &fd);
    ssh_set_blocking(session, 0);
    const int connected = await(
        [&] {
            const int rc = ssh_connect(session);
            if (ssh_get_fd(session) == fd)
                m_socket.release(); // from now on it is closed by the session
            return rc;
        },
        SSH_AGAIN);
    if (connected == SSH_OK)
        return {};
    if (m_timedOut)
        return failure(ErrorKind::Timeout,
            tr("%1 accepts connections but does not answer as an SSH server.").arg(m_target.host));
    return failure(ErrorKind::Network,
        tr("%1 and this computer could not agree on a secure connection.").arg(m_target.host));
}

Error Login::failure(ErrorKind kind, const QString& what) const
{
    return {kind, what, tr("Try `ssh %1` in a terminal to compare.").arg(m_target.alias),
        QByteArray(ssh_get_error(m_session.get()))};
}

Error Login::cancelled() const
{
    return {ErrorKind::Cancelled, tr("The login to %1 was cancelled.").arg(m_target.host)};
}

} // namespace slipway

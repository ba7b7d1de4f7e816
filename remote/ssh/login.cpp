// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/login.h"

#include "remote/base/tr.h"

#include "remote/ssh/tcpconnect.h"

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

Result<HostKey> shownKey(ssh_session session)
{
    ssh_key raw = nullptr;
    if (ssh_get_server_publickey(session, &raw) != SSH_OK)
        return Error{ErrorKind::HostKey, tr("The server sent no host key.")};
    const KeyHandle key(raw);
    char* text = nullptr;
    if (ssh_pki_export_pubkey_base64(key.get(), &text) != SSH_OK)
        return Error{ErrorKind::HostKey, tr("The server's host key could not be read.")};
    const QByteArray base64(text);
    ssh_string_free_char(text);
    return HostKey{ssh_key_type_to_char(ssh_key_type(key.get())), base64};
}

} // namespace

Login::Login(const ResolvedTarget& target, LinkGate& gate, PromptProxy& promptProxy)
    : m_target(target)
    , m_gate(gate)
    , m_promptProxy(promptProxy)
    , m_knownHosts(target.knownHostsFiles(), target.recordedAs, target.recordedPort())
{
}

Login::~Login() = default;

Result<SessionHandle> Login::run()
{
    if (!m_target.hops.isEmpty() || !m_target.proxyCommand.isEmpty())
        return Error{ErrorKind::Unsupported,
            m_target.hops.isEmpty()
                ? tr("%1 is configured with a ProxyCommand (%2), which is not supported yet.")
                      .arg(m_target.alias, m_target.proxyCommand)
                : tr("%1 is configured with a jump host (%2), which is not supported yet.")
                      .arg(m_target.alias, m_target.hops.join(u',')),
            tr("Start Slipway on a machine that reaches %1 directly, or open a tunnel with "
               "ssh -L in a terminal and connect to that.")
                .arg(m_target.host)};
    for (const auto step : {&Login::openSession, &Login::verifyHostKey, &Login::authenticate})
        if (const auto done = (this->*step)(); !done.ok())
            return m_gate.stopping() ? cancelled() : done.error();
    return std::move(m_session);
}

Result<void> Login::openSession()
{
    auto socket = connectTcp(m_target, m_gate);
    if (!socket.ok())
        return socket.error();
    m_session.reset(ssh_new());
    auto* session = m_session.get();
    const int no = 0;
    const int port = m_target.port;
    const socket_t fd = socket->get();
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
                socket->release(); // from now on it is closed by the session
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

Result<void> Login::verifyHostKey()
{
    const auto key = shownKey(m_session.get());
    if (!key.ok())
        return key.error();
    const auto judged = m_knownHosts.judge(*key);
    const auto record =
        QString::fromUtf8(KnownHosts::recordName(m_target.recordedAs, m_target.recordedPort()));
    const auto where = tr("%1, line %2").arg(judged.file).arg(judged.line);
    Error error{ErrorKind::HostKey, {},
        tr("Ask the cluster's administrators whether the key has changed. If they confirm the "
           "new one, remove the old one with\n    ssh-keygen -f %1 -R '%2'\nand connect again.")
            .arg(judged.file, record)};
    switch (judged.verdict) {
    case KnownHosts::Verdict::Known:
        return {};
    case KnownHosts::Verdict::Unknown:
        return askUnknownKey(*key);
    case KnownHosts::Verdict::Changed:
        error.summary = tr("The host key of %1 has changed: it is %2 (%3), but %4 has a different "
                           "one. Someone may be intercepting the connection; no secret was sent.")
                            .arg(record, key->sha256(), QString::fromUtf8(key->type), where);
        return error;
    case KnownHosts::Verdict::OtherType:
        error.summary =
            tr("%1 has a host key of type %2 (%3), but %4 has one of type %5. No secret was sent.")
                .arg(record, QString::fromUtf8(key->type), key->sha256(), where,
                    QString::fromUtf8(judged.type));
        return error;
    case KnownHosts::Verdict::Revoked:
        break;
    }
    error.summary = tr("%1 has a host key that is marked as revoked in %2. No secret was sent.")
                        .arg(record, where);
    error.remedy = tr("Do not connect to this host. Ask the cluster's administrators.");
    return error;
}

Result<void> Login::askUnknownKey(const HostKey& key)
{
    const auto type = QString::fromUtf8(key.type);
    if (m_target.strictHostKeyChecking == u"yes" || m_target.strictHostKeyChecking == u"true")
        return Error{ErrorKind::HostKey,
            tr("The host key of %1 is not known, and StrictHostKeyChecking is on.")
                .arg(m_target.host),
            tr("Add the key to the known hosts first, or set StrictHostKeyChecking to ask.")};
    if (m_target.strictHostKeyChecking != u"accept-new"
        && !m_promptProxy.acceptHostKey({m_target.recordedAs, m_target.port, type, key.sha256()}))
        return Error{ErrorKind::HostKey,
            tr("The host key of %1 (%2, %3) was not accepted, so nothing was sent.")
                .arg(m_target.host, type, key.sha256()),
            tr("Compare the fingerprint with the one that the cluster publishes, then "
               "connect again.")};
    if (m_target.userKnownHosts.isEmpty())
        return {};
    return KnownHosts::append(
        m_target.userKnownHosts.first(), m_target.recordedAs, m_target.recordedPort(), key);
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

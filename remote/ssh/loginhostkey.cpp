// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/login.h"

#include "remote/base/tr.h"
#include "remote/ssh/approvedcommands.h"
#include "remote/ssh/configtokens.h"
#include "remote/ssh/hostcertificate.h"
#include "remote/ssh/localcommand.h"

#include <QDir>
#include <QFile>
#include <QProcess>

using namespace std::chrono_literals;

namespace slipway {

namespace {

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

Result<void> Login::verifyHostKey()
{
    const auto key = shownKey(m_session.get());
    if (!key.ok())
        return key.error();
    if (const auto revoked = checkRevocation(*key); !revoked.ok())
        return revoked.error();
    auto judged = m_knownHosts.judge(*key);
    if (judged.verdict != KnownHosts::Verdict::Known
        && judged.verdict != KnownHosts::Verdict::Revoked) {
        if (const auto more = askKnownHostsCommand(*key); !more.ok())
            return more.error();
        judged = m_knownHosts.judge(*key);
    }
    if (judged.verdict == KnownHosts::Verdict::Unknown && m_target.recordedPort() != 22) {
        // As ssh does: a key that is known without the port is good for every port.
        const KnownHosts bare(m_target.knownHostsFiles(), m_target.recordedAs, 22);
        if (bare.judge(*key).verdict == KnownHosts::Verdict::Known)
            return {};
    }
    const bool unknown = judged.verdict == KnownHosts::Verdict::Unknown
        || judged.verdict == KnownHosts::Verdict::OtherType;
    if (const auto authorities = m_knownHosts.authorities(); unknown && !authorities.empty()) {
        const auto certified = checkHostCertificate(m_target, *key, authorities, m_gate, m_route);
        if (certified.ok())
            return {};
        m_promptProxy.showNotice(certified.error().summary);
    }
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
    static const QStringList acceptsNew{QStringLiteral("accept-new"), QStringLiteral("no"),
        QStringLiteral("off"), QStringLiteral("false")};
    if (!acceptsNew.contains(m_target.strictHostKeyChecking)
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

/// RevokedHostKeys of ssh_config(5): a list of keys, or a key revocation list. As for ssh, a file
/// that cannot be read revokes everything.
Result<void> Login::checkRevocation(const HostKey& key)
{
    if (m_target.revokedHostKeys.isEmpty())
        return {};
    Error error{ErrorKind::HostKey,
        tr("%1 has a host key that is revoked by %2. No secret was sent.")
            .arg(m_target.host, m_target.revokedHostKeys),
        tr("Do not connect to this host. Ask the cluster's administrators.")};
    QFile file(m_target.revokedHostKeys);
    if (!file.open(QIODevice::ReadOnly)) {
        error.summary = tr("The list of revoked host keys %1 cannot be read, so %2 is not trusted.")
                            .arg(m_target.revokedHostKeys, m_target.host);
        error.remedy = tr("Correct RevokedHostKeys in the SSH configuration.");
        return error;
    }
    constexpr qint64 longestList = 64 * 1024 * 1024;
    const QByteArray list = file.read(longestList);
    if (!list.startsWith("SSHKRL\n"))
        return KnownHosts::isRevokedBy(list, key) ? Result<void>(error) : Result<void>();
    const auto asked = runLocally(QStringLiteral("ssh-keygen"),
        {QStringLiteral("-Q"), QStringLiteral("-f"), m_target.revokedHostKeys, QStringLiteral("-")},
        QByteArray(key.type + ' ' + key.base64 + '\n'), m_gate, 20s);
    if (asked.ok() && asked->exitCode == 0)
        return {};
    error.detail = asked.ok() ? QByteArray(asked->out + asked->err) : asked.error().detail;
    return error;
}

/// KnownHostsCommand of ssh_config(5): it prints lines of known hosts for this key.
Result<void> Login::askKnownHostsCommand(const HostKey& key)
{
    if (m_target.knownHostsCommand.isEmpty())
        return {};
    const CommandQuestion question{
        m_target.alias, QStringLiteral("KnownHostsCommand"), m_target.knownHostsCommand};
    const ApprovedCommands approved(m_target.approvedCommands);
    if (!approved.isApproved(question)) {
        if (!m_promptProxy.acceptCommand(question))
            return Error{ErrorKind::Refused,
                tr("The KnownHostsCommand for %1 was not run: “%2”.")
                    .arg(m_target.alias, m_target.knownHostsCommand),
                tr("Connect again and allow it, or change the SSH configuration.")};
        if (const auto kept = approved.approve(question); !kept.ok())
            m_promptProxy.showNotice(kept.error().summary);
    }
    ConfigTokens tokens = tokensOf(m_target, QDir::homePath());
    tokens.insert(u'H',
        QString::fromUtf8(KnownHosts::recordName(m_target.recordedAs, m_target.recordedPort())));
    tokens.insert(u'I', QStringLiteral("HOSTNAME"));
    tokens.insert(u'K', QString::fromUtf8(key.base64));
    tokens.insert(u't', QString::fromUtf8(key.type));
    tokens.insert(u'f', key.sha256());
    // Split before the tokens are expanded: what they stand for is one word each.
    QStringList words = QProcess::splitCommand(m_target.knownHostsCommand);
    for (QString& word : words) {
        const auto expanded = withTokens(word, tokens, question.option);
        if (!expanded.ok())
            return expanded.error();
        word = *expanded;
    }
    const auto said =
        runLocally(words.value(0), words.mid(1), {}, m_gate, std::chrono::milliseconds(20s));
    if (!said.ok())
        return said.error();
    m_knownHosts.addLines(said->out, question.option);
    return {};
}

} // namespace slipway

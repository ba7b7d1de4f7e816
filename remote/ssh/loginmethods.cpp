// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/login.h"

#include "remote/base/tr.h"

#include <QFile>
#include <QFileInfo>
#include <QtEndian>

#include <vector>

namespace slipway {

namespace {

constexpr int attempts = 3; ///< of a passphrase
constexpr int longestDialogue = 32; ///< rounds of one keyboard-interactive attempt
constexpr qsizetype longestBanner = 64 * 1024;
constexpr qsizetype longestApproval = 2000; ///< it is shown as one sentence is

QString methodNames(int methods)
{
    QStringList names;
    if (methods & SSH_AUTH_METHOD_PUBLICKEY)
        names << tr("a key");
    if (methods & SSH_AUTH_METHOD_INTERACTIVE)
        names << tr("keyboard-interactive authentication");
    if (methods & SSH_AUTH_METHOD_PASSWORD)
        names << tr("a password");
    if (methods & SSH_AUTH_METHOD_GSSAPI_MIC)
        names << QStringLiteral("Kerberos");
    if (methods & SSH_AUTH_METHOD_HOSTBASED)
        names << tr("host-based authentication");
    return names.isEmpty() ? tr("no method that Slipway supports")
                           : names.join(QStringLiteral(", "));
}

KeyHandle publicPart(const QString& path)
{
    ssh_key raw = nullptr;
    const auto file = QFile::encodeName(path + QStringLiteral(".pub"));
    return KeyHandle(ssh_pki_import_pubkey_file(file.constData(), &raw) == SSH_OK ? raw : nullptr);
}

std::vector<int> wantedMethods(const ResolvedTarget& target)
{
    std::vector<int> methods;
    for (const QString& name : target.methods)
        methods.push_back(name == u"publickey" ? SSH_AUTH_METHOD_PUBLICKEY
                : name == u"password"          ? SSH_AUTH_METHOD_PASSWORD
                                               : SSH_AUTH_METHOD_INTERACTIVE);
    return methods;
}

QByteArray blobOf(ssh_key key)
{
    char* text = nullptr;
    if (!key || ssh_pki_export_pubkey_base64(key, &text) != SSH_OK)
        return {};
    const auto blob = QByteArray::fromBase64(text);
    ssh_string_free_char(text);
    return blob;
}

KeyHandle certificate(const QString& path)
{
    ssh_key raw = nullptr;
    const auto file = QFile::encodeName(path);
    return KeyHandle(ssh_pki_import_cert_file(file.constData(), &raw) == SSH_OK ? raw : nullptr);
}

/// The files that may certify this key, or any key: those of CertificateFile, and the one beside
/// the key.
QStringList certificatesFor(const ResolvedTarget& target, const QString& key)
{
    QStringList files = target.certificates;
    const QStringList keys =
        key.isEmpty() ? QStringList(target.firstIdentities + target.identities) : QStringList{key};
    for (const QString& path : keys)
        if (const QString beside = path + QStringLiteral("-cert.pub");
            QFileInfo(beside).isReadable() && !files.contains(beside))
            files << beside;
    return files;
}

/// The length of the SSH string at the beginning of `bytes`, its own four bytes included.
qsizetype stringLength(const QByteArray& bytes)
{
    return bytes.size() < 4 ? bytes.size() : 4 + qsizetype(qFromBigEndian<quint32>(bytes.data()));
}

/// Whether a certificate is for this key: after its type and a nonce it holds the parts of the key
/// (PROTOCOL.certkeys of OpenSSH). libssh takes them for keys of different types.
bool certifiesKey(const QByteArray& certificateBlob, const QByteArray& keyBlob)
{
    const QByteArray parts = keyBlob.mid(stringLength(keyBlob));
    const QByteArray afterType = certificateBlob.mid(stringLength(certificateBlob));
    return !parts.isEmpty() && afterType.mid(stringLength(afterType)).startsWith(parts);
}

} // namespace

Result<void> Login::authenticate()
{
    auto* session = m_session.get();
    int rc = await([&] { return ssh_userauth_none(session, nullptr); }, SSH_AUTH_AGAIN);
    if (char* banner = ssh_get_issue_banner(session)) {
        m_promptProxy.showBanner(QString::fromUtf8(QByteArray(banner).left(longestBanner)));
        ssh_string_free_char(banner);
    }
    int spent = 0;
    while (rc != SSH_AUTH_SUCCESS) {
        if (m_gaveUp || m_gate.stopping())
            return cancelled();
        if (rc == SSH_AUTH_ERROR || !ssh_is_connected(session))
            return failure(m_timedOut ? ErrorKind::Timeout : ErrorKind::Authentication,
                m_timedOut ? tr("%1 stopped answering while logging in.").arg(m_target.host)
                           : tr("%1 ended the login of %2.").arg(m_target.host, m_target.user));
        if (rc == SSH_AUTH_PARTIAL)
            spent &= SSH_AUTH_METHOD_PUBLICKEY; // one factor is done; another round may follow
        const int methods = ssh_userauth_list(session, nullptr);
        int next = 0;
        for (const int method : wantedMethods(m_target))
            if (!next && (methods & method) && !(spent & method))
                next = method;
        if (!next)
            return authenticationError(methods);
        spent |= next;
        rc = tryMethod(next);
    }
    return {};
}

int Login::tryMethod(int method)
{
    if (method == SSH_AUTH_METHOD_PUBLICKEY)
        return publicKeys();
    return method == SSH_AUTH_METHOD_INTERACTIVE ? keyboardInteractive() : password();
}

Error Login::authenticationError(int methods) const
{
    const auto tried = m_tried.isEmpty()
        ? tr("no key was found here")
        : QStringLiteral("tried: ") + m_tried.join(QStringLiteral(", "));
    // Where the server accepts no keys, a message about keys would mislead.
    const bool keys = (methods & SSH_AUTH_METHOD_PUBLICKEY) || methods == 0;
    return {ErrorKind::Authentication,
        tr("%1 refused the login of %2 (%3). It accepts %4.")
            .arg(m_target.host, m_target.user, tried, methodNames(methods)),
        keys ? tr("Check the user name, and that this computer's public key is registered with the "
                  "cluster.")
             : tr("Check the user name, the password and, if one is required, the one-time code: "
                  "it changes every 30 seconds."),
        QByteArray(ssh_get_error(m_session.get()))};
}

int Login::publicKeys()
{
    int rc = SSH_AUTH_DENIED;
    const auto goOn = [&] { return rc == SSH_AUTH_DENIED && !m_gaveUp && !m_gate.stopping(); };
    for (const auto& path : m_target.firstIdentities)
        if (goOn())
            rc = keyFile(path, true);
    if (goOn())
        rc = agent();
    for (const auto& path : m_target.identities)
        if (goOn() && !m_target.firstIdentities.contains(path))
            rc = keyFile(path, false);
    return rc;
}

QList<QByteArray> Login::configuredBlobs() const
{
    QList<QByteArray> blobs;
    for (const auto& path : m_target.firstIdentities + m_target.identities)
        if (const auto blob = blobOf(publicPart(path).get()); !blob.isEmpty())
            blobs.append(blob);
    for (const auto& path : certificatesFor(m_target, {}))
        if (const auto blob = blobOf(certificate(path).get()); !blob.isEmpty())
            blobs.append(blob);
    return blobs;
}

int Login::agent()
{
    if (m_target.agentSocket.isEmpty())
        return SSH_AUTH_DENIED;
    AgentFilter::Reports reports;
    reports.touch = [this] {
        m_promptProxy.noteApproval(
            tr("Touch your security key to log in to %1.").arg(m_target.host));
    };
    reports.silent = [this] {
        m_promptProxy.showNotice(tr("The SSH agent does not answer; going on without it."));
    };
    m_agent = std::make_unique<AgentFilter>(m_gate, m_target.agentSocket, configuredBlobs(),
        m_target.identitiesOnly, std::move(reports));
    if (!m_agent->running())
        return SSH_AUTH_DENIED;
    m_tried << tr("the SSH agent");
    ssh_set_agent_socket(m_session.get(), m_agent->takeFd());
    const int rc =
        await([&] { return ssh_userauth_agent(m_session.get(), nullptr); }, SSH_AUTH_AGAIN);
    // If the agent fails, the keys in files are still tried.
    return rc == SSH_AUTH_ERROR && ssh_is_connected(m_session.get()) && !m_timedOut
        ? int(SSH_AUTH_DENIED)
        : rc;
}

int Login::keyFile(const QString& path, bool named)
{
    if (!QFileInfo(path).isReadable()) {
        if (named)
            m_tried << tr("%1 (cannot be read)").arg(path);
        return SSH_AUTH_DENIED;
    }
    auto* session = m_session.get();
    for (const auto& file : certificatesFor(m_target, path))
        if (const int rc = certifiedKey(path, file); rc != SSH_AUTH_DENIED)
            return rc;
    m_tried << path;
    // The public half first: the passphrase is only requested if the server would accept the key.
    if (const auto key = publicPart(path)) {
        const int rc =
            await([&] { return ssh_userauth_try_publickey(session, nullptr, key.get()); },
                SSH_AUTH_AGAIN);
        if (rc != SSH_AUTH_SUCCESS)
            return rc;
    }
    const auto key = unlocked(path);
    if (!key)
        return SSH_AUTH_DENIED;
    return await(
        [&] { return ssh_userauth_publickey(session, nullptr, key.get()); }, SSH_AUTH_AGAIN);
}

/// The key with one of its certificates, if the server would take that.
int Login::certifiedKey(const QString& path, const QString& file)
{
    auto* session = m_session.get();
    const auto cert = certificate(file);
    const auto publicKey = publicPart(path);
    if (!cert || (publicKey && !certifiesKey(blobOf(cert.get()), blobOf(publicKey.get()))))
        return SSH_AUTH_DENIED; // it certifies another key
    m_tried << file;
    const int offered = await(
        [&] { return ssh_userauth_try_publickey(session, nullptr, cert.get()); }, SSH_AUTH_AGAIN);
    if (offered != SSH_AUTH_SUCCESS)
        return offered;
    const auto key = unlocked(path);
    if (!key || ssh_pki_copy_cert_to_privkey(cert.get(), key.get()) != SSH_OK)
        return SSH_AUTH_DENIED;
    return await(
        [&] { return ssh_userauth_publickey(session, nullptr, key.get()); }, SSH_AUTH_AGAIN);
}

KeyHandle Login::unlocked(const QString& path)
{
    const auto file = QFile::encodeName(path);
    ssh_key raw = nullptr;
    // An empty passphrase, not a null one, with which libssh might prompt on the terminal.
    if (ssh_pki_import_privkey_file(file.constData(), "", nullptr, nullptr, &raw) == SSH_OK)
        return KeyHandle(raw);
    for (int attempt = 1; attempt <= attempts; ++attempt) {
        PromptRound round{PromptRound::Kind::Passphrase, m_target.host, m_target.user, path, {}, {},
            {{tr("Passphrase for %1").arg(path), false}}, attempt};
        const auto answer = m_promptProxy.answer(round);
        if (!answer) {
            m_gaveUp = true;
            return nullptr;
        }
        auto passphrase = answer->value(0).toUtf8();
        const int rc = ssh_pki_import_privkey_file(
            file.constData(), passphrase.constData(), nullptr, nullptr, &raw);
        passphrase.fill('\0');
        if (rc == SSH_OK)
            return KeyHandle(raw);
    }
    m_tried.last() += tr(" (wrong passphrase)");
    return nullptr;
}

int Login::keyboardInteractive()
{
    m_tried << tr("keyboard-interactive");
    m_wasAsked = true;
    int rc = SSH_AUTH_DENIED;
    for (int attempt = 1;
         attempt <= m_target.passwordPrompts && rc == SSH_AUTH_DENIED && !m_gaveUp && m_wasAsked;
         ++attempt)
        rc = keyboardRounds(attempt);
    return rc;
}

/// A dialogue that asked for nothing is not begun again by itself: it may have sent a request to a
/// phone.
int Login::keyboardRounds(int attempt)
{
    m_wasAsked = false;
    auto* session = m_session.get();
    const auto call = [&] { return ssh_userauth_kbdint(session, nullptr, nullptr); };
    int rc = await(call, SSH_AUTH_AGAIN);
    for (int rounds = 0; rc == SSH_AUTH_INFO && rounds < longestDialogue; ++rounds) {
        PromptRound round;
        round.host = m_target.host;
        round.user = m_target.user;
        round.title = QString::fromUtf8(ssh_userauth_kbdint_getname(session));
        round.instruction = QString::fromUtf8(ssh_userauth_kbdint_getinstruction(session));
        round.attempt =
            rounds == 0 ? attempt : 1; // the refusal is shown once, before the first prompt
        const int prompts = std::min(ssh_userauth_kbdint_getnprompts(session), longestDialogue);
        for (int i = 0; i < prompts; ++i) {
            char echo = 0;
            const char* text = ssh_userauth_kbdint_getprompt(session, unsigned(i), &echo);
            round.prompts.push_back({QString::fromUtf8(text), echo != 0});
        }
        m_wasAsked |= prompts > 0;
        if (prompts == 0)
            showTexts(round);
        const auto answers =
            prompts == 0 ? std::optional(QStringList()) : m_promptProxy.answer(round);
        if (!answers) {
            m_gaveUp = true;
            return SSH_AUTH_DENIED;
        }
        for (int i = 0; i < prompts; ++i)
            ssh_userauth_kbdint_setanswer(
                session, unsigned(i), answers->value(i).toUtf8().constData());
        rc = await(call, SSH_AUTH_AGAIN);
    }
    if (rc != SSH_AUTH_INFO)
        return rc;
    m_wasAsked = false; // it would go on for ever
    return SSH_AUTH_DENIED;
}

/// A round without prompts needs no answer. Its text says what the server waits for or has waited
/// for, mostly the approval on a phone.
void Login::showTexts(const PromptRound& round)
{
    const QString both = round.title.trimmed() + u'\n' + round.instruction.trimmed();
    const QString text = both.trimmed().left(longestApproval);
    if (!text.isEmpty())
        m_promptProxy.noteApproval(text);
}

int Login::password()
{
    auto* session = m_session.get();
    m_tried << tr("a password");
    int rc = SSH_AUTH_DENIED;
    for (int attempt = 1; attempt <= m_target.passwordPrompts && rc == SSH_AUTH_DENIED; ++attempt) {
        const auto text = tr("Password of %1 on %2").arg(m_target.user, m_target.host);
        PromptRound round{PromptRound::Kind::Password, m_target.host, m_target.user, {}, {}, {},
            {{text, false}}, attempt};
        const auto answer = m_promptProxy.answer(round);
        if (!answer) {
            m_gaveUp = true;
            return SSH_AUTH_DENIED;
        }
        auto secret = answer->value(0).toUtf8();
        rc = await([&] { return ssh_userauth_password(session, nullptr, secret.constData()); },
            SSH_AUTH_AGAIN);
        secret.fill('\0');
    }
    return rc;
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/hostcertificate.h"

#include "remote/base/tr.h"
#include "remote/ssh/localcommand.h"
#include "remote/ssh/loopbackport.h"

#include <QRegularExpression>

#include <algorithm>

using namespace std::chrono_literals;

namespace slipway {

namespace {

Error certificateError(const QString& why)
{
    return {ErrorKind::HostKey, why, tr("Ask the cluster's administrators.")};
}

QString fingerprintIn(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("SHA256:[A-Za-z0-9+/]{43}"));
    return form.match(text).captured(0);
}

/// "ssh-ed25519" as ssh-keyscan names types.
QString scanType(const QByteArray& type)
{
    return type.startsWith("ecdsa-") ? QStringLiteral("ecdsa")
        : type == "ssh-rsa"          ? QStringLiteral("rsa")
                                     : QStringLiteral("ed25519");
}

/// The times are those of this computer's zone, as ssh-keygen prints them. False: it is not clear
/// when it is valid.
bool readValidity(const QString& text, HostCertificate* certificate)
{
    static const QRegularExpression limit(
        QStringLiteral(R"((from|to|after|before) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d))"));
    QStringList words;
    for (auto it = limit.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        const auto time = QDateTime::fromString(match.captured(2), Qt::ISODate);
        if (!time.isValid())
            return false;
        words << match.captured(1);
        const bool begins = words.last() == u"from" || words.last() == u"after";
        (begins ? certificate->from : certificate->until) = time;
    }
    static const QStringList known{
        QStringLiteral("after"), QStringLiteral("before"), QStringLiteral("from to")};
    return text == u"forever" || known.contains(words.join(u' '));
}

/// False: it is not what ssh-keygen prints.
bool readHeading(const QString& name, const QString& value, HostCertificate* certificate)
{
    if (name == u"Type")
        certificate->isForHosts = value.endsWith(QStringLiteral("host certificate"));
    else if (name == u"Public key")
        certificate->key = fingerprintIn(value);
    else if (name == u"Signing CA")
        certificate->authority = fingerprintIn(value);
    else if (name == u"Critical Options")
        certificate->hasCriticalOptions = value != u"(none)";
    else if (name == u"Valid")
        return readValidity(value, certificate);
    return true;
}

/// What ssh-keyscan prints of the target's certificates for a key of that type. It connects to an
/// address and knows of no jump hosts: for those it gets a port of this computer.
Result<LocalOutput> scan(
    const ResolvedTarget& target, const HostKey& key, LinkGate& gate, Route& route)
{
    std::unique_ptr<Route> other;
    std::unique_ptr<LoopbackPort> port; // ends before what it fills
    if (!target.via.empty() || !target.proxyCommand.isEmpty()) {
        auto opened = LoopbackPort::open([&](Fd near) { other = route.another(std::move(near)); });
        if (!opened.ok())
            return opened.error();
        port = std::move(*opened);
    }
    return runLocally(QStringLiteral("ssh-keyscan"),
        {QStringLiteral("-c"), QStringLiteral("-T"), QStringLiteral("10"), QStringLiteral("-p"),
            QString::number(port ? port->number() : target.port), QStringLiteral("-t"),
            scanType(key.type), QStringLiteral("--"),
            port ? QStringLiteral("127.0.0.1") : target.host},
        {}, gate, 20s);
}

} // namespace

std::optional<HostCertificate> readCertificate(const QByteArray& printed)
{
    static const QStringList headings{QStringLiteral("Type"), QStringLiteral("Public key"),
        QStringLiteral("Signing CA"), QStringLiteral("Key ID"), QStringLiteral("Serial"),
        QStringLiteral("Valid"), QStringLiteral("Principals"), QStringLiteral("Critical Options"),
        QStringLiteral("Extensions")};
    HostCertificate certificate;
    QStringList seen;
    bool isForAnyHost = false;
    for (const QString& line : QString::fromUtf8(printed).split(u'\n')) {
        const QString text = line.trimmed();
        const auto colon = text.indexOf(u':');
        if (const QString name = text.left(colon); colon > 0 && headings.contains(name)) {
            // A key ID may have several lines, and whoever made the certificate has chosen them.
            const QString value = text.mid(colon + 1).trimmed();
            if (seen.contains(name) || !readHeading(name, value, &certificate))
                return std::nullopt;
            seen << name;
            isForAnyHost = isForAnyHost || (name == u"Principals" && value == u"(none)");
        } else if (!text.isEmpty() && !seen.isEmpty() && seen.last() == u"Principals") {
            certificate.principals << text;
        }
    }
    if (certificate.key.isEmpty() || certificate.authority.isEmpty()
        || seen.size() != headings.size() || certificate.principals.isEmpty() != isForAnyHost)
        return std::nullopt;
    return certificate;
}

Result<void> certifies(const HostCertificate& certificate, const HostKey& key, const QString& host,
    const std::vector<HostKey>& authorities, const QDateTime& now)
{
    const bool trusted = std::any_of(authorities.begin(), authorities.end(),
        [&](const HostKey& one) { return one.sha256() == certificate.authority; });
    const QByteArray name = host.toLower().toUtf8();
    const bool named = certificate.principals.isEmpty()
        || std::any_of(certificate.principals.begin(), certificate.principals.end(),
            [&](const QString& one) { return knownHostMatches(one.toUtf8(), name); });
    if (!certificate.isForHosts || certificate.hasCriticalOptions)
        return certificateError(tr("The certificate of %1 is not one for hosts.").arg(host));
    if (!trusted)
        return certificateError(
            tr("The certificate of %1 is signed by an authority that is not known here.")
                .arg(host));
    if (certificate.key != key.sha256())
        return certificateError(tr("The certificate of %1 is for another key.").arg(host));
    if (!named)
        return certificateError(tr("The certificate of %1 is for other hosts (%2).")
                                    .arg(host, certificate.principals.join(QStringLiteral(", "))));
    if ((certificate.from.isValid() && now < certificate.from)
        || (certificate.until.isValid() && now >= certificate.until))
        return certificateError(tr("The certificate of %1 is not valid now.").arg(host));
    return {};
}

Result<void> checkHostCertificate(const ResolvedTarget& target, const HostKey& key,
    const std::vector<HostKey>& authorities, LinkGate& gate, Route& route)
{
    const auto scanned = scan(target, key, gate, route);
    if (!scanned.ok())
        return scanned.error();
    for (const QByteArray& line : scanned->out.split('\n')) {
        // "TYPE KEY", without the host that it prints before other keys.
        auto fields = line.simplified().split(' ');
        while (!fields.isEmpty() && !fields.first().contains("-cert-v01@"))
            fields.removeFirst();
        if (fields.size() < 2)
            continue;
        const auto printed = runLocally(QStringLiteral("ssh-keygen"),
            {QStringLiteral("-L"), QStringLiteral("-f"), QStringLiteral("-")},
            QByteArray(fields[0] + ' ' + fields[1] + '\n'), gate, 20s);
        if (!printed.ok())
            return printed.error();
        const auto certificate = readCertificate(printed->out);
        if (printed->exitCode == 0 && certificate)
            return certifies(
                *certificate, key, target.recordedAs, authorities, QDateTime::currentDateTime());
    }
    return certificateError(tr("%1 shows no certificate.").arg(target.recordedAs));
}

} // namespace slipway

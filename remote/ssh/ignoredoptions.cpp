// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/ignoredoptions.h"

#include "remote/ssh/resolvedtarget.h"

#include <QMap>
#include <QSet>

namespace slipway {

namespace {

/// An option's values with which ssh does what is done here as well.
using Values = QMap<QString, QStringList>;

const QStringList& no()
{
    static const QStringList values{
        QStringLiteral("no"), QStringLiteral("false"), QStringLiteral("none")};
    return values;
}

/// Options that are off unless somebody wants them: said whoever set them.
const Values& unusual()
{
    static const Values values{{QStringLiteral("bindaddress"), no()},
        {QStringLiteral("bindinterface"), no()}, {QStringLiteral("dynamicforward"), no()},
        {QStringLiteral("forwardagent"), no()}, {QStringLiteral("forwardx11"), no()},
        {QStringLiteral("hostbasedauthentication"), no()}, {QStringLiteral("localcommand"), no()},
        {QStringLiteral("localforward"), no()}, {QStringLiteral("pkcs11provider"), no()},
        {QStringLiteral("proxyusefdpass"), no()}, {QStringLiteral("remotecommand"), no()},
        {QStringLiteral("remoteforward"), no()},
        {QStringLiteral("securitykeyprovider"), QStringList{QStringLiteral("internal")}},
        {QStringLiteral("tunnel"), no()}, {QStringLiteral("verifyhostkeydns"), no()}};
    return values;
}

/// Options whose defaults depend on the release of OpenSSH, or that a distribution sets for
/// everybody: said when the person set them. What concerns the text on a terminal alone
/// (EscapeChar, LogLevel, VisualHostKey), details of what is said as a whole (ForwardX11Timeout,
/// HostbasedAcceptedAlgorithms), and what `ssh -G` has already applied (CanonicalDomains) is left
/// out.
const Values& configured()
{
    static const Values values{{QStringLiteral("addkeystoagent"), no()},
        {QStringLiteral("batchmode"), no()}, {QStringLiteral("casignaturealgorithms"), {}},
        {QStringLiteral("channeltimeout"), no()}, {QStringLiteral("checkhostip"), no()},
        {QStringLiteral("ciphers"), {}}, {QStringLiteral("compression"), no()},
        {QStringLiteral("connectionattempts"), {QStringLiteral("1")}},
        {QStringLiteral("controlmaster"), no()}, {QStringLiteral("controlpath"), no()},
        {QStringLiteral("fingerprinthash"), {QStringLiteral("SHA256")}},
        {QStringLiteral("gssapiauthentication"), no()},
        {QStringLiteral("gssapiclientidentity"), {}},
        {QStringLiteral("gssapidelegatecredentials"), no()},
        {QStringLiteral("gssapikeyexchange"), no()}, {QStringLiteral("gssapiserveridentity"), {}},
        {QStringLiteral("gssapitrustdns"), no()}, {QStringLiteral("hashknownhosts"), no()},
        {QStringLiteral("hostkeyalgorithms"), {}}, {QStringLiteral("ipqos"), no()},
        {QStringLiteral("kbdinteractivedevices"), {}}, {QStringLiteral("kexalgorithms"), {}},
        {QStringLiteral("macs"), {}}, {QStringLiteral("nohostauthenticationforlocalhost"), no()},
        {QStringLiteral("pubkeyacceptedalgorithms"), {}},
        {QStringLiteral("pubkeyacceptedkeytypes"), {}}, // before OpenSSH 8.5
        {QStringLiteral("refuseconnection"), {}}, {QStringLiteral("rekeylimit"), {}},
        {QStringLiteral("requiredrsasize"), {}}, {QStringLiteral("sendenv"), {}},
        {QStringLiteral("serveralivecountmax"), {}}, {QStringLiteral("serveraliveinterval"), {}},
        {QStringLiteral("setenv"), {}},
        {QStringLiteral("tcpkeepalive"), {QStringLiteral("yes"), QStringLiteral("true")}},
        {QStringLiteral("updatehostkeys"), no()}};
    return values;
}

/// "forwardagent yes"; of a list of algorithms the name alone, which would fill the window, and of
/// a variable its name, as its value may be a secret.
QString named(const QString& key, const QString& value)
{
    if (key == u"setenv")
        return key + u' ' + value.section(u'=', 0, 0);
    const bool list = key.endsWith(QLatin1String("algorithms")) || key == u"ciphers"
        || key == u"macs" || key == u"pubkeyacceptedkeytypes";
    return list ? key : key + u' ' + value;
}

/// The methods of PreferredAuthentications that do not exist here.
QStringList foreignMethods(const QString& value)
{
    QStringList methods;
    for (const QString& method : value.split(u',', Qt::SkipEmptyParts))
        if (method != u"none" && !ResolvedTarget::defaultMethods().contains(method))
            methods << method;
    return methods;
}

} // namespace

QStringList ignoredOptions(const QByteArray& printed, const QByteArray& defaults)
{
    const QList<QByteArray> usual = defaults.split('\n');
    const QSet<QByteArray> known(usual.begin(), usual.end());
    QStringList ignored;
    for (const QByteArray& line : printed.split('\n')) {
        const QString text = QString::fromUtf8(line).trimmed();
        const QString key = text.section(u' ', 0, 0).toLower();
        const QString value = text.section(u' ', 1);
        const bool changed = !defaults.isEmpty() && !known.contains(line);
        if (value.isEmpty())
            continue;
        if (unusual().contains(key) && !unusual().value(key).contains(value))
            ignored << named(key, value);
        else if (changed && configured().contains(key) && !configured().value(key).contains(value))
            ignored << named(key, value);
        else if (key == u"preferredauthentications")
            if (const QStringList methods = foreignMethods(value); !methods.isEmpty())
                ignored << key + u' ' + methods.join(u',');
    }
    return ignored;
}

} // namespace slipway

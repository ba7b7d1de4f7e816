// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/configtokens.h"

#include "remote/base/tr.h"
#include "remote/ssh/resolvedtarget.h"

#include <QCryptographicHash>
#include <QRegularExpression>
#include <QSysInfo>

#include <pwd.h>
#include <unistd.h>

namespace slipway {

namespace {

QString localUser()
{
    const passwd* const entry = ::getpwuid(::getuid());
    return entry ? QString::fromLocal8Bit(entry->pw_name) : qEnvironmentVariable("USER");
}

std::optional<QString> environmentValue(const QString& name)
{
    const QByteArray key = name.toUtf8();
    if (!qEnvironmentVariableIsSet(key.constData()))
        return std::nullopt;
    return qEnvironmentVariable(key.constData());
}

Error tokenError(const QString& option, const QString& what)
{
    return {ErrorKind::Invalid,
        tr("%1 of the SSH configuration cannot be used: %2.").arg(option, what),
        tr("Correct it; `ssh` refuses it as well.")};
}

QString tilde(QString path, const QString& home)
{
    if (path == u"~" || path.startsWith(QLatin1String("~/")))
        path.replace(0, 1, home);
    return path;
}

/// "~", "${…}" and "%…" of a path, in the order in which ssh expands them.
Result<QString> expandedPath(
    const QString& text, const ConfigTokens& tokens, const QString& option, const QString& home)
{
    const auto variables = withVariables(tilde(text, home), option, environmentValue);
    if (!variables.ok())
        return variables.error();
    return withTokens(*variables, tokens, option);
}

Result<void> expandAll(
    QStringList& paths, const ConfigTokens& tokens, const QString& option, const QString& home)
{
    for (QString& path : paths) {
        const auto expanded = expandedPath(path, tokens, option, home);
        if (!expanded.ok())
            return expanded.error();
        path = *expanded;
    }
    return {};
}

} // namespace

ConfigTokens tokensOf(const ResolvedTarget& target, const QString& home)
{
    const QString full = QSysInfo::machineHostName();
    const QString jump = target.hops.join(u',');
    const QString port = QString::number(target.port);
    const QString all = full + target.host + port + target.user + jump;
    return {{u'C',
                QString::fromLatin1(
                    QCryptographicHash::hash(all.toUtf8(), QCryptographicHash::Sha1).toHex())},
        {u'd', home}, {u'h', target.host}, {u'i', QString::number(::getuid())}, {u'j', jump},
        {u'k', target.recordedAs.isEmpty() ? target.host : target.recordedAs},
        {u'L', full.section(u'.', 0, 0)}, {u'l', full}, {u'n', target.alias}, {u'p', port},
        {u'r', target.user}, {u'u', localUser()}};
}

Result<QString> withTokens(const QString& text, const ConfigTokens& tokens, const QString& option)
{
    QString out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] != u'%') {
            out += text[i];
            continue;
        }
        const QChar letter = ++i < text.size() ? text[i] : QChar();
        if (letter == u'%')
            out += u'%';
        else if (tokens.contains(letter))
            out += tokens.value(letter);
        else
            return tokenError(option,
                tr("it has the token “%1”").arg(text.mid(i - 1, letter.isHighSurrogate() ? 3 : 2)));
    }
    return out;
}

Result<QString> withVariables(const QString& text, const QString& option,
    const std::function<std::optional<QString>(const QString& name)>& environment)
{
    static const QRegularExpression variable(QStringLiteral(R"(\$\{([^}]*)\})"));
    QString out;
    qsizetype at = 0;
    for (auto it = variable.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        const auto value = environment(match.captured(1));
        if (!value)
            return tokenError(option, tr("the variable %1 is not set").arg(match.captured(1)));
        out += text.mid(at, match.capturedStart() - at) + *value;
        at = match.capturedEnd();
    }
    return QString(out + text.mid(at));
}

Result<void> expandTarget(ResolvedTarget& target, const QString& home)
{
    const ConfigTokens tokens = tokensOf(target, home);
    const std::pair<QStringList*, const char*> lists[] = {{&target.identities, "IdentityFile"},
        {&target.certificates, "CertificateFile"}, {&target.userKnownHosts, "UserKnownHostsFile"}};
    for (const auto& [paths, option] : lists)
        if (const auto done = expandAll(*paths, tokens, QLatin1String(option), home); !done.ok())
            return done;
    const std::pair<QString*, const char*> single[] = {
        {&target.agentSocket, "IdentityAgent"}, {&target.revokedHostKeys, "RevokedHostKeys"}};
    for (const auto& [path, option] : single) {
        const auto expanded = expandedPath(*path, tokens, QLatin1String(option), home);
        if (!expanded.ok())
            return expanded.error();
        if (!path->isNull())
            *path = *expanded;
    }
    // As ssh_config(5) says: of the tokens, %%, %h, %n, %p and %r.
    ConfigTokens few;
    for (const QChar letter : {u'h', u'n', u'p', u'r'})
        few.insert(letter, tokens.value(letter));
    const auto command = withTokens(target.proxyCommand, few, QStringLiteral("ProxyCommand"));
    if (!command.ok())
        return command.error();
    target.proxyCommand = *command;
    return {};
}

} // namespace slipway

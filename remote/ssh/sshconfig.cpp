// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/sshconfig.h"

#include "remote/base/tr.h"
#include "remote/shell/gate.h"
#include "remote/ssh/configtokens.h"
#include "remote/ssh/ignoredoptions.h"
#include "remote/ssh/sshhandles.h"

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>
#include <csignal>
#include <memory>
#include <sys/socket.h>
#include <unistd.h>

namespace slipway {

namespace {

QString expanded(QString path, const QString& home)
{
    if (path == u"~" || path.startsWith(QLatin1String("~/")))
        path.replace(0, 1, home);
    return path;
}

bool isSet(const QString& value)
{
    return !value.isEmpty() && value != u"none";
}

bool isYes(const QString& value)
{
    return value == u"yes" || value == u"true";
}

/// Authentication: which methods, in which order. False: it is another option.
bool readMethods(ResolvedTarget& resolved, const QString& key, const QString& value)
{
    const QMap<QString, QString> switches{
        {QStringLiteral("pubkeyauthentication"), QStringLiteral("publickey")},
        {QStringLiteral("passwordauthentication"), QStringLiteral("password")},
        {QStringLiteral("kbdinteractiveauthentication"), QStringLiteral("keyboard-interactive")},
        {QStringLiteral("challengeresponseauthentication"),
            QStringLiteral("keyboard-interactive")}};
    if (switches.contains(key)) {
        if (value == u"no" || value == u"false")
            resolved.methods.removeAll(switches.value(key));
    } else if (key == u"preferredauthentications" && isSet(value)) {
        QStringList wanted;
        for (const QString& method : value.split(u','))
            if (resolved.methods.contains(method))
                wanted << method;
        resolved.methods = wanted;
    } else if (key == u"numberofpasswordprompts") {
        resolved.passwordPrompts = std::clamp(value.toInt(), 0, 16);
    } else {
        return false;
    }
    return true;
}

void readConnection(ResolvedTarget& resolved, const QString& key, const QString& value)
{
    if (key == u"addressfamily")
        resolved.addressFamily = value == u"inet" ? AF_INET : value == u"inet6" ? AF_INET6 : 0;
    else if (key == u"connecttimeout" && value.toInt() > 0)
        resolved.connectTimeout = std::chrono::seconds(std::min(value.toInt(), 3600));
}

/// Without an ssh program: the parser of libssh, which supports fewer keywords.
ResolvedTarget libsshConfig(const ConnectTarget& target, const QString& configFile)
{
    const SessionHandle session(ssh_new());
    ssh_options_set(session.get(), SSH_OPTIONS_HOST, target.host.toUtf8().constData());
    const auto file = QFile::encodeName(configFile);
    if (target.useSshConfig)
        ssh_options_parse_config(session.get(), configFile.isEmpty() ? nullptr : file.constData());
    const auto option = [&](ssh_options_e which) {
        char* text = nullptr;
        QString value;
        if (ssh_options_get(session.get(), which, &text) == SSH_OK && text)
            value = QString::fromUtf8(text);
        ssh_string_free_char(text);
        return value;
    };
    ResolvedTarget resolved;
    unsigned int port = 0;
    resolved.host = option(SSH_OPTIONS_HOST);
    resolved.user = option(SSH_OPTIONS_USER);
    resolved.proxyCommand = option(SSH_OPTIONS_PROXYCOMMAND);
    if (ssh_options_get_port(session.get(), &port) == SSH_OK && port > 0)
        resolved.port = int(port);
    for (const auto* name : {"id_ed25519", "id_ecdsa", "id_rsa"})
        resolved.identities << QDir::homePath() + QStringLiteral("/.ssh/")
                + QString::fromLatin1(name);
    if (const auto identity = option(SSH_OPTIONS_IDENTITY); isSet(identity))
        resolved.identities.prepend(expanded(identity, QDir::homePath()));
    resolved.userKnownHosts << QDir::homePath() + QStringLiteral("/.ssh/known_hosts");
    return resolved;
}

void applyTarget(ResolvedTarget& resolved, const ConnectTarget& target)
{
    resolved.alias = target.host;
    if (resolved.host.isEmpty())
        resolved.host = target.host;
    if (target.port > 0)
        resolved.port = target.port;
    if (!target.user.isEmpty())
        resolved.user = target.user;
    if (resolved.user.isEmpty())
        resolved.user = qEnvironmentVariable("USER");
    if (!target.identityFile.isEmpty())
        resolved.firstIdentities << expanded(target.identityFile, QDir::homePath());
    if (!target.knownHostsFile.isEmpty()) {
        resolved.userKnownHosts = QStringList{target.knownHostsFile};
        resolved.globalKnownHosts.clear();
    }
    if (resolved.hops.isEmpty() && resolved.proxyCommand.isEmpty() && !target.jump.isEmpty())
        resolved.hops = target.jump.split(u',');
    if (resolved.recordedAs.isEmpty())
        resolved.recordedAs = resolved.host;
    if (resolved.agentSocket.isNull() || resolved.agentSocket == u"SSH_AUTH_SOCK")
        resolved.agentSocket = qEnvironmentVariable("SSH_AUTH_SOCK");
    else if (resolved.agentSocket == u"none")
        resolved.agentSocket = QStringLiteral("");
    else if (resolved.agentSocket.startsWith(u'$') && !resolved.agentSocket.startsWith(u"${"))
        resolved.agentSocket =
            qEnvironmentVariable(resolved.agentSocket.mid(1).toUtf8()); // "$NAME"
}

/// The file that holds what the person did not set: that of this computer, which ssh reads after
/// the person's own, but not after one that was named.
QString othersFile(const QString& configFile)
{
    const QString everybodys = QStringLiteral("/etc/ssh/ssh_config");
    return configFile.isEmpty() && QFileInfo(everybodys).isReadable() ? everybodys
                                                                      : QStringLiteral("/dev/null");
}

Error slowConfiguration(
    const ConnectTarget& target, std::chrono::milliseconds timeout, const QByteArray& said)
{
    return {ErrorKind::Timeout,
        tr("The SSH configuration for %1 was not read within %2 s.")
            .arg(target.host)
            .arg(double(timeout.count()) / 1000),
        tr("A command in it may take too long (Match exec). Try `ssh -G %1` in "
           "a terminal.")
            .arg(target.host),
        said};
}

/// What `ssh -G` prints for this target with `configFile`, or with the person's own file.
QCoro::Task<Result<QByteArray>> printedBySsh(
    QString program, ConnectTarget target, QString configFile, std::chrono::milliseconds timeout)
{
    QStringList arguments{QStringLiteral("-G")};
    if (!configFile.isEmpty())
        arguments << QStringLiteral("-F") << configFile;
    // A Match block may depend on the port and the user.
    if (target.port > 0)
        arguments << QStringLiteral("-p") << QString::number(target.port);
    if (!target.user.isEmpty())
        arguments << QStringLiteral("-l") << target.user;
    arguments << QStringLiteral("--") << target.host;
    QProcess process;
    // Its own session, so that processes of a Match exec can be ended with it.
    process.setChildProcessModifier([] { ::setsid(); });
    // Not QCoroProcess: its functions are in QCoro's library, whose tasks have another layout
    // in Debian 13 than in 12, where the package is built.
    const auto told = std::make_shared<Gate>();
    QObject::connect(
        &process, &QProcess::stateChanged, &process,
        [told](QProcess::ProcessState state) {
            if (state == QProcess::NotRunning)
                told->open();
        },
        Qt::QueuedConnection); // from the event loop: the process is deleted then
    QTimer::singleShot(timeout, &process, [told] { told->open(); });
    process.start(program, arguments);
    process.closeWriteChannel();
    if (process.state() != QProcess::NotRunning)
        co_await told->wait();
    if (process.state() != QProcess::NotRunning) {
        if (const auto pid = process.processId(); pid > 0)
            ::kill(-pid_t(pid), SIGKILL);
        co_return slowConfiguration(target, timeout, process.readAllStandardError());
    }
    if (process.error() == QProcess::FailedToStart || process.exitStatus() != QProcess::NormalExit
        || process.exitCode() != 0) {
        const auto said = process.readAllStandardError();
        co_return Error{ErrorKind::Invalid,
            tr("The SSH configuration for %1 could not be read.").arg(target.host),
            tr("Try `ssh -G %1` in a terminal to see why.").arg(target.host), said};
    }
    co_return process.readAllStandardOutput();
}

} // namespace

ResolvedTarget parseSshConfig(
    const QByteArray& text, const QString& home, const QByteArray& defaults)
{
    ResolvedTarget resolved;
    resolved.ignored = ignoredOptions(text, defaults);
    for (const auto& line : QString::fromUtf8(text).split(u'\n')) {
        const auto space = line.indexOf(u' ');
        if (space < 0)
            continue;
        const auto key = line.left(space).toLower();
        const auto value = line.mid(space + 1).trimmed();
        if (key == u"hostname")
            resolved.host = value;
        else if (key == u"port")
            resolved.port = value.toInt();
        else if (key == u"user")
            resolved.user = value;
        else if (key == u"identityfile" && isSet(value))
            resolved.identities << expanded(value, home);
        else if (key == u"certificatefile" && isSet(value))
            resolved.certificates << expanded(value, home);
        else if (key == u"knownhostscommand" && isSet(value))
            resolved.knownHostsCommand = value;
        else if (key == u"revokedhostkeys" && isSet(value))
            resolved.revokedHostKeys = expanded(value, home);
        else if (key == u"identitiesonly")
            resolved.identitiesOnly = isYes(value);
        else if (key == u"identityagent")
            resolved.agentSocket = expanded(value, home);
        else if (key == u"hostkeyalias" && isSet(value))
            resolved.recordedAs = value;
        else if (key == u"stricthostkeychecking")
            resolved.strictHostKeyChecking = value;
        else if (key == u"proxycommand" && isSet(value))
            resolved.proxyCommand = value;
        else if (key == u"proxyjump" && isSet(value))
            resolved.hops = value.split(u',');
        else if (key == u"userknownhostsfile" && isSet(value))
            for (const auto& file : value.split(u' ', Qt::SkipEmptyParts))
                resolved.userKnownHosts.append(expanded(file, home));
        else if (key == u"globalknownhostsfile" && isSet(value))
            resolved.globalKnownHosts = value.split(u' ', Qt::SkipEmptyParts);
        else if (!readMethods(resolved, key, value))
            readConnection(resolved, key, value);
    }
    resolved.recordedBare = !resolved.recordedAs.isEmpty(); // as OpenSSH does it
    return resolved;
}

QCoro::Task<Result<ResolvedTarget>> resolveTarget(
    ConnectTarget target, QString configFile, std::chrono::milliseconds timeout)
{
    ResolvedTarget resolved;
    const auto program = QStandardPaths::findExecutable(QStringLiteral("ssh"));
    if (target.host.isEmpty() || target.host.startsWith(u'-')) {
        co_return Error{ErrorKind::Invalid, tr("“%1” is not a host.").arg(target.host),
            tr("Write the name of a login node, or an alias of ~/.ssh/config.")};
    }
    if (program.isEmpty()) {
        resolved = libsshConfig(target, configFile);
    } else {
        const QDeadlineTimer deadline(timeout);
        const QString file = target.useSshConfig ? configFile : QStringLiteral("/dev/null");
        const auto printed = co_await printedBySsh(program, target, file, timeout);
        if (!printed.ok())
            co_return printed.error();
        QByteArray usual = *printed;
        if (target.useSshConfig) {
            const std::chrono::milliseconds left(deadline.remainingTime());
            const auto others =
                co_await printedBySsh(program, target, othersFile(configFile), left);
            usual = others.ok() ? *others : QByteArray();
        }
        resolved = parseSshConfig(*printed, QDir::homePath(), usual);
    }
    applyTarget(resolved, target);
    if (const auto done = expandTarget(resolved, QDir::homePath()); !done.ok())
        co_return done.error();
    co_return Result<ResolvedTarget>(resolved);
}

} // namespace slipway

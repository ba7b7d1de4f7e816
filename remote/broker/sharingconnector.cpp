// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/sharingconnector.h"

#include "remote/base/runtimefolder.h"
#include "remote/base/tr.h"
#include "remote/broker/brokerlogin.h"
#include "remote/broker/brokersocket.h"
#include "remote/shell/pauses.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFileInfo>
#include <QProcess>

#include <csignal>

using namespace std::chrono_literals;

namespace slipway {

namespace {

using Connected = Result<std::shared_ptr<Shell>>;
using Outcome = BrokerLogin::Outcome;

constexpr int mostBrokers = 3; ///< one may be about to end when it is asked
constexpr auto longestStart = 15s;
constexpr auto look = 10ms;

QString programBeside()
{
    const QString path = QCoreApplication::applicationDirPath() + QStringLiteral("/slipway-cli");
    return QFileInfo(path).isExecutable() ? path : QString();
}

/// Relative paths mean something else to another process.
ConnectTarget withAbsolutePaths(ConnectTarget target)
{
    for (QString* path : {&target.identityFile, &target.knownHostsFile})
        if (!path->isEmpty() && !path->startsWith(u'~'))
            *path = QFileInfo(*path).absoluteFilePath();
    return target;
}

/// Nothing of it is left to this program but its environment.
qint64 startBroker(const QString& program, const QString& socket)
{
    QProcess process;
    process.setProgram(program);
    process.setArguments({QStringLiteral("broker"), socket});
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QProcess::nullDevice());
    qint64 pid = 0;
    return process.startDetached(&pid) ? pid : 0;
}

/// The broker's connection, whether it was there or is started for it.
QCoro::Task<Result<Fd>> reachBroker(QString program, QString socket)
{
    auto fd = connectToBroker(socket);
    if (fd.ok() || fd.error().kind != ErrorKind::NotFound)
        co_return fd;
    const qint64 pid = program.isEmpty() ? 0 : startBroker(program, socket);
    if (pid <= 0)
        co_return Result<Fd>(Error{ErrorKind::Unsupported,
            tr("The process that shares the connection cannot be started."),
            tr("“slipway-cli” must be in the folder of this program.")});
    const auto pauses = std::make_shared<Pauses>();
    const QDeadlineTimer deadline(longestStart);
    bool ended = false;
    while (!deadline.hasExpired()) {
        co_await pauses->pause(look);
        fd = connectToBroker(socket);
        // One that ended has left the socket to another, or failed.
        if (fd.ok() || fd.error().kind != ErrorKind::NotFound || ended)
            break;
        ended = ::kill(pid_t(pid), 0) != 0;
    }
    co_return fd;
}

QCoro::Task<Outcome> logInWith(Fd fd, ConnectTarget target, Prompter* prompter)
{
    BrokerLogin login(std::make_unique<MessageStream>(std::move(fd)), std::move(target), prompter);
    auto outcome = co_await login.ended();
    co_return outcome;
}

/// Ends with what became of it, or with why it is not shared, in a sentence.
QCoro::Task<Result<Outcome>> share(
    QString program, QString socket, ConnectTarget target, Prompter* prompter)
{
    for (int i = 0; i < mostBrokers; ++i) {
        auto fd = co_await reachBroker(program, socket);
        if (!fd.ok())
            co_return Result<Outcome>(fd.error());
        auto outcome = co_await logInWith(std::move(*fd), target, prompter);
        if (outcome.kind == Outcome::Kind::OtherVersion)
            co_return Result<Outcome>(Error{ErrorKind::Unsupported,
                tr("The process that shares it is of another version of Slipway.")});
        if (outcome.kind == Outcome::Kind::Silent)
            co_return Result<Outcome>(
                Error{ErrorKind::Timeout, tr("The process that shares it does not answer.")});
        if (outcome.kind != Outcome::Kind::Gone)
            co_return Result<Outcome>(std::move(outcome));
    }
    co_return Result<Outcome>(
        Error{ErrorKind::Network, tr("The process that shares it ends each time.")});
}

} // namespace

bool sharingIsOff()
{
    const QByteArray value = qgetenv("SLIPWAY_NO_SHARING");
    return !value.isEmpty() && value != "0";
}

SharingConnector::SharingConnector(Connector* direct, Settings settings)
    : m_direct(direct)
    , m_settings(std::move(settings))
{
}

SharingConnector::SharingConnector(Connector* direct)
    : SharingConnector(direct, Settings{!sharingIsOff(), {}, {}})
{
}

QCoro::Task<Connected> SharingConnector::connectTo(ConnectTarget target, Prompter* prompter)
{
    // This may be gone when the answers arrive.
    Connector* const direct = m_direct;
    const Settings settings = m_settings;
    if (settings.enabled) {
        const auto key = co_await direct->connectionKey(target);
        if (!key.ok() && key.error().kind == ErrorKind::Unsupported) {
            auto own = co_await direct->connectTo(target, prompter);
            co_return own;
        }
        if (!key.ok())
            co_return Connected(key.error());
        const Result<QString> folder =
            settings.folder.isEmpty() ? runtimeFolder() : Result<QString>(settings.folder);
        Result<Outcome> outcome = folder.ok() ? Result<Outcome>(Outcome{}) : folder.error();
        if (folder.ok()) {
            const QString socket =
                *folder + u'/' + QString::fromLatin1(*key) + QStringLiteral(".sock");
            const QString program = settings.program.isEmpty() ? programBeside() : settings.program;
            outcome = co_await share(program, socket, withAbsolutePaths(target), prompter);
        }
        if (outcome.ok() && outcome->kind == Outcome::Kind::LoggedIn)
            co_return Connected(outcome->shell);
        if (outcome.ok())
            co_return Connected(outcome->error);
        if (prompter)
            prompter->showNotice(tr("The connection is not shared with other programs. %1")
                                     .arg(outcome.error().summary));
    }
    auto own = co_await direct->connectTo(target, prompter);
    co_return own;
}

QCoro::Task<Result<QByteArray>> SharingConnector::connectionKey(ConnectTarget target)
{
    return m_direct->connectionKey(std::move(target));
}

QCoro::Task<Result<HostPort>> SharingConnector::firstStop(ConnectTarget target)
{
    return m_direct->firstStop(std::move(target));
}

} // namespace slipway

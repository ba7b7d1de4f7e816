// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/sshdfixture.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>

#include <csignal>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace slipway {

namespace {

int freePort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

void writeFile(const QString& path, const QByteArray& content, bool executable = false)
{
    QDir().mkpath(QFileInfo(path).absolutePath());
    QFile file(path);
    if (file.open(QIODevice::WriteOnly | QIODevice::Truncate))
        file.write(content);
    file.close();
    auto permissions = QFile::ReadOwner | QFile::WriteOwner;
    if (executable)
        permissions |= QFile::ExeOwner;
    file.setPermissions(permissions);
}

QByteArray content(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The processes below `root`, by /proc.
QList<qint64> descendants(qint64 root)
{
    QList<qint64> found;
    for (const auto& name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        bool isNumber = false;
        const auto pid = name.toLongLong(&isNumber);
        const auto stat = content(QStringLiteral("/proc/%1/stat").arg(name));
        const auto fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
        if (isNumber && fields.size() > 1 && fields[1].toLongLong() == root)
            found << pid << descendants(pid);
    }
    return found;
}

} // namespace

SshdFixture::SshdFixture() = default;

SshdFixture::~SshdFixture()
{
    stop();
}

QString SshdFixture::user() const
{
    return QString::fromLocal8Bit(::getpwuid(::getuid())->pw_name);
}

bool SshdFixture::runProgram(const QString& program, const QStringList& arguments, QByteArray* out)
{
    QProcess process;
    process.start(program, arguments);
    process.closeWriteChannel();
    const bool ended = process.waitForFinished(20'000);
    if (out)
        *out = process.readAllStandardOutput();
    return ended && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
}

QString SshdFixture::makeKey(const QString& name, const QString& passphrase, bool authorized)
{
    const auto key = path(name);
    if (!runProgram(QStringLiteral("ssh-keygen"),
            {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                QStringLiteral("-N"), passphrase, QStringLiteral("-C"), name, QStringLiteral("-f"),
                key}))
        return {};
    if (authorized)
        writeFile(path(QStringLiteral("authorized_keys")),
            content(path(QStringLiteral("authorized_keys")))
                + content(key + QStringLiteral(".pub")));
    return key;
}

QString SshdFixture::start(const QStringList& configLines)
{
    const QString sshd = QStandardPaths::findExecutable(QStringLiteral("sshd"),
        {QStringLiteral("/usr/sbin"), QStringLiteral("/usr/local/sbin"),
            QStringLiteral("/usr/bin")});
    if (sshd.isEmpty())
        return QStringLiteral("sshd is missing: install openssh-server");
    if (QStandardPaths::findExecutable(QStringLiteral("ssh-keygen")).isEmpty())
        return QStringLiteral("ssh-keygen is missing: install openssh-client");
    if (::getuid() == 0)
        ::mkdir("/run/sshd", 0755); // sshd's privilege separation asks for it
    if (!QFile::exists(userKey())) {
        makeKey(QStringLiteral("user_key"), {});
        makeKey(QStringLiteral("host_key"), {}, false);
    }
    m_port = m_port ? m_port : freePort();
    QStringList config{QStringLiteral("ListenAddress 127.0.0.1"),
        QStringLiteral("Port %1").arg(m_port),
        QStringLiteral("HostKey ") + path(QStringLiteral("host_key")),
        QStringLiteral("AuthorizedKeysFile ") + path(QStringLiteral("authorized_keys")),
        QStringLiteral("StrictModes no"), QStringLiteral("UsePAM no"),
        QStringLiteral("PidFile none"), QStringLiteral("PasswordAuthentication no"),
        QStringLiteral("KbdInteractiveAuthentication no"), QStringLiteral("PermitRootLogin yes"),
        QStringLiteral("LogLevel DEBUG1"), QStringLiteral("MaxStartups 100"),
        QStringLiteral("UseDNS no"), QStringLiteral("PermitUserEnvironment no")};
    // Not the start-up files of whoever runs the tests, which each command would read. sshd takes
    // the first such line only.
    QString variables = QStringLiteral("SetEnv HOME=") + path(QStringLiteral("plain-home"));
    QDir().mkpath(path(QStringLiteral("plain-home")));
    for (const QString& line : configLines) {
        if (line.startsWith(u"SetEnv "))
            variables += line.mid(6);
        else
            config << line;
    }
    config << variables;
    if (!m_forced.isEmpty())
        config << QStringLiteral("ForceCommand ") + m_forced;
    writeFile(path(QStringLiteral("sshd_config")), config.join(u'\n').toUtf8() + '\n');
    QStringList options{QStringLiteral("-f"), path(QStringLiteral("sshd_config"))};
    // From OpenSSH 9.8 on, a refused login makes the next ones from the same address fail for a
    // while; older ones do not know the option.
    const QStringList unpunished{QStringLiteral("-o"), QStringLiteral("PerSourcePenalties=no")};
    static const bool known =
        runProgram(sshd, options + unpunished + QStringList{QStringLiteral("-t")});
    if (known)
        options += unpunished;
    options << QStringLiteral("-D") << QStringLiteral("-E") << path(QStringLiteral("log"));
    m_process.start(sshd, options);
    return waitUntilItListens();
}

QString SshdFixture::waitUntilItListens()
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 10'000 && m_process.state() != QProcess::NotRunning) {
        QTcpSocket socket;
        socket.connectToHost(QStringLiteral("127.0.0.1"), quint16(m_port));
        if (socket.waitForConnected(200))
            return {};
        m_process.waitForFinished(20);
    }
    return QStringLiteral("sshd did not start: ") + QString::fromUtf8(log());
}

void SshdFixture::stop()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    freezeSessions(false);
    killSessions();
    m_process.terminate();
    if (!m_process.waitForFinished(3000))
        m_process.kill();
    m_process.waitForFinished(1000);
}

void SshdFixture::clearKnownHosts()
{
    writeFile(knownHosts(), {});
}

void SshdFixture::trustHostKey(const QByteArray& mark)
{
    const auto key = content(path(QStringLiteral("host_key.pub"))).split(' ');
    writeFile(knownHosts(),
        content(knownHosts()) + mark + "[127.0.0.1]:" + QByteArray::number(m_port) + ' ' + key[0]
            + ' ' + key[1] + '\n');
}

void SshdFixture::replaceHostKey()
{
    QFile::remove(path(QStringLiteral("host_key")));
    QFile::remove(path(QStringLiteral("host_key.pub")));
    makeKey(QStringLiteral("host_key"), {}, false);
    stop();
    start();
}

QString SshdFixture::useLoginShell(const QString& program)
{
    const auto shell = QStandardPaths::findExecutable(program);
    if (shell.isEmpty())
        return program + QStringLiteral(" is missing: install ") + program;
    const auto home = path(QStringLiteral("home"));
    const QByteArray noise("echo NOISE on stdout\necho \"it's more NOISE\"\n"
                           "head -c 1000000 /dev/zero | tr '\\0' x\necho\n");
    for (const auto* file :
        {".bashrc", ".profile", ".cshrc", ".config/fish/config.fish", ".zshenv"})
        writeFile(home + u'/' + QString::fromLatin1(file), noise);
    m_forced = path(QStringLiteral("login"));
    writeFile(m_forced,
        "#!/bin/sh\nHOME=" + home.toUtf8() + "\nBASH_ENV=$HOME/.bashrc\nSQUEUE_FORMAT=poison\n"
            + "export HOME BASH_ENV SQUEUE_FORMAT\necho NOISE from the wrapper\necho NOISE on "
              "stderr >&2\nexec "
            + shell.toUtf8() + " -c \"$SSH_ORIGINAL_COMMAND\"\n",
        true);
    stop();
    return start();
}

void SshdFixture::signalSessions(int signal) const
{
    for (const auto pid : descendants(m_process.processId()))
        if (content(QStringLiteral("/proc/%1/comm").arg(pid)).startsWith("sshd"))
            ::kill(pid_t(pid), signal);
}

void SshdFixture::killSessions() const
{
    signalSessions(SIGKILL);
}

void SshdFixture::freezeSessions(bool freeze) const
{
    signalSessions(freeze ? SIGSTOP : SIGCONT);
}

QByteArray SshdFixture::log() const
{
    return content(path(QStringLiteral("log")));
}

void SshdFixture::clearLog()
{
    QFile(path(QStringLiteral("log"))).resize(0);
}

AgentFixture::~AgentFixture()
{
    m_process.terminate();
    m_process.waitForFinished(2000);
}

QString AgentFixture::start(const QString& folder)
{
    m_socket = folder + QStringLiteral("/agent");
    m_process.start(
        QStringLiteral("ssh-agent"), {QStringLiteral("-D"), QStringLiteral("-a"), m_socket});
    QElapsedTimer timer;
    timer.start();
    while (!QFile::exists(m_socket) && timer.elapsed() < 5000)
        QThread::msleep(10);
    return QFile::exists(m_socket)
        ? QString()
        : QStringLiteral("ssh-agent did not start: install openssh-client");
}

bool AgentFixture::add(const QString& key)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("SSH_AUTH_SOCK"), m_socket);
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral("ssh-add"), {QStringLiteral("-q"), key});
    return process.waitForFinished(10'000) && process.exitCode() == 0;
}

} // namespace slipway

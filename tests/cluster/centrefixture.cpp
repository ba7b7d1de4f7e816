// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/centrefixture.h"
#include "tests/support/files.h"
#include "tests/support/paths.h"
#include "tests/support/totp.h"

#include <QDir>
#include <QFile>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

namespace slipway {

namespace {

const QString loginNode = QStringLiteral("login");
const QString place = QStringLiteral("/run/slipway-centre"); ///< of that node alone
constexpr int gatePort = 2222;
constexpr int nodePort = 2223;

/// tests/cluster/demo/centre.sh with its word, for a shell on the login node.
QString serversScript(const char* word)
{
    return u"set -- " + QLatin1String(word) + u'\n'
        + QString::fromUtf8(contentOf(sourcePath(QStringLiteral("/tests/cluster/demo/centre.sh"))));
}

int freePort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

bool speaks(int port)
{
    QTcpSocket socket;
    socket.connectToHost(QStringLiteral("127.0.0.1"), quint16(port));
    return socket.waitForReadyRead(200); // sshd's first line
}

} // namespace

CentreFixture::~CentreFixture()
{
    if (m_relay.state() != QProcess::NotRunning) {
        m_relay.terminate();
        if (!m_relay.waitForFinished(3000))
            m_relay.kill();
        m_relay.waitForFinished(1000);
    }
    if (m_cluster->missing().isEmpty())
        m_cluster->root(loginNode, serversScript("stop"));
}

QString CentreFixture::start()
{
    qunsetenv("SLIPWAY_NO_SHARING");
    if (const QString failed = startServers(); !failed.isEmpty())
        return failed;
    if (const QString failed = startRelay(); !failed.isEmpty())
        return failed;
    m_network = std::make_unique<CutProxy>(m_relayPort);
    return writeNames();
}

QString CentreFixture::startServers()
{
    const auto started = m_cluster->root(loginNode, serversScript("start"));
    return started.code == 0 ? QString()
                             : u"The jump host did not start: " + QString::fromUtf8(started.out);
}

/// OpenSSH's own forwarding, which ends with its process.
QString CentreFixture::startRelay()
{
    m_relayPort = freePort();
    const QJsonObject there = m_cluster->connection();
    m_relay.start(QStringLiteral("ssh"),
        {QStringLiteral("-F"), QStringLiteral("none"), QStringLiteral("-N"), QStringLiteral("-o"),
            QStringLiteral("BatchMode=yes"), QStringLiteral("-o"),
            QStringLiteral("ExitOnForwardFailure=yes"), QStringLiteral("-o"),
            u"UserKnownHostsFile=" + there.value(u"known_hosts_file").toString(),
            QStringLiteral("-i"), there.value(u"identity_file").toString(), QStringLiteral("-p"),
            QString::number(there.value(u"port").toInt()), QStringLiteral("-L"),
            QStringLiteral("127.0.0.1:%1:127.0.0.1:%2").arg(m_relayPort).arg(gatePort),
            QStringLiteral("demo@127.0.0.1")});
    const bool up = QTest::qWaitFor(
        [this] { return speaks(m_relayPort) || m_relay.state() == QProcess::NotRunning; }, 30'000);
    return up && m_relay.state() == QProcess::Running
        ? QString()
        : u"The jump host cannot be reached: " + QString::fromUtf8(m_relay.readAllStandardError());
}

/// In the test's own files: the hosts as ssh_config has them, their keys, the site.
QString CentreFixture::writeNames()
{
    QFile config(m_cluster->home() + u"/.ssh/config");
    QFile known(m_cluster->home() + u"/.ssh/known_hosts");
    const QByteArray key =
        contentOf(m_cluster->connection().value(u"known_hosts_file").toString()).trimmed();
    const auto space = key.indexOf(' ');
    if (space < 0 || !config.open(QIODevice::Append) || !known.open(QIODevice::Append))
        return QStringLiteral("The names of the hosts cannot be written.");
    const QByteArray port = QByteArray::number(m_network->port());
    config.write("Host gate\n  HostName 127.0.0.1\n  Port " + port + "\n  User demo\n"
        + "Host centre\n  HostName 127.0.0.1\n  Port " + QByteArray::number(nodePort)
        + "\n  User demo\n  ProxyJump gate\n");
    for (const QByteArray& one : {port, QByteArray::number(nodePort)})
        known.write("[127.0.0.1]:" + one + key.split('\n').first().mid(space) + '\n');
    m_cluster->addSite(
        QStringLiteral("centre"), QJsonObject{{QStringLiteral("host"), QStringLiteral("centre")}});
    return {};
}

QByteArray CentreFixture::answers() const
{
    const QString folder = m_cluster->connection().value(u"state_dir").toString();
    return m_cluster->password().toUtf8() + '\n'
        + totpCode(contentOf(folder + u"/ssh/totp").trimmed()).toUtf8() + '\n';
}

void CentreFixture::changeAddress()
{
    const int port = m_network->port();
    m_network->refuse();
    m_network->cut();
    m_network = std::make_unique<CutProxy>(m_relayPort);
    m_network->refuse();
    m_network->listenAgain(port);
}

int CentreFixture::gateLines(const QByteArray& text) const
{
    return int(m_cluster->root(loginNode, u"cat " + place + u"/gate.log").out.count(text));
}

QList<CentreFixture::Call> CentreFixture::calls() const
{
    QList<Call> calls;
    for (const QByteArray& line :
        m_cluster->root(loginNode, u"cat " + place + u"/calls").out.split('\n')) {
        const QByteArrayList words = line.split(' ');
        if (words.size() >= 2)
            calls << Call{words[0].toDouble(), words[1], words.mid(2).join(' ')};
    }
    return calls;
}

QList<qint64> CentreFixture::brokers() const
{
    const QByteArray folder = qgetenv("XDG_RUNTIME_DIR");
    QList<qint64> found;
    for (const QString& pid : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        const QByteArrayList words =
            contentOf(QStringLiteral("/proc/%1/cmdline").arg(pid)).split('\0');
        if (pid.toLongLong() > 0 && words.value(1) == "broker" && words.value(2).startsWith(folder))
            found << pid.toLongLong();
    }
    return found;
}

bool CentreFixture::endBrokers()
{
    const auto close = m_cluster->terminal(
        {QStringLiteral("connections"), QStringLiteral("close"), QStringLiteral("--all")});
    close->waitForFinished(20'000);
    return QTest::qWaitFor([this] { return brokers().isEmpty(); }, 20'000);
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/approvedcommands.h"
#include "remote/ssh/hops.h"
#include "tests/support/sshdlogin.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <array>
#include <csignal>

using namespace slipway;

/// Connections through jump hosts and through the command of a ProxyCommand, each host a real sshd.
class TestHops : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void hopText_isRead_data();
    void hopText_isRead();
    void hops_areTriedInTheirOrder_data();
    void hops_areTriedInTheirOrder();
    void openSsh_logsInTheSameWay();
    void loop_isSaid();
    void jumpOfASite_isUsedWithoutConfiguration();
    void unknownKey_isAskedUnderTheHopsName();
    void changedKeyOfAHop_isRefusedBeforeAuthentication();
    void passphrase_isAskedForTheHop();
    void forbiddenForwarding_namesTheHop();
    void unreachableTarget_isSaidByTheHop();
    void lostHop_isNamed();
    void largeStreams_arriveWhole();
    void close_endsSoon();

    void proxyCommand_isShownOnceAndRuns();
    void refusedCommand_neverRuns();
    void failingCommand_saysWhy_data();
    void failingCommand_saysWhy();
    void closedConnection_endsTheCommand();

private:
    QByteArray entry(const QString& alias, const SshdFixture& sshd, const QByteArray& more = {});
    void writeConfig(const QByteArray& more);
    SshConnector::Settings settings() const;
    Result<std::shared_ptr<Shell>> logIn(const QString& alias);
    QString proxyScript();

    std::array<SshdFixture, 3> m_sshds;
    QTemporaryDir m_folder;
    ListPrompter m_prompter;
};

void TestHops::initTestCase()
{
    qunsetenv("SSH_AUTH_SOCK");
    for (SshdFixture& sshd : m_sshds)
        QCOMPARE(sshd.start(), QString());
}

void TestHops::init()
{
    m_prompter = ListPrompter();
    QFile::remove(m_folder.filePath(QStringLiteral("approved")));
    for (SshdFixture& sshd : m_sshds) {
        sshd.clearKnownHosts();
        sshd.trustHostKey();
        sshd.clearLog();
    }
    // first, second and last; "one" and "two" lead to the last through one and two of them.
    writeConfig({});
}

QByteArray TestHops::entry(const QString& alias, const SshdFixture& sshd, const QByteArray& more)
{
    return "Host " + alias.toUtf8() + "\n  HostName 127.0.0.1\n  Port "
        + QByteArray::number(sshd.port()) + "\n  User " + sshd.user().toUtf8() + "\n  IdentityFile "
        + sshd.userKey().toUtf8() + "\n  IdentitiesOnly yes\n  UserKnownHostsFile "
        + sshd.knownHosts().toUtf8() + "\n  GlobalKnownHostsFile /dev/null\n" + more;
}

void TestHops::writeConfig(const QByteArray& more)
{
    QFile file(m_folder.filePath(QStringLiteral("config")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(more);
    file.write(entry(QStringLiteral("first"), m_sshds[0]));
    file.write(entry(QStringLiteral("second"), m_sshds[1]));
    file.write(entry(QStringLiteral("behind"), m_sshds[1], "  ProxyJump first\n"));
    file.write(entry(QStringLiteral("last"), m_sshds[2]));
    file.write(entry(QStringLiteral("one"), m_sshds[2], "  ProxyJump first\n"));
    file.write(entry(QStringLiteral("two"), m_sshds[2], "  ProxyJump first,second\n"));
    file.write(entry(QStringLiteral("nested"), m_sshds[2], "  ProxyJump behind\n"));
    file.write(entry(QStringLiteral("loop"), m_sshds[2], "  ProxyJump first,last\n"));
}

SshConnector::Settings TestHops::settings() const
{
    SshConnector::Settings settings;
    settings.configFile = m_folder.filePath(QStringLiteral("config"));
    settings.approvedCommands = m_folder.filePath(QStringLiteral("approved"));
    return settings;
}

Result<std::shared_ptr<Shell>> TestHops::logIn(const QString& alias)
{
    ConnectTarget target;
    target.host = alias;
    return connectWith(target, m_prompter, settings());
}

void TestHops::hopText_isRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("read"); ///< user@host:port; empty: refused
    const auto row = [](const char* text, const char* read) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(read);
    };
    row("gate", "@gate:0");
    row(" ada@gate ", "ada@gate:0");
    row("ada@gate:2222", "ada@gate:2222");
    row("ssh://ada@gate:2222", "ada@gate:2222");
    row("ssh://gate/", "@gate:0");
    row("[::1]:2222", "@::1:2222");
    row("gate:x", "");
    row("-oProxyCommand=x", "");
    row("", "");
}

void TestHops::hopText_isRead()
{
    QFETCH(QString, text);
    QFETCH(QString, read);
    const auto hop = hopFromText(text);
    QCOMPARE(hop.ok(), !read.isEmpty());
    if (hop.ok())
        QCOMPARE(QString(hop->user + u'@' + hop->host + u':' + QString::number(hop->port)), read);
}

void TestHops::hops_areTriedInTheirOrder_data()
{
    QTest::addColumn<QString>("alias");
    QTest::addColumn<QStringList>("hosts");
    const QString first = QStringLiteral("first");
    const QString second = QStringLiteral("second");
    QTest::newRow("none") << QStringLiteral("last") << QStringList();
    QTest::newRow("one") << QStringLiteral("one") << QStringList{first};
    QTest::newRow("two") << QStringLiteral("two") << QStringList{first, second};
    QTest::newRow("of a hop") << QStringLiteral("nested")
                              << QStringList{first, QStringLiteral("behind")};
}

void TestHops::hops_areTriedInTheirOrder()
{
    QFETCH(QString, alias);
    QFETCH(QStringList, hosts);
    const auto shell = logIn(alias);
    QVERIFY2(shell.ok(), qPrintable(shell.ok() ? QString() : shell.error().text()));
    const auto said = awaited((*shell)->run("echo $SSH_CONNECTION"));
    QVERIFY(said.ok());
    QVERIFY2(said->out.trimmed().endsWith(QByteArray(' ' + QByteArray::number(m_sshds[2].port()))),
        said->out.constData());
    QCOMPARE(m_prompter.notices.size(), hosts.size());
    for (qsizetype i = 0; i < hosts.size(); ++i)
        QVERIFY2(m_prompter.notices[i].contains(
                     QStringLiteral("%1 (%2 of %3)").arg(hosts[i]).arg(i + 1).arg(hosts.size())),
            qPrintable(m_prompter.notices[i]));
    QCOMPARE(m_sshds[0].log().contains("Accepted publickey"), hosts.size() > 0);
    QCOMPARE(m_sshds[1].log().contains("Accepted publickey"), hosts.size() > 1);
}

void TestHops::openSsh_logsInTheSameWay()
{
    for (const char* alias : {"one", "two", "nested"}) {
        QByteArray out;
        QVERIFY2(SshdFixture::runProgram(QStringLiteral("ssh"),
                     {QStringLiteral("-F"), settings().configFile, QStringLiteral("-o"),
                         QStringLiteral("BatchMode=yes"), QString::fromLatin1(alias),
                         QStringLiteral("echo there")},
                     &out),
            alias);
        QCOMPARE(out, QByteArray("there\n"));
    }
}

void TestHops::loop_isSaid()
{
    const auto shell = logIn(QStringLiteral("loop"));
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::Invalid);
    QVERIFY2(shell.error().summary.contains(QStringLiteral("lead back to last")),
        qPrintable(shell.error().summary));
}

void TestHops::jumpOfASite_isUsedWithoutConfiguration()
{
    ConnectTarget target;
    target.host = QStringLiteral("last");
    target.jump = QStringLiteral("first");
    const auto shell = connectWith(target, m_prompter, settings());
    QVERIFY2(shell.ok(), qPrintable(shell.ok() ? QString() : shell.error().text()));
    QVERIFY(m_sshds[0].log().contains("Accepted publickey"));
}

void TestHops::unknownKey_isAskedUnderTheHopsName()
{
    m_sshds[0].clearKnownHosts();
    const auto refused = logIn(QStringLiteral("one"));
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::HostKey);
    QCOMPARE(m_prompter.keys.size(), 1);
    QCOMPARE(m_prompter.keys.first().port, m_sshds[0].port());
    QVERIFY(!m_sshds[0].log().contains("userauth-request"));
    QVERIFY(m_sshds[2].log().isEmpty() || !m_sshds[2].log().contains("Connection from"));
    m_prompter.accept = true;
    QVERIFY(logIn(QStringLiteral("one")).ok());
}

void TestHops::changedKeyOfAHop_isRefusedBeforeAuthentication()
{
    QFile known(m_sshds[0].knownHosts());
    QVERIFY(known.open(QIODevice::WriteOnly | QIODevice::Truncate));
    known.write("[127.0.0.1]:" + QByteArray::number(m_sshds[0].port())
        + " ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\n");
    known.close();
    m_prompter.accept = true;
    const auto shell = logIn(QStringLiteral("two"));
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::HostKey);
    QVERIFY2(shell.error().summary.contains(QString::number(m_sshds[0].port())),
        qPrintable(shell.error().summary));
    QVERIFY(m_prompter.keys.isEmpty());
    QVERIFY(!m_sshds[0].log().contains("userauth-request"));
    QVERIFY(!m_sshds[1].log().contains("Connection from"));
    noteTarget("T6",
        QStringLiteral("changed key of a jump host: refused under its name, no authentication "
                       "request reached it, the hosts behind it saw nothing"));
}

void TestHops::passphrase_isAskedForTheHop()
{
    const QString key = m_sshds[0].makeKey(QStringLiteral("locked"), QStringLiteral("open sesame"));
    writeConfig(entry(QStringLiteral("gate"), m_sshds[0])
                    .replace(m_sshds[0].userKey().toUtf8(), key.toUtf8())
        + entry(QStringLiteral("guarded"), m_sshds[2], "  ProxyJump gate\n"));
    m_prompter.answers = {{QStringLiteral("open sesame")}};
    const auto shell = logIn(QStringLiteral("guarded"));
    QVERIFY2(shell.ok(), qPrintable(shell.ok() ? QString() : shell.error().text()));
    QCOMPARE(m_prompter.rounds.size(), 1);
    QCOMPARE(m_prompter.rounds.first().keyFile, key);
}

void TestHops::forbiddenForwarding_namesTheHop()
{
    SshdFixture closed;
    QCOMPARE(closed.start({QStringLiteral("AllowTcpForwarding no")}), QString());
    closed.trustHostKey();
    writeConfig(entry(QStringLiteral("closed"), closed)
        + entry(QStringLiteral("beyond"), m_sshds[2], "  ProxyJump closed\n"));
    const auto shell = logIn(QStringLiteral("beyond"));
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::Refused);
    QVERIFY2(shell.error().summary.contains(QStringLiteral("jump host closed does not allow")),
        qPrintable(shell.error().text()));
}

void TestHops::unreachableTarget_isSaidByTheHop()
{
    writeConfig("Host nowhere\n  HostName 127.0.0.1\n  Port 1\n  ProxyJump first\n");
    const auto shell = logIn(QStringLiteral("nowhere"));
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::Network);
    QVERIFY2(shell.error().summary.contains(QStringLiteral("jump host first")),
        qPrintable(shell.error().text()));
}

void TestHops::lostHop_isNamed()
{
    const auto shell = logIn(QStringLiteral("two"));
    QVERIFY(shell.ok());
    QSignalSpy closed(shell->get(), &Shell::closed);
    auto pending = (*shell)->run("sleep 60");
    QElapsedTimer timer;
    timer.start();
    m_sshds[0].killSessions();
    const auto ran = awaited(std::move(pending));
    QVERIFY(!ran.ok());
    QCOMPARE(ran.error().kind, ErrorKind::LinkLost);
    QVERIFY2(ran.error().summary.contains(QStringLiteral("jump host first closed")),
        qPrintable(ran.error().summary));
    QTRY_COMPARE(closed.count(), 1);
    QVERIFY2(timer.elapsed() < 12'000, qPrintable(QString::number(timer.elapsed())));
}

void TestHops::largeStreams_arriveWhole()
{
    const auto shell = logIn(QStringLiteral("two"));
    QVERIFY(shell.ok());
    constexpr qint64 size = 48 * 1024 * 1024;
    QCryptographicHash sum(QCryptographicHash::Sha256);
    qint64 received = 0;
    const auto process =
        (*shell)->start({"i=0; while [ $i -lt 48 ]; do head -c 1048576 /dev/zero |"
                         " tr '\\0' \"$(printf \\\\$(printf %o $((65 + i % 26))))\";"
                         " i=$((i + 1)); done"});
    QSignalSpy finished(process.get(), &Process::finished);
    connect(process.get(), &Process::output, this, [&](const QByteArray& bytes) {
        received += bytes.size();
        sum.addData(bytes);
    });
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
    QCryptographicHash expected(QCryptographicHash::Sha256);
    for (int i = 0; i < 48; ++i)
        expected.addData(QByteArray(1024 * 1024, char('A' + i % 26)));
    QCOMPARE(received, size);
    QCOMPARE(sum.result(), expected.result());
    const QByteArray bytes(8 * 1024 * 1024, 'x');
    const auto written =
        awaited((*shell)->writeFile(m_folder.filePath(QStringLiteral("large")), bytes));
    QVERIFY2(written.ok(), qPrintable(written.ok() ? QString() : written.error().text()));
    QFile file(m_folder.filePath(QStringLiteral("large")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bytes);
}

void TestHops::close_endsSoon()
{
    const auto shell = logIn(QStringLiteral("two"));
    QVERIFY(shell.ok());
    QSignalSpy closed(shell->get(), &Shell::closed);
    QElapsedTimer timer;
    timer.start();
    (*shell)->close();
    QTRY_COMPARE(closed.count(), 1);
    QVERIFY2(timer.elapsed() < 12'000, qPrintable(QString::number(timer.elapsed())));
}

/// A relay between its standard input and output and a port of this computer.
QString TestHops::proxyScript()
{
    const QString path = m_folder.filePath(QStringLiteral("relay.py"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("import os, select, socket, sys\n"
               "open(sys.argv[2], 'a').write('%d\\n' % os.getpid())\n"
               "s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
               "while True:\n"
               "    for r in select.select([0, s], [], [])[0]:\n"
               "        b = os.read(0, 65536) if r == 0 else s.recv(65536)\n"
               "        if not b: sys.exit(0)\n"
               "        if r == 0: s.sendall(b)\n"
               "        else:\n"
               "            while b: b = b[os.write(1, b):]\n");
    return path;
}

void TestHops::proxyCommand_isShownOnceAndRuns()
{
    const QString marks = m_folder.filePath(QStringLiteral("marks"));
    const QByteArray command = "python3 " + proxyScript().toUtf8() + ' '
        + QByteArray::number(m_sshds[2].port()) + ' ' + marks.toUtf8();
    writeConfig(entry(QStringLiteral("relayed"), m_sshds[2], "  ProxyCommand " + command + '\n'));
    m_prompter.acceptCommands = true;
    {
        const auto shell = logIn(QStringLiteral("relayed"));
        QVERIFY2(shell.ok(), qPrintable(shell.ok() ? QString() : shell.error().text()));
        QCOMPARE(awaited((*shell)->run("echo there"))->out, QByteArray("there\n"));
    }
    QCOMPARE(m_prompter.commands.size(), 1);
    QCOMPARE(m_prompter.commands.first().option, QStringLiteral("ProxyCommand"));
    QCOMPARE(m_prompter.commands.first().command, QString::fromUtf8(command));
    QCOMPARE(m_prompter.commands.first().host, QStringLiteral("relayed"));
    QVERIFY(logIn(QStringLiteral("relayed")).ok());
    QCOMPARE(m_prompter.commands.size(), 1);
    const QFile approved(m_folder.filePath(QStringLiteral("approved")));
    QCOMPARE(approved.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
}

void TestHops::refusedCommand_neverRuns()
{
    const QString mark = m_folder.filePath(QStringLiteral("mark"));
    writeConfig(entry(
        QStringLiteral("relayed"), m_sshds[2], "  ProxyCommand touch " + mark.toUtf8() + '\n'));
    const auto shell = logIn(QStringLiteral("relayed"));
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::Refused);
    QVERIFY(shell.error().summary.contains(QStringLiteral("touch")));
    QCOMPARE(m_prompter.commands.size(), 1);
    QVERIFY(!QFile::exists(mark));
}

void TestHops::failingCommand_saysWhy_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("at once") << QByteArray("echo the gate is shut >&2; exit 3");
    QTest::newRow("after its output is closed")
        << QByteArray("exec <&- >&-; sleep 0.2; echo the gate is shut >&2; exit 3");
}

void TestHops::failingCommand_saysWhy()
{
    QFETCH(QByteArray, script);
    writeConfig(
        entry(QStringLiteral("relayed"), m_sshds[2], "  ProxyCommand sh -c '" + script + "'\n"));
    m_prompter.acceptCommands = true;
    const auto shell = logIn(QStringLiteral("relayed"));
    QVERIFY(!shell.ok());
    QVERIFY2(shell.error().text().contains(QStringLiteral("the gate is shut")),
        qPrintable(shell.error().text()));
}

void TestHops::closedConnection_endsTheCommand()
{
    const QString marks = m_folder.filePath(QStringLiteral("pids"));
    writeConfig(entry(QStringLiteral("relayed"), m_sshds[2],
        "  ProxyCommand python3 " + proxyScript().toUtf8() + ' '
            + QByteArray::number(m_sshds[2].port()) + ' ' + marks.toUtf8() + '\n'));
    m_prompter.acceptCommands = true;
    {
        const auto shell = logIn(QStringLiteral("relayed"));
        QVERIFY2(shell.ok(), qPrintable(shell.ok() ? QString() : shell.error().text()));
    }
    QFile file(marks);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto pid = file.readAll().trimmed().toInt();
    QVERIFY(pid > 1);
    QTRY_VERIFY(::kill(pid, 0) != 0);
}

SLIPWAY_TEST(TestHops, ssh_hops)
#include "tst_hops.moc"

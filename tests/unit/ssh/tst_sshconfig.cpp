// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/sshconfig.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

class TestSshConfig : public QObject {
    Q_OBJECT

private slots:
    void parse_takesWhatSshPrints();
    void newKeys_goIntoTheUsersOwnFile_data();
    void newKeys_goIntoTheUsersOwnFile();
    void resolve_readsTheUsersConfig();
    void resolve_letsTheTargetWin();
    void resolve_ignoresTheConfigWhenTold();
    void resolve_refusesAnOptionForAHost();
    void slowMatchExec_isATimeoutAndLeavesNothingRunning();
};

void TestSshConfig::parse_takesWhatSshPrints()
{
    const auto target = parseSshConfig(
        "host login\nuser alice\nhostname login1.example\nport 2222\nidentitiesonly yes\n"
        "identityfile ~/.ssh/a b\nidentityfile /keys/c\nidentityagent none\n"
        "globalknownhostsfile /etc/ssh/ssh_known_hosts\nuserknownhostsfile ~/.ssh/kh1 ~/.ssh/kh2\n"
        "proxyjump bob@gate:22,inner\nproxycommand none\nhostkeyalias "
        "cluster\nstricthostkeychecking ask\n",
        QStringLiteral("/home/a"));
    QCOMPARE(target.host, QStringLiteral("login1.example"));
    QCOMPARE(target.port, 2222);
    QCOMPARE(target.user, QStringLiteral("alice"));
    QCOMPARE(target.identities,
        (QStringList{QStringLiteral("/home/a/.ssh/a b"), QStringLiteral("/keys/c")}));
    QVERIFY(target.identitiesOnly);
    QCOMPARE(target.agentSocket, QStringLiteral("none"));
    QCOMPARE(target.knownHostsFiles().first(), QStringLiteral("/home/a/.ssh/kh1"));
    QCOMPARE(target.knownHostsFiles().size(), 3);
    QCOMPARE(target.hops, (QStringList{QStringLiteral("bob@gate:22"), QStringLiteral("inner")}));
    QVERIFY(target.proxyCommand.isEmpty());
    QCOMPARE(target.recordedAs, QStringLiteral("cluster"));
}

void TestSshConfig::newKeys_goIntoTheUsersOwnFile_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("file");
    QTest::newRow("global file outside /etc") << QByteArray(
        "globalknownhostsfile /opt/site/known_hosts\nuserknownhostsfile ~/.ssh/known_hosts\n")
                                              << QStringLiteral("/home/a/.ssh/known_hosts");
    QTest::newRow("own file in /etc")
        << QByteArray("globalknownhostsfile /opt/kh\nuserknownhostsfile /etc/mine\n")
        << QStringLiteral("/etc/mine");
    QTest::newRow("no own file") << QByteArray(
        "globalknownhostsfile /opt/site/known_hosts\nuserknownhostsfile none\n")
                                 << QString();
}

void TestSshConfig::newKeys_goIntoTheUsersOwnFile()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, file);
    const auto target = parseSshConfig("host h\nhostname h\n" + text, QStringLiteral("/home/a"));
    QCOMPARE(target.userKnownHosts.value(0), file);
    QVERIFY(!target.globalKnownHosts.isEmpty());
}

void TestSshConfig::resolve_readsTheUsersConfig()
{
    QTemporaryDir dir;
    QFile config(dir.filePath(QStringLiteral("config")));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write("Host kestrel\n  HostName login.kestrel.example\n  User alice\n  Port 2022\n  "
                 "IdentityFile /keys/%r@%h\n");
    config.close();
    const auto target = awaited(resolveTarget({QStringLiteral("kestrel")}, config.fileName()));
    QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().text()));
    QCOMPARE(target->host, QStringLiteral("login.kestrel.example"));
    QCOMPARE(target->port, 2022);
    QCOMPARE(target->displayName(), QStringLiteral("alice@kestrel:2022"));
    QVERIFY(!target->knownHostsFiles().isEmpty());
}

void TestSshConfig::resolve_letsTheTargetWin()
{
    QTemporaryDir dir;
    QFile config(dir.filePath(QStringLiteral("config")));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write("Host h\n  User alice\n  Port 2022\n");
    config.close();
    ConnectTarget wanted{QStringLiteral("h"), 23, QStringLiteral("bob"), QStringLiteral("~/k"),
        QStringLiteral("/kh")};
    const auto target = awaited(resolveTarget(wanted, config.fileName()));
    QVERIFY(target.ok());
    QCOMPARE(target->port, 23);
    QCOMPARE(target->user, QStringLiteral("bob"));
    QCOMPARE(target->firstIdentities, QStringList{QDir::homePath() + QStringLiteral("/k")});
    QCOMPARE(target->knownHostsFiles(), QStringList{QStringLiteral("/kh")});
}

void TestSshConfig::resolve_ignoresTheConfigWhenTold()
{
    QTemporaryDir dir;
    QFile config(dir.filePath(QStringLiteral("config")));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write("Host h\n  HostName elsewhere\n");
    config.close();
    ConnectTarget wanted{QStringLiteral("h")};
    wanted.useSshConfig = false;
    const auto target = awaited(resolveTarget(wanted, config.fileName()));
    QVERIFY(target.ok());
    QCOMPARE(target->host, QStringLiteral("h"));
}

void TestSshConfig::resolve_refusesAnOptionForAHost()
{
    for (const auto* host : {"", "-oProxyCommand=touch /tmp/x"}) {
        const auto target = awaited(resolveTarget({QString::fromLatin1(host)}));
        QVERIFY(!target.ok());
        QCOMPARE(target.error().kind, ErrorKind::Invalid);
    }
}

void TestSshConfig::slowMatchExec_isATimeoutAndLeavesNothingRunning()
{
    QTemporaryDir dir;
    const auto mark = dir.filePath(QStringLiteral("pid"));
    QFile config(dir.filePath(QStringLiteral("config")));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write("Match exec \"echo $$ >" + mark.toUtf8() + "; sleep 300; true\"\n  User alice\n");
    config.close();
    const auto target =
        awaited(resolveTarget({QStringLiteral("h")}, config.fileName(), std::chrono::seconds(2)));
    QVERIFY(!target.ok());
    QCOMPARE(target.error().kind, ErrorKind::Timeout);
    QVERIFY2(target.error().remedy.contains(QStringLiteral("Match exec")),
        qPrintable(target.error().text()));
    QFile pid(mark);
    QVERIFY(pid.open(QIODevice::ReadOnly));
    const auto child = pid.readAll().trimmed();
    QVERIFY(child.toInt() > 1);
    QTRY_VERIFY(!QFile::exists(u"/proc/" + QString::fromLatin1(child) + u"/cmdline") || [&] {
        QFile line(u"/proc/" + QString::fromLatin1(child) + u"/cmdline");
        return !line.open(QIODevice::ReadOnly) || line.readAll().isEmpty(); // a zombie
    }());
}

SLIPWAY_TEST(TestSshConfig, ssh_config)
#include "tst_sshconfig.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace slipway;

/// Logging in to the real demo cluster, well and not so well.
class TestLogins : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void password_isAskedForAndLogsIn();
    void wrongPassword_isRefusedAsAuthentication();
    void unknownHostKey_isRefusedUnlessAccepted();
    void changedHostKey_isRefused();
    void loginShell_runsAJobAllTheSame_data();
    void loginShell_runsAJobAllTheSame();

private:
    void rememberKey(const QByteArray& key);

    DemoClusterFixture m_cluster;
    int m_port = 0;
};

void TestLogins::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    m_port = m_cluster.connection().value(u"port").toInt();
    m_cluster.addSite(QStringLiteral("demo-own"), m_port, QStringLiteral("demo"));
    for (const auto& user : {QStringLiteral("demo-csh"), QStringLiteral("demo-fish")})
        m_cluster.addSite(user, m_port, user);
}

/// The only line of the test's own known_hosts; empty: none.
void TestLogins::rememberKey(const QByteArray& key)
{
    QDir().mkpath(m_cluster.home() + u"/.ssh");
    QFile file(m_cluster.home() + u"/.ssh/known_hosts");
    QVERIFY(file.open(QIODevice::WriteOnly));
    if (!key.isEmpty())
        file.write("[127.0.0.1]:" + QByteArray::number(m_port) + ' ' + key + '\n');
}

void TestLogins::password_isAskedForAndLogsIn()
{
    rememberKey({});
    m_cluster.setKey(false);
    ListPrompter prompter;
    prompter.accept = true;
    prompter.answers = {{m_cluster.password()}, {m_cluster.password()}};
    const auto engine = m_cluster.engine();
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("demo-own"), &prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
    QCOMPARE(prompter.keys.size(), 1);
    QVERIFY(!prompter.rounds.isEmpty());
    QVERIFY(!prompter.rounds.first().prompts.empty());
    QVERIFY(!prompter.rounds.first().prompts.front().echo);
    QCOMPARE(engine->sessions()->clusterInfo(QStringLiteral("demo-own"))->userName,
        QStringLiteral("demo"));
    QVERIFY(awaited(engine->sessions()->connectSite(QStringLiteral("demo-own"), &prompter)).ok());
    QCOMPARE(engine->sessions()->connection(QStringLiteral("demo-own")).phase,
        ConnectionState::Phase::Connected);
}

void TestLogins::wrongPassword_isRefusedAsAuthentication()
{
    m_cluster.setKey(false);
    ListPrompter prompter;
    prompter.accept = true;
    for (int i = 0; i < 8; ++i)
        prompter.answers.append({QStringLiteral("wrong")});
    const auto engine = m_cluster.engine();
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("demo-own"), &prompter));
    QVERIFY(!connected.ok());
    QVERIFY2(
        connected.error().kind == ErrorKind::Authentication, qPrintable(connected.error().text()));
    QCOMPARE(engine->sessions()->connection(QStringLiteral("demo-own")).phase,
        ConnectionState::Phase::Disconnected);
    QVERIFY(engine->sessions()->connection(QStringLiteral("demo-own")).error.has_value());
}

void TestLogins::unknownHostKey_isRefusedUnlessAccepted()
{
    rememberKey({});
    m_cluster.setKey(true);
    ListPrompter prompter;
    const auto engine = m_cluster.engine();
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("demo-own"), &prompter));
    QVERIFY(!connected.ok());
    QCOMPARE(connected.error().kind, ErrorKind::HostKey);
    QCOMPARE(prompter.keys.size(), 1);
    QVERIFY(prompter.keys.first().sha256.startsWith(QStringLiteral("SHA256:")));
    QVERIFY(prompter.rounds.isEmpty());
}

void TestLogins::changedHostKey_isRefused()
{
    rememberKey("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f");
    m_cluster.setKey(true);
    ListPrompter prompter;
    prompter.accept = true;
    prompter.answers = {{m_cluster.password()}};
    const auto engine = m_cluster.engine();
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("demo-own"), &prompter));
    QVERIFY(!connected.ok());
    QVERIFY2(connected.error().kind == ErrorKind::HostKey, qPrintable(connected.error().text()));
    QVERIFY(prompter.keys.isEmpty()); // a changed key is no question
    QVERIFY(prompter.rounds.isEmpty()); // and nothing secret was sent
    rememberKey({});
}

void TestLogins::loginShell_runsAJobAllTheSame_data()
{
    QTest::addColumn<QString>("user");
    QTest::newRow("csh") << QStringLiteral("demo-csh");
    QTest::newRow("fish") << QStringLiteral("demo-fish");
}

void TestLogins::loginShell_runsAJobAllTheSame()
{
    QFETCH(QString, user);
    rememberKey({});
    m_cluster.setKey(true);
    ListPrompter prompter;
    prompter.accept = true;
    for (int i = 0; i < 4; ++i)
        prompter.answers.append({m_cluster.password()});
    const auto engine = m_cluster.engine();
    const auto connected = awaited(engine->sessions()->connectSite(user, &prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
    QCOMPARE(engine->sessions()->clusterInfo(user)->userName, user);
    const auto id = awaited(
        engine->runs()->launch(commandSpec(QStringLiteral("echo \"it's\" '$HOME!'"), user)));
    QVERIFY2(id.ok(), qPrintable(id.ok() ? QString() : id.error().text()));
    QVERIFY(waitForEnd(*engine, *id, 60));
    QVERIFY2(engine->runs()->run(*id)->phase == RunPhase::Done,
        qPrintable(engine->runs()->run(*id)->sentence));
    QTRY_VERIFY(engine->runs()->feed(*id)->lines().contains(QStringLiteral("it's $HOME!")));
}

SLIPWAY_TEST(TestLogins, cluster_logins)
#include "tst_logins.moc"

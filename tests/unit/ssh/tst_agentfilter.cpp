// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/agentfilter.h"
#include "tests/support/playedagent.h"
#include "tests/support/testmain.h"

#include <QElapsedTimer>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace slipway;

/// What is said of an agent's work, with one that answers from a list.
class TestAgentFilter : public QObject {
    Q_OBJECT

private slots:
    void securityKey_isToBeTouched_data();
    void securityKey_isToBeTouched();
    void silentAgent_isAbandoned();
};

void TestAgentFilter::securityKey_isToBeTouched_data()
{
    QTest::addColumn<QByteArray>("request"); ///< its number
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<bool>("touch");
    const QByteArray sign(1, 13);
    const QByteArray list(1, 11);
    QTest::newRow("ed25519 on a key") << sign << QByteArray("sk-ssh-ed25519@openssh.com") << true;
    QTest::newRow("ecdsa on a key")
        << sign << QByteArray("sk-ecdsa-sha2-nistp256@openssh.com") << true;
    QTest::newRow("ed25519") << sign << QByteArray("ssh-ed25519") << false;
    QTest::newRow("a list") << list << QByteArray("sk-ssh-ed25519@openssh.com") << false;
    QTest::newRow("no type") << sign << QByteArray() << false;
}

void TestAgentFilter::securityKey_isToBeTouched()
{
    QFETCH(QByteArray, request);
    QFETCH(QByteArray, type);
    QFETCH(bool, touch);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("agent"));
    const PlayedAgent agent(path, [](const QByteArray&) { return QByteArray(1, 5); }); // a refusal
    QVERIFY(agent.isListening());
    LinkGate gate;
    std::atomic<int> touches = 0;
    std::atomic<int> silences = 0;
    AgentFilter filter(
        gate, path, {}, false, {[&touches] { ++touches; }, [&silences] { ++silences; }});
    QVERIFY(filter.running());
    const Fd near(filter.takeFd());
    const QByteArray blob = type.isEmpty() ? QByteArray("x") : QByteArray(sshString(type) + "key");
    const QByteArray message =
        sshString(request + sshString(blob) + sshString("data") + QByteArray(4, 0));
    QCOMPARE(
        ::write(near.get(), message.constData(), size_t(message.size())), ssize_t(message.size()));
    char answer[5] = {};
    QCOMPARE(::recv(near.get(), answer, sizeof(answer), MSG_WAITALL), ssize_t(5));
    QCOMPARE(int(answer[4]), 5);
    QCOMPARE(int(touches), touch ? 1 : 0);
    QCOMPARE(int(silences), 0);
}

void TestAgentFilter::silentAgent_isAbandoned()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("agent"));
    const PlayedAgent agent(path, [](const QByteArray&) { return QByteArray(); });
    QVERIFY(agent.isListening());
    const auto usual = AgentFilter::patience.exchange(std::chrono::milliseconds(100));
    const auto restore = qScopeGuard([usual] { AgentFilter::patience = usual; });
    QCOMPARE(usual, std::chrono::milliseconds(10'000));
    LinkGate gate;
    std::atomic<int> silences = 0;
    AgentFilter filter(gate, path, {}, false, {{}, [&silences] { ++silences; }});
    QVERIFY(filter.running());
    const Fd near(filter.takeFd());
    const QByteArray list = sshString(QByteArray(1, 11));
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(::write(near.get(), list.constData(), size_t(list.size())), ssize_t(list.size()));
    char answer = 0;
    QCOMPARE(::recv(near.get(), &answer, 1, 0), ssize_t(0)); // an end
    QVERIFY2(timer.elapsed() >= 90 && timer.elapsed() < 8000,
        qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(int(silences), 1);
}

SLIPWAY_TEST(TestAgentFilter, ssh_agentfilter)
#include "tst_agentfilter.moc"

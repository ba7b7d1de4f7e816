// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/cutproxy.h"
#include "tests/support/heartbeat.h"
#include "tests/support/sshdlogin.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <thread>

using namespace slipway;
using namespace std::chrono_literals;

class TestLink : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();

    void killedServer_endsEverythingOnce();
    void cutLine_endsEverythingOnce();
    void blackHole_isStalledThenDown();
    void blackHole_thatEndsInTimeLosesNothing();
    void rekeyingServer_losesNothing();
    void idleLink_staysUp();
    void deadLinkAfterSleep_isGivenUpSoon();
    void liveLinkAfterSleep_staysUp();
    void programThatStoodStill_asksBeforeItGivesUp();
    void addressThatIsGone_endsTheLinkAtOnce();
    void close_endsEverythingOnce();

private:
    SshConnector::Settings quick() const;
    qsizetype probes() const;

    SshdFixture m_sshd;
};

void TestLink::initTestCase()
{
    qunsetenv("SSH_AUTH_SOCK");
    QCOMPARE(m_sshd.start(), QString());
}

/// The real times, divided by thirty.
SshConnector::Settings TestLink::quick() const
{
    SshConnector::Settings settings;
    settings.times.probeAfter = 333ms;
    settings.times.stalledAfter = 500ms;
    settings.times.downAfter = 1500ms;
    return settings;
}

/// That reached the server; each but the first shows that the one before it was answered.
qsizetype TestLink::probes() const
{
    return m_sshd.log().count("keepalive@openssh.com");
}

void TestLink::killedServer_endsEverythingOnce()
{
    const auto shell = connected(m_sshd);
    QVERIFY(shell);
    QSignalSpy closed(shell.get(), &Shell::closed);
    const auto quiet = shell->start({"sleep 60"});
    const auto loud = shell->start({"while :; do echo x; sleep 0.01; done"});
    QSignalSpy quietFinished(quiet.get(), &Process::finished);
    QSignalSpy loudFinished(loud.get(), &Process::finished);
    QSignalSpy loudOutput(loud.get(), &Process::output);
    auto pending = shell->run("sleep 60");
    QTRY_VERIFY(loudOutput.count() > 0);
    QElapsedTimer timer;
    timer.start();
    m_sshd.killSessions();
    const auto ran = awaited(std::move(pending));
    QVERIFY(!ran.ok());
    QCOMPARE(ran.error().kind, ErrorKind::LinkLost);
    QTRY_COMPARE(quietFinished.count(), 1);
    QTRY_COMPARE(loudFinished.count(), 1);
    QTRY_COMPARE(closed.count(), 1);
    // A silent line would be given up after 45 s.
    QVERIFY2(timer.elapsed() < 12'000, qPrintable(QString::number(timer.elapsed())));
    noteTarget(
        "T3", QStringLiteral("sshd killed: everything told after %1 ms").arg(timer.elapsed()));
    QCOMPARE(exitOf(quietFinished).error().kind, ErrorKind::LinkLost);
    QCOMPARE(shell->linkState(), LinkState::Down);
    QTest::qWait(200);
    QCOMPARE(quietFinished.count(), 1);
    QCOMPARE(loudFinished.count(), 1);
    QCOMPARE(closed.count(), 1);
    QCOMPARE(awaited(shell->run("true")).error().kind, ErrorKind::LinkLost);
}

void TestLink::cutLine_endsEverythingOnce()
{
    CutProxy proxy(m_sshd.port());
    const auto shell = connected(m_sshd, {}, proxy.port());
    QVERIFY(shell);
    QSignalSpy closed(shell.get(), &Shell::closed);
    auto pending = shell->run("sleep 60");
    QTest::qWait(100);
    proxy.cut();
    const auto ran = awaited(std::move(pending));
    QCOMPARE(ran.error().kind, ErrorKind::LinkLost);
    QTRY_COMPARE(closed.count(), 1);
}

void TestLink::blackHole_isStalledThenDown()
{
    CutProxy proxy(m_sshd.port());
    const auto shell = connected(m_sshd, quick(), proxy.port());
    QVERIFY(shell);
    QList<std::pair<LinkState, qint64>> states;
    QElapsedTimer timer;
    connect(shell.get(), &Shell::linkStateChanged, this, [&](LinkState state) {
        states.append({state, timer.elapsed()});
    });
    QSignalSpy closed(shell.get(), &Shell::closed);
    const auto process = shell->start({"while :; do echo x; sleep 0.1; done"});
    QSignalSpy finished(process.get(), &Process::finished);
    QSignalSpy output(process.get(), &Process::output);
    QTRY_VERIFY(output.count() > 1);

    const Heartbeat heartbeat;
    QVERIFY(output.wait(20'000)); // the silence begins here, however slowly the lines come
    states.clear();
    timer.start();
    proxy.pause();
    QTRY_COMPARE(closed.count(), 1);
    // Whoever waits for the line is held up for as long as it is dead.
    QVERIFY2(heartbeat.worst() < 300, qPrintable(QString::number(heartbeat.worst())));
    QCOMPARE(states.size(), 2);
    QCOMPARE(states[0].first, LinkState::Stalled);
    QVERIFY2(states[0].second > 350, qPrintable(QString::number(states[0].second)));
    QCOMPARE(states[1].first, LinkState::Down);
    QVERIFY2(states[1].second > 1300 && states[1].second < 12'000,
        qPrintable(QString::number(states[1].second)));
    noteTarget("T2",
        QStringLiteral("silent line: stalled after %1 ms, down after %2 ms (the real times divided "
                       "by 30), the main thread was held for at most %3 ms")
            .arg(states[0].second)
            .arg(states[1].second)
            .arg(heartbeat.worst()));
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(exitOf(finished).error().kind, ErrorKind::LinkLost);
}

void TestLink::blackHole_thatEndsInTimeLosesNothing()
{
    CutProxy proxy(m_sshd.port());
    SshConnector::Settings settings = quick();
    settings.times.downAfter = 60s;
    const auto shell = connected(m_sshd, settings, proxy.port());
    QVERIFY(shell);
    const auto process =
        shell->start({"i=0; while [ $i -lt 100 ]; do echo $i; i=$((i+1)); sleep 0.01; done"});
    QSignalSpy finished(process.get(), &Process::finished);
    QByteArray out;
    connect(process.get(), &Process::output, this, [&](const QByteArray& bytes) { out += bytes; });
    QTRY_VERIFY(!out.isEmpty());
    proxy.pause();
    QTRY_COMPARE(shell->linkState(), LinkState::Stalled);
    proxy.resume();
    QTRY_COMPARE(finished.count(), 1);
    QTRY_COMPARE(shell->linkState(), LinkState::Up);
    QByteArray expected;
    for (int i = 0; i < 100; ++i)
        expected += QByteArray::number(i) + '\n';
    QCOMPARE(out, expected);
}

/// New keys after each MiB, in both directions at once.
void TestLink::rekeyingServer_losesNothing()
{
    constexpr int size = 12 * 1024 * 1024;
    SshdFixture sshd;
    QCOMPARE(sshd.start({QStringLiteral("RekeyLimit 1M")}), QString());
    sshd.trustHostKey();
    const auto shell = connected(sshd);
    QVERIFY(shell);
    QSignalSpy closed(shell.get(), &Shell::closed);
    const auto down =
        shell->start({"head -c " + QByteArray::number(size) + " /dev/zero | tr '\\0' x"});
    const auto up = shell->start({"cat | cksum", Invocation::Place::Argument});
    QSignalSpy downFinished(down.get(), &Process::finished);
    QSignalSpy upFinished(up.get(), &Process::finished);
    QByteArray came, sum;
    connect(down.get(), &Process::output, this, [&](const QByteArray& bytes) { came += bytes; });
    connect(up.get(), &Process::output, this, [&](const QByteArray& bytes) { sum += bytes; });
    up->write(QByteArray(size, 'x'));
    up->closeInput();
    QTRY_COMPARE_WITH_TIMEOUT(downFinished.count() + upFinished.count(), 2, 60'000);
    QVERIFY(came == QByteArray(size, 'x'));
    QVERIFY2(sum.endsWith(QByteArray(" " + QByteArray::number(size) + "\n")), sum.constData());
    QCOMPARE(closed.count(), 0);
    QVERIFY(sshd.log().count("rekey") >= 10);
}

void TestLink::idleLink_staysUp()
{
    // How soon a busy server answers is not what is asked here.
    SshConnector::Settings settings = quick();
    settings.times.stalledAfter = 30s;
    settings.times.downAfter = 60s;
    m_sshd.clearLog();
    const auto shell = connected(m_sshd, settings);
    QVERIFY(shell);
    QSignalSpy states(shell.get(), &Shell::linkStateChanged);
    QTRY_VERIFY(probes() >= 5);
    QCOMPARE(states.count(), 0);
    QVERIFY(awaited(shell->run("true")).ok());
}

/// With the real times: 45 s of silence, but 5 s after waking.
void TestLink::deadLinkAfterSleep_isGivenUpSoon()
{
    CutProxy proxy(m_sshd.port());
    std::atomic<int> slept = 0; // s
    SshConnector::Settings settings;
    settings.senses.slept = [&slept] { return std::chrono::seconds(slept.load()); };
    const auto shell = connected(m_sshd, settings, proxy.port());
    QVERIFY(shell);
    QSignalSpy closed(shell.get(), &Shell::closed);
    proxy.pause();
    QElapsedTimer timer;
    timer.start();
    slept = 8 * 3600;
    QTRY_COMPARE(closed.count(), 1);
    QVERIFY2(timer.elapsed() > 4500, qPrintable(QString::number(timer.elapsed())));
}

void TestLink::liveLinkAfterSleep_staysUp()
{
    std::atomic<int> slept = 0;
    SshConnector::Settings settings;
    settings.senses.slept = [&slept] { return std::chrono::seconds(slept.load()); };
    settings.times.downAfterWaking = 8s;
    const auto shell = connected(m_sshd, settings);
    QVERIFY(shell);
    QSignalSpy states(shell.get(), &Shell::linkStateChanged);
    slept = 60;
    QTest::qWait(10'000);
    QCOMPARE(states.count(), 0);
    QVERIFY(awaited(shell->run("true")).ok());
}

/// A stopped or frozen process hears nothing either, and the computer did not sleep.
void TestLink::programThatStoodStill_asksBeforeItGivesUp()
{
    std::atomic<bool> stands = false;
    SshConnector::Settings settings = quick();
    settings.times.downAfter = 5s;
    settings.senses.slept = [&stands] {
        if (stands.exchange(false))
            std::this_thread::sleep_for(6500ms); // 5 s of silence are the end
        return 0ms;
    };
    const auto shell = connected(m_sshd, settings);
    QVERIFY(shell);
    QSignalSpy closed(shell.get(), &Shell::closed);
    stands = true;
    QTRY_VERIFY(!stands);
    m_sshd.clearLog();
    QTRY_VERIFY(probes() >= 4 || closed.count() > 0);
    QCOMPARE(closed.count(), 0);
    QVERIFY(awaited(shell->run("true")).ok());
}

void TestLink::addressThatIsGone_endsTheLinkAtOnce()
{
    std::atomic<bool> gone = false;
    SshConnector::Settings settings;
    settings.senses.addressIsGone = [&gone](int fd) { return fd >= 0 && gone; };
    const auto shell = connected(m_sshd, settings);
    QVERIFY(shell);
    QSignalSpy closed(shell.get(), &Shell::closed);
    gone = true;
    QTRY_COMPARE(closed.count(), 1); // 45 s without that
}

void TestLink::close_endsEverythingOnce()
{
    const auto shell = connected(m_sshd);
    QVERIFY(shell);
    QSignalSpy closed(shell.get(), &Shell::closed);
    const auto process = shell->start({"sleep 60"});
    QSignalSpy finished(process.get(), &Process::finished);
    QTest::qWait(50);
    shell->close();
    const auto late = shell->start({"true"});
    QSignalSpy lateFinished(late.get(), &Process::finished);
    QTRY_COMPARE(closed.count(), 1);
    QTRY_COMPARE(finished.count(), 1);
    QTRY_COMPARE(lateFinished.count(), 1);
    QCOMPARE(exitOf(finished).error().kind, ErrorKind::LinkLost);
    QCOMPARE(exitOf(lateFinished).error().kind, ErrorKind::LinkLost);
}

SLIPWAY_TEST(TestLink, ssh_link)
#include "tst_link.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/cutproxy.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>

using namespace slipway;

/// What goes wrong on real clusters, on the real demo cluster: full disks, cut lines, a silent
/// scheduler.
class TestFaults : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void fullDisk_submitsNothingAndSaysSo();
    void cutLine_theJobGoesOnAndTheLogResumesAtItsByte();
    void silentScheduler_endsNoRun();
    void cleanupTestCase();

private:
    DemoClusterFixture m_cluster;
};

void TestFaults::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    m_cluster.prompter.accept = true;
    m_cluster.addSite(QStringLiteral("tiny"), m_cluster.connection().value(u"port").toInt(),
        QStringLiteral("demo"), m_cluster.connection().value(u"tiny_scratch").toString());
}

void TestFaults::fullDisk_submitsNothingAndSaysSo()
{
    const auto engine = m_cluster.engine();
    QVERIFY(
        awaited(engine->sessions()->connectSite(QStringLiteral("tiny"), &m_cluster.prompter)).ok());
    m_cluster.ssh(QStringLiteral(
        "mkdir -p -m 700 /scratch-tiny/slipway; head -c 4000000 /dev/zero > /scratch-tiny/fill"));
    QElapsedTimer clock;
    clock.start();
    const auto id = awaited(
        engine->runs()->launch(commandSpec(QStringLiteral("true"), QStringLiteral("tiny"))));
    const qint64 took = clock.elapsed();
    m_cluster.ssh(QStringLiteral("rm -rf /scratch-tiny/fill /scratch-tiny/slipway"));
    QVERIFY(!id.ok());
    QVERIFY2(id.error().kind == ErrorKind::DiskFull, qPrintable(id.error().text()));
    QVERIFY(id.error().summary.contains(QStringLiteral("Nothing was submitted")));
    QCOMPARE(engine->runs()->all().size(), size_t(1));
    const Run run = engine->runs()->all().front();
    QCOMPARE(run.phase, RunPhase::Failed);
    QVERIFY(!run.job.isValid());
    QVERIFY(!m_cluster.ssh(QStringLiteral("squeue -h -t all -O Comment:80"))
                 .out.contains(run.tag.toUtf8()));
    QVERIFY2(took <= 5000, qPrintable(QString::number(took)));
    noteTarget("T16",
        QStringLiteral("disk full: said after %1 s, nothing submitted")
            .arg(double(took) / 1000, 0, 'f', 1));
}

void TestFaults::cutLine_theJobGoesOnAndTheLogResumesAtItsByte()
{
    CutProxy proxy(m_cluster.connection().value(u"port").toInt());
    m_cluster.addSite(QStringLiteral("cut"), proxy.port(), QStringLiteral("demo"));
    const auto engine = m_cluster.engine();
    const auto site = QStringLiteral("cut");
    QVERIFY(awaited(engine->sessions()->connectSite(site, &m_cluster.prompter)).ok());
    const auto id = awaited(engine->runs()->launch(
        commandSpec(QStringLiteral("sh -c 'for i in $(seq 1 240); do echo line $i of a log; [ $((i "
                                   "% 20)) = 0 ] && sleep 0.5; done'"),
            site)));
    QVERIFY2(id.ok(), qPrintable(id.ok() ? QString() : id.error().text()));
    QVERIFY(waitForRun(
        *engine, *id, [](const Run& run) { return run.logBytes > 1000; }, 60));
    const int port = proxy.port();
    proxy.refuse();
    proxy.cut();
    QTRY_COMPARE_WITH_TIMEOUT(
        engine->sessions()->connection(site).phase, ConnectionState::Phase::Reconnecting, 60000);
    QVERIFY(engine->sessions()->connection(site).error.has_value());
    QVERIFY(!isTerminal(engine->runs()->run(*id)->phase));
    QVERIFY2(engine->runs()->run(*id)->sentence.contains(u"the job continues"),
        qPrintable(engine->runs()->run(*id)->sentence));
    QTest::qWait(2000);
    proxy.listenAgain(port);
    QTRY_COMPARE_WITH_TIMEOUT(
        engine->sessions()->connection(site).phase, ConnectionState::Phase::Connected, 60000);
    QVERIFY(waitForEnd(*engine, *id, 60));
    const Run run = *engine->runs()->run(*id);
    QVERIFY2(run.phase == RunPhase::Done, qPrintable(run.sentence));
    QFile log(m_cluster.dataFolder() + u"/runs/" + *id + u"/log.bin");
    QVERIFY(log.open(QIODevice::ReadOnly));
    const QByteArray here =
        QCryptographicHash::hash(log.readAll(), QCryptographicHash::Sha256).toHex();
    QCOMPARE(here, m_cluster.ssh(u"sha256sum < " + run.logFile).out.left(64));
}

void TestFaults::silentScheduler_endsNoRun()
{
    const auto engine = m_cluster.engine();
    const auto site = QStringLiteral("demo");
    QVERIFY(awaited(engine->sessions()->connectSite(site, &m_cluster.prompter)).ok());
    // From the first line on the command itself runs. A run is "Running" earlier, and srun gives up
    // creating its step after ten seconds without an answer.
    const auto id = awaited(
        engine->runs()->launch(commandSpec(QStringLiteral("sh -c 'echo began; sleep 30'"))));
    QVERIFY(id.ok());
    QVERIFY(waitForRun(
        *engine, *id,
        [&](const Run&) {
            QFile log(m_cluster.dataFolder() + u"/runs/" + *id + u"/log.bin");
            return log.open(QIODevice::ReadOnly) && log.readAll().contains("\nbegan\n");
        },
        60));
    const auto cluster = engine->sessions()->cluster(site);
    const int before = cluster->callsLastMinute();
    m_cluster.root(QStringLiteral("login"), QStringLiteral("pkill -STOP -x slurmctld"));
    const bool ended = waitForEnd(*engine, *id, 20);
    m_cluster.root(QStringLiteral("login"), QStringLiteral("pkill -CONT -x slurmctld"));
    QVERIFY2(!ended, qPrintable(engine->runs()->run(*id)->sentence));
    const int calls = cluster->callsLastMinute() - before;
    QVERIFY2(calls <= 6, qPrintable(QString::number(calls)));
    QVERIFY(waitForEnd(*engine, *id, 90));
    QVERIFY2(engine->runs()->run(*id)->phase == RunPhase::Done,
        qPrintable(engine->runs()->run(*id)->sentence));
    noteTarget("T9",
        QStringLiteral("slurmctld stopped for 20 s of the 5 minutes: %1 calls, no end concluded")
            .arg(std::max(0, calls)));
}

void TestFaults::cleanupTestCase()
{
    m_cluster.root(QStringLiteral("login"), QStringLiteral("pkill -CONT -x slurmctld"));
}

SLIPWAY_TEST(TestFaults, cluster_faults)
#include "tst_faults.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/cluster/terminal.h"
#include "tests/support/cutproxy.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

#include <csignal>

using namespace slipway;

/// The terminal program where it is cut off, stopped or asked again, on the real demo cluster.
class TestTerminal : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_cluster.renewCalls(); }
    void lostLink_isMadeAgainAndTheLogIsWhole();
    void lostLink_isMadeAgainAndTheTransferGoesOn();
    void lostLink_thatNeedsAPersonEndsWithCode3AndTheLineToComeBackWith();
    void lostLink_endsASweepThatNeedsAPerson();
    void show_reachesTheEndOfADetachedRun();
    void killedInteractiveRun_isResumedAndReleased();
    void interruptedFetch_endsAtOnce();
    void killedInASlowSubmission_theJobIsFound();

private:
    Terminal start(const QStringList& words) { return Terminal(m_cluster.terminal(words)); }
    bool inQueue(const QString& job);

    DemoClusterFixture m_cluster;
};

void TestTerminal::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
}

bool TestTerminal::inQueue(const QString& job)
{
    return m_cluster.ssh(u"squeue -h -o %i -t PD,R,CG -j " + job).out.contains(job.toUtf8());
}

/// The login was by key, so nobody is needed. When the network comes back, the next attempt by
/// itself is a quarter of a minute away. SLIPWAY_CUT="60 100": for 60 s, in a log of 100 MB.
void TestTerminal::lostLink_isMadeAgainAndTheLogIsWhole()
{
    CutProxy proxy(m_cluster.connection().value(u"port").toInt());
    m_cluster.addSite(QStringLiteral("cut"), proxy.port(), QStringLiteral("demo"));
    const QStringList asked = qEnvironmentVariable("SLIPWAY_CUT").split(u' ');
    const int secondsOfCut = asked.size() == 2 ? asked[0].toInt() : 17;
    const int kilobytes =
        asked.size() == 2 ? asked[1].toInt() * 1000 : 400; // of eight bytes a line
    const int each = kilobytes * 1000 / 8 / 60;
    Terminal run = start(runWords(QStringLiteral("cut"),
        QStringLiteral("for i in $(seq 60); do echo line $i; seq 1000000 %1; sleep %2; done")
            .arg(1'000'000 + each - 1)
            .arg(double(secondsOfCut) / 50)));
    run.process->write("yes\n"); // the key of the proxy's port is not known
    QVERIFY2(run.prints("\nline 3"), run.all());
    const int port = proxy.port();
    proxy.refuse();
    proxy.cut();
    QVERIFY2(run.prints("Connection lost"), run.all());
    QVERIFY2(run.err.contains("reconnecting"), run.all());
    QTest::qWait(secondsOfCut * 1000);
    proxy.listenAgain(port);
    QElapsedTimer timer;
    timer.start();
    QVERIFY2(run.prints("Connected again."), run.all());
    const auto took = timer.elapsed();
    QVERIFY2(took < 10'000, qPrintable(QString::number(took)));
    QCOMPARE(run.ended(120), 0);
    QByteArray block;
    for (int i = 0; i < each; ++i)
        block += QByteArray::number(1'000'000 + i) + '\n';
    QByteArray expected;
    for (int i = 1; i <= 60; ++i)
        expected += "line " + QByteArray::number(i) + '\n' + block;
    QVERIFY2(run.out.contains(expected), run.all().right(4000));
    noteTarget("T1",
        QStringLiteral("terminal program, network gone for %1 s in a log of %2 MB: connected "
                       "again %3 ms after it was back, every line once")
            .arg(secondsOfCut)
            .arg(double(kilobytes) / 1000)
            .arg(took));
}

/// One program, one command: the rest of the file comes over the next connection.
void TestTerminal::lostLink_isMadeAgainAndTheTransferGoesOn()
{
    CutProxy proxy(m_cluster.connection().value(u"port").toInt());
    m_cluster.addSite(QStringLiteral("cut"), proxy.port(), QStringLiteral("demo"));
    Terminal run = start(runWords(QStringLiteral("cut"),
        QStringLiteral("yes weights | head -c 300000000 >$SLURM_SUBMIT_DIR/weights.bin")));
    run.process->write("yes\n");
    QVERIFY2(run.ended() == 0, run.all());
    const QString here = m_cluster.home() + u"/brought";
    Terminal fetch = start({QStringLiteral("fetch"), run.runId(), here});
    const auto arrived = [&here] {
        QDirIterator part(
            here, {QStringLiteral("weights.bin.part")}, QDir::Files, QDirIterator::Subdirectories);
        return part.hasNext() ? QFileInfo(part.next()).size() : 0;
    };
    QTRY_VERIFY2_WITH_TIMEOUT(arrived() > 1'000'000, fetch.all(), 30'000);
    proxy.cut();
    QVERIFY2(fetch.ended(60) == 0, fetch.all());
    QVERIFY2(fetch.err.contains("Connection lost"), fetch.all());
    QVERIFY2(fetch.err.contains("Connected again"), fetch.all());
    QDirIterator whole(
        here, {QStringLiteral("weights.bin")}, QDir::Files, QDirIterator::Subdirectories);
    QVERIFY2(whole.hasNext(), fetch.all());
    QCOMPARE(QFileInfo(whole.next()).size(), qint64(300'000'000));
    m_cluster.ssh(u"rm -f /scratch/demo/slipway/*" + run.runId() + u"/weights.bin");
}

void TestTerminal::lostLink_thatNeedsAPersonEndsWithCode3AndTheLineToComeBackWith()
{
    CutProxy proxy(m_cluster.connection().value(u"port").toInt());
    m_cluster.addSite(QStringLiteral("cut"), proxy.port(), QStringLiteral("demo"));
    m_cluster.setKey(false);
    const auto after = qScopeGuard([this] { m_cluster.setKey(true); });
    Terminal run = start(runWords(QStringLiteral("cut"),
        QStringLiteral("for i in $(seq 20); do echo line $i; sleep 0.3; done")));
    run.process->write("yes\n" + m_cluster.password().toUtf8() + '\n');
    QVERIFY2(run.prints("\nline 3"), run.all());
    proxy.cut();
    QCOMPARE(run.ended(60), 3);
    QVERIFY2(run.err.contains("The connection was lost"), run.all());
    const QString id = run.runId();
    QVERIFY2(!id.isEmpty(), run.all());
    const QString back = QStringLiteral("slipway-cli log %1 --follow").arg(id);
    QVERIFY2(run.err.contains(back.toUtf8()), run.all());
    m_cluster.setKey(true);
    // Both programs together would need more than the twelve calls of a minute.
    m_cluster.renewCalls();
    // That line works, and nothing is missing.
    Terminal again = start(back.split(u' ').mid(1));
    QVERIFY2(again.ended() == 0, again.all());
    QVERIFY2(again.out.contains("line 1\n") && again.out.contains("line 20\n"), again.all());
}

void TestTerminal::lostLink_endsASweepThatNeedsAPerson()
{
    CutProxy proxy(m_cluster.connection().value(u"port").toInt());
    m_cluster.addSite(QStringLiteral("cut"), proxy.port(), QStringLiteral("demo"));
    m_cluster.setKey(false);
    const auto after = qScopeGuard([this] { m_cluster.setKey(true); });
    Terminal sweep = start(runWords(QStringLiteral("cut"), QStringLiteral("sleep 8"),
        {QStringLiteral("--sweep"), QStringLiteral("cpus=1,2"), QStringLiteral("--no-array")}));
    sweep.process->write("yes\n" + m_cluster.password().toUtf8() + '\n');
    QTRY_VERIFY2_WITH_TIMEOUT(sweep.err.count(" is job ") == 2, sweep.all(), 60'000);
    proxy.cut();
    QVERIFY2(sweep.ended(60) == 3, sweep.all());
    QVERIFY2(sweep.err.contains("The connection was lost"), sweep.all());
    QVERIFY2(sweep.err.contains("The jobs continue"), sweep.all());
}

void TestTerminal::show_reachesTheEndOfADetachedRun()
{
    Terminal run = start(
        runWords(QStringLiteral("demo"), QStringLiteral("sleep 2"), {QStringLiteral("--detach")}));
    QVERIFY2(run.ended() == 0, run.all());
    QTRY_VERIFY_WITH_TIMEOUT(!inQueue(run.jobId()), 60'000);
    Terminal show = start({QStringLiteral("show"), run.runId()});
    QVERIFY2(show.ended() == 0, show.all());
    QVERIFY2(show.out.contains("done: Done."), show.all());
}

/// Whoever comes next knows that the nodes were to be given back at the end of the steps.
void TestTerminal::killedInteractiveRun_isResumedAndReleased()
{
    Terminal run = start(runWords(QStringLiteral("demo"),
        QStringLiteral("for i in $(seq 16); do echo step $i; sleep 0.5; done"),
        {QStringLiteral("--interactive")}));
    QVERIFY2(run.prints("\nstep 2"), run.all());
    run.process->kill();
    QCOMPARE(run.ended(), -1);
    QVERIFY(inQueue(run.jobId()));
    Terminal again = start({QStringLiteral("log"), run.runId(), QStringLiteral("--follow")});
    QVERIFY2(again.ended() == 0, again.all());
    QVERIFY2(again.out.contains("step 16\n"), again.all());
    QTRY_VERIFY_WITH_TIMEOUT(!inQueue(run.jobId()), 30'000);
}

void TestTerminal::interruptedFetch_endsAtOnce()
{
    Terminal run = start(runWords(QStringLiteral("demo"),
        QStringLiteral(
            "for i in 1 2 3 4 5 6; do truncate -s 500M $SLURM_SUBMIT_DIR/large$i; done")));
    QVERIFY2(run.ended() == 0, run.all());
    Terminal fetch = start({QStringLiteral("fetch"), run.runId(), m_cluster.home() + u"/fetched"});
    QVERIFY2(fetch.prints("Fetching run"), fetch.all());
    QTRY_VERIFY_WITH_TIMEOUT(!QDir(m_cluster.home() + u"/fetched").isEmpty(), 30'000);
    ::kill(pid_t(fetch.process->processId()), SIGINT);
    QCOMPARE(fetch.ended(60), 130);
    m_cluster.ssh(u"rm -f /scratch/demo/slipway/*" + run.runId() + u"/large?");
}

/// An sbatch that takes its time, first on the remote PATH; the program is killed while it waits
/// for it.
void TestTerminal::killedInASlowSubmission_theJobIsFound()
{
    const QString scratch = QStringLiteral("/scratch/demo/slow-sbatch");
    const QString programs = scratch + u"/bin";
    const QString kept = QStringLiteral("~/.bashrc.before-slow-sbatch");
    const auto putBack = [&] {
        m_cluster.ssh(u"[ ! -e " + kept + u" ] || mv " + kept + u" ~/.bashrc; rm -rf " + scratch);
    };
    putBack(); // of a test that was ended
    const auto prepared = m_cluster.ssh(u"mkdir -p " + programs + u" && cd " + programs
        + u" && printf '%s\\n' '#!/bin/sh' 'case $PWD in " + scratch
        + u"/*) sleep 15 ;; esac' "
          u"'exec /usr/bin/sbatch \"$@\"' >sbatch && chmod +x sbatch && cp ~/.bashrc "
        + kept + u" && { echo PATH=" + programs + u":\\$PATH; cat " + kept + u"; } >~/.bashrc");
    const auto after = qScopeGuard(putBack);
    QVERIFY2(prepared.code == 0, prepared.out);
    m_cluster.addSite(QStringLiteral("slow"), m_cluster.connection().value(u"port").toInt(),
        QStringLiteral("demo"), scratch);
    Terminal run = start(runWords(QStringLiteral("slow"), QStringLiteral("echo came late")));
    run.process->write("yes\n");
    const auto lock = [&] {
        return m_cluster.ssh(u"ls -d " + scratch + u"/slipway/*/submit.lock 2>/dev/null").out;
    };
    QTRY_VERIFY2_WITH_TIMEOUT(lock().contains("submit.lock"), run.all(), 30'000);
    run.process->kill();
    QCOMPARE(run.ended(), -1);
    static const QRegularExpression folder(QStringLiteral("-(\\w+)/submit.lock"));
    const QString id = folder.match(QString::fromUtf8(lock())).captured(1);
    QVERIFY(!id.isEmpty());
    QVERIFY(m_cluster.ssh(u"ls " + scratch + u"/slipway/*/jobid").code != 0);
    Terminal again = start({QStringLiteral("log"), id, QStringLiteral("--follow")});
    // Fifteen seconds for sbatch, and a minute at most until there is room for another call.
    QVERIFY2(again.ended(120) == 0, again.all());
    QVERIFY2(again.out.contains("came late\n"), again.all());
    // One job, and no second one.
    const QByteArray jobs =
        m_cluster.ssh(u"squeue -h -t all -o %Z | grep -c -e '-" + id + u"$'").out;
    QCOMPARE(jobs.trimmed(), QByteArray("1"));
}

SLIPWAY_TEST(TestTerminal, cluster_terminal)
#include "tst_terminal.moc"

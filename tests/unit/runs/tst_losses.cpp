// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runjson.h"
#include "app/runs/runnews.h"
#include "app/runs/runrecord.h"
#include "app/runs/runwords.h"
#include "app/runs/sampletimes.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QTemporaryDir>
#include <QTest>
#include <QTimeZone>

using namespace slipway;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(slipway::EndFacts)

/// What is said of a run whose output is not complete, and of one whose cluster has another clock.
class TestLosses : public QObject {
    Q_OBJECT

private slots:
    void loss_isNeverPlainlyDone_data();
    void loss_isNeverPlainlyDone();
    void notedSizes_areReadFromWholeLines();
    void otherClock_changesNoDuration_data();
    void otherClock_changesNoDuration();
    void summerTime_changesNoDuration();
    void nodeThatIsBehind_endsNotBeforeItsBegin();
};

void TestLosses::loss_isNeverPlainlyDone_data()
{
    QTest::addColumn<EndFacts>("facts");
    QTest::addColumn<RunPhase>("phase");
    QTest::addColumn<QString>("said");
    const auto completed = [](const auto& change) {
        EndFacts facts;
        facts.state = JobState::Completed;
        facts.exit = ExitRecord();
        change(facts);
        return facts;
    };
    const QString purged = QStringLiteral("the run folder /s/r no longer exists.");
    QTest::newRow("folder purged") << completed([&](EndFacts& facts) {
        facts.lost = purged;
        facts.exit.reset();
    }) << RunPhase::Unknown << purged;
    QTest::newRow("no exit record") << completed([](EndFacts& facts) {
        facts.noRecord = QStringLiteral("it left no exit record.");
        facts.exit.reset();
    }) << RunPhase::Unknown << QStringLiteral("it left no exit record.");
    QTest::newRow("log cut on the cluster")
        << completed([](EndFacts& facts) { facts.logCut = QStringLiteral("it was truncated."); })
        << RunPhase::Done << QStringLiteral("Done, but the log is not complete: it was truncated.");
    QTest::newRow("log not complete here")
        << completed([](EndFacts& facts) { facts.logGap = QStringLiteral("No space."); })
        << RunPhase::Done << QStringLiteral("Done, but the log here is not complete: No space.");
    QTest::newRow("both") << completed([](EndFacts& facts) {
        facts.logCut = QStringLiteral("it was truncated.");
        facts.logGap = QStringLiteral("No space.");
    }) << RunPhase::Done << QStringLiteral("The log here is not complete: No space.");
    QTest::newRow("failed, and purged") << completed([&](EndFacts& facts) {
        facts.state = JobState::TimedOut;
        facts.lost = purged;
    }) << RunPhase::Failed << QString(u"Output was lost: " + purged);
    QTest::newRow("failed without a record") << completed([](EndFacts& facts) {
        facts.state = JobState::OutOfMemory; // nothing writes a record then
        facts.noRecord = QStringLiteral("it left no exit record.");
        facts.exit.reset();
    }) << RunPhase::Failed << QStringLiteral("more memory");
    QTest::newRow("forgotten by Slurm, and purged") << completed([&](EndFacts& facts) {
        facts.state.reset();
        facts.exit.reset();
        facts.lost = purged;
    }) << RunPhase::Unknown << purged;
}

void TestLosses::loss_isNeverPlainlyDone()
{
    QFETCH(EndFacts, facts);
    QFETCH(RunPhase, phase);
    QFETCH(QString, said);
    const RunEnd end = runEnd(facts);
    QCOMPARE(end.phase, phase);
    QVERIFY2(end.sentence.contains(said), qPrintable(end.sentence));
    QVERIFY2(!end.sentence.startsWith(u"Done."), qPrintable(end.sentence));
    QCOMPARE(end.sentence.count(said), 1);
}

void TestLosses::notedSizes_areReadFromWholeLines()
{
    QTemporaryDir folder;
    const QString log = folder.filePath(QStringLiteral("log.bin"));
    QCOMPARE(notedSizes(log).largest, qint64(0));
    keepLogTimes(log, "10 5\nnot a size\n-3 6\n900 7\n20 8\n99999 9", 0);
    QCOMPARE(notedSizes(log).largest, qint64(900));
    QCOMPARE(notedSizes(log).last, qint64(20));
}

void TestLosses::otherClock_changesNoDuration_data()
{
    QTest::addColumn<int>("ahead"); // s
    QTest::newRow("same clock") << 0;
    QTest::newRow("a few seconds") << 5;
    QTest::newRow("an hour ahead") << 3600;
    QTest::newRow("an hour behind") << -3600;
    QTest::newRow("two days behind") << -172'800;
}

void TestLosses::otherClock_changesNoDuration()
{
    QFETCH(int, ahead);
    QTemporaryDir folder;
    Run run;
    run.id = QStringLiteral("k3f9");
    run.phase = RunPhase::Queued;
    RunRecord record(run, folder.path(), nullptr, {});
    const QDateTime here = QDateTime::currentDateTimeUtc();
    Job job;
    job.state = JobState::Running;
    job.started = here.addSecs(ahead - 600); // ten minutes ago, by the cluster's clock
    job.elapsed = 600s;
    record.onJob(job, here);
    for (const qint64 later : {0, 60, 3600}) {
        const auto took = runDuration(record.run, here.addSecs(later));
        QVERIFY(took.has_value());
        QVERIFY2(
            qAbs(took->count() - 600 - later) <= 5, qPrintable(QString::number(took->count())));
    }
    // A message about the time that is left comes at the same moment.
    const auto limit = WallTime(1200s);
    QVERIFY(!timeNews(record.run, limit, QStringLiteral("s"), here.addSecs(60)));
    QVERIFY(timeNews(record.run, limit, QStringLiteral("s"), here.addSecs(500)));
    // It is kept with the run.
    const Result<Run> stored = runFromJson(runToJson(record.run));
    QVERIFY(stored.ok());
    QCOMPARE(stored->clockAhead, qAbs(ahead) < 30 ? qint64(0) : qint64(ahead));
    Run ended = record.run;
    ended.phase = RunPhase::Done;
    ended.ended = job.started->addSecs(700);
    QCOMPARE(runDuration(ended, here)->count(), std::chrono::seconds::rep(700));
    noteTarget("T17",
        QStringLiteral("clocks apart by up to two days, and summer time: every "
                       "duration right, none negative"));
}

void TestLosses::summerTime_changesNoDuration()
{
    const QTimeZone zone("Europe/Berlin");
    if (!zone.isValid())
        QFAIL("Europe/Berlin is not known: install tzdata");
    Run run;
    run.id = QStringLiteral("k3f9");
    run.phase = RunPhase::Done;
    // 02:30 is there twice on this night.
    run.started = QDateTime(QDate(2026, 10, 25), QTime(1, 30), zone);
    run.ended = run.started.addSecs(2 * 3600);
    QCOMPARE(run.ended.time(), QTime(2, 30));
    const Result<Run> stored = runFromJson(runToJson(run));
    QVERIFY(stored.ok());
    QCOMPARE(runDuration(*stored, {})->count(), std::chrono::seconds::rep(7200));
}

void TestLosses::nodeThatIsBehind_endsNotBeforeItsBegin()
{
    Run run;
    run.phase = RunPhase::Done;
    run.started = QDateTime::currentDateTimeUtc();
    run.ended = run.started.addSecs(-3600);
    QCOMPARE(runDuration(run, {})->count(), std::chrono::seconds::rep(0));
}

SLIPWAY_TEST(TestLosses, runs_losses)
#include "tst_losses.moc"

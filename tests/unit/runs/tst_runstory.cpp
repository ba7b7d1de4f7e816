// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/filefeed.h"
#include "app/runs/runstory.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

Q_DECLARE_METATYPE(slipway::JobState)

namespace {

QByteArray mark(
    double t, const char* stage, const char* state, const char* step, int code, const char* text)
{
    return QByteArray("{\"t\":") + QByteArray::number(t, 'f', 3) + ",\"stage\":\"" + stage
        + "\",\"state\":\"" + state + "\",\"step\":\"" + step
        + "\",\"code\":" + QByteArray::number(code) + ",\"text\":\"" + text + "\"}\n";
}

std::optional<ExitRecord> exitRecord(int code)
{
    ExitRecord record;
    record.exitCode = code;
    return record;
}

std::vector<RunStage> stages()
{
    Plan plan;
    plan.steps = {
        {QStringLiteral("image"), QStringLiteral("Pull"), QStringLiteral("image"), {}, {}, {}},
        {QStringLiteral("run-cpu"), QStringLiteral("CPU"), QStringLiteral("running"), {}, {}, {}}};
    return plannedStages(plan);
}

} // namespace

class TestRunStory : public QObject {
    Q_OBJECT

private slots:
    void marks_fillTheTimeline();
    void unknownState_isNotInvented();
    void marks_skipGarbageAndPartialLines();
    void marks_ofAnEarlierAttemptAreDropped();
    void end_data();
    void end();
    void end_believesTheLogAboutMemory();
    void end_afterARequeueForgetsTheLastAttempt();
    void failedStep_isNamedWithItsCodeAndTime();
    void check_thatEndedTheJobNamesItsRow();
    void check_isOneStageOfTwoChecks();
    void cancel_saysWho();
    void feed_drawsAgainFromTheKeptLog();
    void feed_splitsWhereTheLogBeginsAgain();
    void feed_readsThePatternsOfItsRecipe();
    void feed_showsABarOnce();
};

void TestRunStory::marks_fillTheTimeline()
{
    auto timeline = stages();
    applyMarks(timeline,
        parseMarks(mark(1, "node", "done", "node", 0, "gpu01")
            + mark(2, "image", "begin", "image", 0, "Pull")
            + mark(5, "image", "done", "image", 0, "Pull")
            + mark(6, "running", "begin", "run-cpu", 0, "CPU")));
    QCOMPARE(findStage(timeline, QStringLiteral("node"))->detail, QStringLiteral("gpu01"));
    QCOMPARE(findStage(timeline, QStringLiteral("image"))->state, StageState::Done);
    QCOMPARE(findStage(timeline, QStringLiteral("image"))
                 ->begin->secsTo(*findStage(timeline, QStringLiteral("image"))->end),
        qint64(3));
    QCOMPARE(findStage(timeline, QStringLiteral("run-cpu"))->state, StageState::Running);
    closeStages(timeline, RunPhase::Failed, QDateTime::fromSecsSinceEpoch(9));
    QCOMPARE(findStage(timeline, QStringLiteral("run-cpu"))->state, StageState::Failed);
    QCOMPARE(findStage(timeline, QStringLiteral("queued"))->state, StageState::Skipped);
}

void TestRunStory::unknownState_isNotInvented()
{
    Run run;
    run.sentence = QStringLiteral("Submitted as job 7.");
    Job job; // the scheduler has not spoken of it
    QCOMPARE(liveSentence(run, job, QDateTime::currentDateTime()), run.sentence);
    job.stateText = QStringLiteral("HIBERNATING");
    QVERIFY(liveSentence(run, job, QDateTime::currentDateTime()).contains(job.stateText));
}

void TestRunStory::marks_skipGarbageAndPartialLines()
{
    const auto marks = parseMarks("not json\n[1,2]\n{\"stage\":5}\n"
        + mark(1, "image", "begin", "image", 0, "x") + "{\"t\":2,\"stage\":\"ima");
    QCOMPARE(marks.size(), size_t(1));
}

void TestRunStory::marks_ofAnEarlierAttemptAreDropped()
{
    auto timeline = stages();
    applyMarks(timeline,
        parseMarks(mark(1, "node", "done", "node", 0, "gpu01")
            + mark(2, "image", "failed", "image", 1, "Pull")
            + mark(9, "node", "done", "node", 0, "gpu02")));
    QCOMPARE(findStage(timeline, QStringLiteral("image"))->state, StageState::Pending);
    QCOMPARE(findStage(timeline, QStringLiteral("node"))->detail, QStringLiteral("gpu02"));
}

void TestRunStory::end_data()
{
    QTest::addColumn<int>("state"); // -1: Slurm no longer knows the job
    QTest::addColumn<int>("exit"); // -1: the job left no exit record
    QTest::addColumn<bool>("cancelAsked");
    QTest::addColumn<int>("phase");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* name, int state, int exit, bool asked, RunPhase phase,
                         const char* sentence) {
        QTest::newRow(name) << state << exit << asked << int(phase) << QString::fromUtf8(sentence);
    };
    row("completed", int(JobState::Completed), 0, false, RunPhase::Done, "Done.");
    row("completed, no note", int(JobState::Completed), -1, false, RunPhase::Done, "Done.");
    row("completed, but the note says no", int(JobState::Completed), 2, false, RunPhase::Failed,
        "exit code 2");
    row("failed", int(JobState::Failed), 3, false, RunPhase::Failed, "exit code 3");
    row("failed, though the note says 0", int(JobState::Failed), 0, false, RunPhase::Failed,
        "the scheduler reports");
    row("time limit", int(JobState::TimedOut), 143, false, RunPhase::Failed, "time limit");
    row("out of memory", int(JobState::OutOfMemory), -1, false, RunPhase::Failed, "more memory");
    row("node failed", int(JobState::NodeFailed), -1, false, RunPhase::Failed, "node");
    row("preempted", int(JobState::Preempted), -1, false, RunPhase::Failed, "higher priority");
    row("cancelled here", int(JobState::Cancelled), 143, true, RunPhase::Cancelled, "by you");
    row("cancelled elsewhere", int(JobState::Cancelled), 143, false, RunPhase::Cancelled,
        "outside Slipway");
    row("forgotten, note 0", -1, 0, false, RunPhase::Done, "Done.");
    row("forgotten, note 1", -1, 1, false, RunPhase::Failed, "exit code 1");
    row("forgotten, no note", -1, -1, false, RunPhase::Unknown, "result unknown");
    row("a state nobody knows", int(JobState::Unknown), -1, false, RunPhase::Unknown,
        "result unknown");
    row("an answer that is no end", int(JobState::Running), 0, false, RunPhase::Unknown,
        "result unknown");
}

void TestRunStory::end_believesTheLogAboutMemory()
{
    EndFacts facts;
    facts.state = JobState::Failed;
    facts.exit = exitRecord(137);
    facts.logTail = "Taken: 320 MiB\nslurmstepd-gpu02: error: Exceeded job memory limit\nsrun: "
                    "error: gpu02: task 0: Killed\n";
    const RunEnd ended = runEnd(facts);
    QVERIFY2(ended.sentence.contains(QStringLiteral("more memory")), qPrintable(ended.sentence));
    facts.logTail = "a program that speaks of memory limits\n";
    QVERIFY(!runEnd(facts).sentence.contains(QStringLiteral("more memory")));
}

void TestRunStory::end_afterARequeueForgetsTheLastAttempt()
{
    EndFacts facts;
    facts.state = JobState::Completed;
    facts.exit = exitRecord(0);
    const auto mark = [](const char* stage, const char* state, int code) {
        StepMark one;
        one.stage = QLatin1String(stage);
        one.state = QLatin1String(state);
        one.code = code;
        return one;
    };
    facts.marks = {mark("node", "done", 0), mark("running", "failed", 143)};
    QVERIFY(runEnd(facts).sentence.contains(QStringLiteral("143")));
    facts.marks.push_back(mark("node", "done", 0));
    facts.marks.push_back(mark("running", "done", 0));
    QCOMPARE(runEnd(facts).sentence, QStringLiteral("Done."));
}

void TestRunStory::end()
{
    QFETCH(int, state);
    QFETCH(int, exit);
    QFETCH(bool, cancelAsked);
    QFETCH(int, phase);
    QFETCH(QString, sentence);
    EndFacts facts;
    if (state >= 0)
        facts.state = JobState(state);
    if (exit >= 0)
        facts.exit = exitRecord(exit);
    facts.cancelAsked = cancelAsked;
    const RunEnd ended = runEnd(facts);
    QCOMPARE(int(ended.phase), phase);
    QVERIFY2(ended.sentence.contains(sentence), qPrintable(ended.sentence));
    QCOMPARE(ended.error.has_value(),
        ended.phase == RunPhase::Failed || ended.phase == RunPhase::Unknown);
}

void TestRunStory::failedStep_isNamedWithItsCodeAndTime()
{
    EndFacts facts;
    facts.state = JobState::Failed;
    facts.exit = exitRecord(2);
    facts.marks = parseMarks(mark(1, "check", "failed", "check", 9, "Check")
        + mark(10, "running", "begin", "run-cpu", 0, "CPU, all threads")
        + mark(24, "running", "failed", "run-cpu", 2, "CPU, all threads"));
    facts.logTail = "one\n\nTraceback\nthe last word\n";
    const RunEnd ended = runEnd(facts);
    QCOMPARE(ended.sentence,
        QStringLiteral("Failed: step “CPU, all threads” ended with exit code 2 after 0:14."));
    QCOMPARE(ended.error->detail, QByteArray("one\nTraceback\nthe last word"));
    QCOMPARE(ended.exitCode, std::optional(2));
}

void TestRunStory::check_thatEndedTheJobNamesItsRow()
{
    EndFacts facts;
    facts.state = JobState::Failed;
    facts.exit = exitRecord(1);
    facts.exit->stage = QStringLiteral("check");
    facts.marks = parseMarks(mark(1, "check", "begin", "check", 0, "Check the node")
        + mark(2, "check", "failed", "check", 1, "Check the node"));
    QVERIFY(runEnd(facts).sentence.startsWith(QStringLiteral("Stopped: the node check failed.")));
    facts.node = readNodeReport(
        R"({"id":"ecc","state":"fail","where":"host","node":"c1","value":"7 uncorrected",)"
        R"("why":"The memory is damaged.","fix":"Request another node."})"
        "\n");
    const RunEnd ended = runEnd(facts);
    QCOMPARE(ended.phase, RunPhase::Failed);
    QCOMPARE(ended.sentence,
        QStringLiteral("Stopped by the node check on c1. ECC memory: 7 uncorrected. The "
                       "memory is damaged."));
    QCOMPARE(ended.error->remedy, QStringLiteral("Request another node."));
    QCOMPARE(ended.exitCode, std::optional(1));
    // It only reported: what failed later is the cause, and a job that is done is done.
    facts.exit->stage = QStringLiteral("running");
    facts.marks = parseMarks(mark(2, "check", "failed", "check", 1, "Check the node")
        + mark(9, "running", "failed", "run", 3, "Run"));
    QVERIFY(runEnd(facts).sentence.startsWith(QStringLiteral("Failed: step “Run”")));
    facts.state = JobState::Completed;
    facts.exit = exitRecord(0);
    facts.marks.pop_back();
    QCOMPARE(runEnd(facts).phase, RunPhase::Done);
    QVERIFY2(runEnd(facts).sentence.contains(QStringLiteral("ECC memory: 7 uncorrected")),
        qPrintable(runEnd(facts).sentence));
}

void TestRunStory::check_isOneStageOfTwoChecks()
{
    Plan plan;
    plan.steps = {
        {QStringLiteral("check"), QStringLiteral("Look"), QStringLiteral("check"), {}, {}, {}},
        {QStringLiteral("image"), QStringLiteral("Pull"), QStringLiteral("image"), {}, {}, {}},
        {QStringLiteral("check-container"), QStringLiteral("Look in"), QStringLiteral("check"), {},
            {}, {}}};
    const auto after = [&plan](const QByteArray& marks) {
        std::vector<RunStage> planned = plannedStages(plan);
        applyMarks(planned, parseMarks(marks));
        return planned;
    };
    auto stages = after({});
    QCOMPARE(stages.size(), size_t(5)); // queued, node, check, image, results
    const QByteArray first = mark(1, "check", "begin", "check", 0, "Look"),
                     inside = mark(5, "check", "begin", "check-container", 0, "Look in");
    stages = after(first + mark(2, "check", "done", "check", 0, "Look") + inside);
    QCOMPARE(findStage(stages, QStringLiteral("check"))->state, StageState::Running);
    QCOMPARE(findStage(stages, QStringLiteral("check"))->begin->toSecsSinceEpoch(), 1);
    stages = after(first + mark(2, "check", "failed", "check", 1, "Look") + inside
        + mark(6, "check", "done", "check-container", 0, "Look in"));
    QCOMPARE(findStage(stages, QStringLiteral("check"))->state, StageState::Failed);
    stages = after(first + mark(2, "check", "done", "check", 0, "Look") + inside
        + mark(6, "check", "failed", "check-container", 1, "Look in"));
    QCOMPARE(findStage(stages, QStringLiteral("check"))->state, StageState::Failed);
}

void TestRunStory::cancel_saysWho()
{
    EndFacts facts;
    facts.state = JobState::Cancelled;
    facts.stateText = QStringLiteral("CANCELLED by 1001");
    QCOMPARE(runEnd(facts).sentence, QStringLiteral("Cancelled outside Slipway, by user ID 1001."));
}

void TestRunStory::feed_drawsAgainFromTheKeptLog()
{
    QTemporaryDir folder;
    QFile log(folder.filePath(QStringLiteral("log.bin")));
    QVERIFY(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    FileFeed feed(log.fileName(), {});
    QSignalSpy appended(&feed, &RunFeed::linesAppended);
    log.write("@slipway {\"sample\": \"flops\", \"y\": 5, \"x\": 1, \"x_name\": "
              "\"n\"}\nsecond\nwithout an end");
    feed.wake({});
    QTRY_COMPARE(feed.lines().size(), qsizetype(2));
    feed.setLive(false);
    QTRY_COMPARE(feed.lines().size(), qsizetype(3));
    QCOMPARE(feed.lines().last(), QStringLiteral("without an end"));
    QCOMPARE(feed.series().all().size(), size_t(1));
    int told = 0;
    for (const auto& emission : appended)
        told += emission.at(0).toInt();
    QCOMPARE(told, 3);
}

void TestRunStory::feed_readsThePatternsOfItsRecipe()
{
    QTemporaryDir folder;
    QFile log(folder.filePath(QStringLiteral("log.bin")));
    QVERIFY(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    log.write("took 3 s\n");
    const qint64 border = log.size();
    log.write("took 4 s\n");
    FileFeed feed(log.fileName(), {}, {PatternSpec{QStringLiteral("took (?<seconds>\\S+) s")}});
    QTRY_COMPARE(feed.lines().size(), qsizetype(2));
    QCOMPARE(feed.series().all().size(), size_t(1));
    QCOMPARE(feed.series().all().front()->series(), QStringLiteral("seconds"));
    // Also after the log began again.
    FileFeed divided(log.fileName(), {}, {PatternSpec{QStringLiteral("took (?<seconds>\\S+) s")}});
    divided.wake({border});
    QTRY_COMPARE(divided.lines().size(), qsizetype(3));
    QCOMPARE(divided.series().find(QStringLiteral("seconds"))->latest()->y, 4.0);
}

void TestRunStory::feed_showsABarOnce()
{
    QTemporaryDir folder;
    QFile log(folder.filePath(QStringLiteral("log.bin")));
    QVERIFY(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    for (int i = 0; i < 100; ++i)
        log.write("\rdone " + QByteArray::number(i) + " of a hundred, as a bar would say it");
    log.write("\nthe line after it\n");
    FileFeed feed(log.fileName(), {});
    QTRY_VERIFY(!feed.lines().isEmpty());
    QCOMPARE(feed.lines(),
        (QStringList{QStringLiteral("done 99 of a hundred, as a bar would say it"),
            QStringLiteral("the line after it")}));
}

void TestRunStory::feed_splitsWhereTheLogBeginsAgain()
{
    QTemporaryDir folder;
    QFile log(folder.filePath(QStringLiteral("log.bin")));
    QVERIFY(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    log.write("first try\nfirst");
    const qint64 border = log.size();
    log.write("second try\n");
    FileFeed feed(log.fileName(), {});
    QSignalSpy restarted(&feed, &RunFeed::restarted);
    feed.wake({border});
    QTRY_COMPARE(feed.lines().size(), qsizetype(4));
    QCOMPARE(restarted.size(), 1);
    QCOMPARE(feed.lines().at(1), QStringLiteral("first"));
    QVERIFY(feed.lines().at(2).contains(QStringLiteral("attempt 2")));
    QCOMPARE(feed.lines().at(3), QStringLiteral("second try"));
}

SLIPWAY_TEST(TestRunStory, runs_runstory)
#include "tst_runstory.moc"

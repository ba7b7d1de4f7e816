// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/filefeed.h"
#include "app/runs/runjson.h"
#include "app/runs/runnews.h"
#include "app/runs/runrecord.h"
#include "app/runs/runstory.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimeZone>

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
    void newMarks_saySoonerThanTheSchedulerThatTheJobRuns();
    void logBeginning_isThatOfTheFirstAttempt();
    void imageDigest_isOfTheImageThatWasUsed();
    void imageDigest_isRecorded();
    void end_data();
    void end();
    void end_believesTheLogAboutMemory();
    void end_afterARequeueForgetsTheLastAttempt();
    void failedStep_isNamedWithItsCodeAndTime();
    void cancelledStep_isNoFailure();
    void check_thatEndedTheJobNamesItsRow();
    void check_isOneStageOfTwoChecks();
    void cancel_saysWho();
    void feed_drawsAgainFromTheKeptLog();
    void feed_splitsWhereTheLogBeginsAgain();
    void feed_readsThePatternsOfItsRecipe();
    void feed_countsTheTimeFromTheStart();
    void feed_countsLinesWhereATimeIsMissing();
    void feed_showsABarOnce();
    void feed_knowsTheProgress();
    void news_areTold_data();
    void news_areTold();
    void news_ofAFailureNameItsCause();
    void news_ofAStartMustBeFresh();
    void news_warnBeforeTheTimeLimit_data();
    void news_warnBeforeTheTimeLimit();
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

namespace {

/// The end of a step that made an image ready.
QByteArray imageMark(const char* step, char digit)
{
    QByteArray line = mark(3, "image", "done", step, 0, "Pull");
    return line.insert(
        line.size() - 2, ",\"image_digest\":\"sha256:" + QByteArray(64, digit) + '"');
}

QString digestOf(char digit)
{
    return u"sha256:" + QString(64, QLatin1Char(digit));
}

} // namespace

void TestRunStory::newMarks_saySoonerThanTheSchedulerThatTheJobRuns()
{
    QTemporaryDir folder;
    Run run;
    run.phase = RunPhase::Queued;
    run.stages = stages();
    RunRecord record(run, folder.path(), nullptr, {});
    const QDateTime asked = QDateTime::fromSecsSinceEpoch(1000);
    Job waiting;
    waiting.state = JobState::Pending;
    record.onJob(waiting, asked);
    const QByteArray rows = mark(1005, "node", "done", "node", 0, "gpu01")
        + mark(1006, "image", "begin", "image", 0, "Pull");
    // A read may end in the middle of a row.
    QVERIFY(record.local.appendEvents(rows.left(20)).ok());
    record.onNewMarks(asked.addSecs(6));
    QCOMPARE(record.run.phase, RunPhase::Queued);
    QVERIFY(record.local.appendEvents(rows.mid(20)).ok());
    record.onNewMarks(asked.addSecs(7));
    QCOMPARE(record.run.phase, RunPhase::Running);
    QCOMPARE(record.run.started, QDateTime::fromSecsSinceEpoch(1005));
    QCOMPARE(findStage(record.run.stages, QStringLiteral("queued"))->state, StageState::Done);
    QCOMPARE(findStage(record.run.stages, QStringLiteral("image"))->state, StageState::Running);
    QCOMPARE(record.run.sentence, QStringLiteral("Running: Pull."));

    record.onJob(waiting, asked.addSecs(6)); // asked before the marks came
    QCOMPARE(record.run.phase, RunPhase::Running);
    record.onJob(waiting, asked.addSecs(60)); // it was requeued since
    QCOMPARE(record.run.phase, RunPhase::Queued);
    QCOMPARE(findStage(record.run.stages, QStringLiteral("image"))->state, StageState::Pending);
}

void TestRunStory::logBeginning_isThatOfTheFirstAttempt()
{
    const QDateTime first(QDate(2026, 11, 21), QTime(12, 0), QTimeZone::utc()),
        second = first.addSecs(3600);
    StepMark mark;
    mark.time = first;
    const std::vector<StepMark> marks{mark};
    QVERIFY(!logBeginning({}, {}, false).isValid());
    QCOMPARE(logBeginning({}, second, false), second);
    QCOMPARE(logBeginning(marks, {}, false), first); // it had ended before it was seen
    QCOMPARE(logBeginning(marks, second, false), first); // requeued, and its log went on
    QCOMPARE(logBeginning(marks, second, true), second);
    QCOMPARE(logBeginning(marks, first.addSecs(-1), false), first.addSecs(-1));
}

void TestRunStory::imageDigest_isOfTheImageThatWasUsed()
{
    const auto digest = [](const QByteArray& ndjson) { return imageDigestOf(parseMarks(ndjson)); };
    QCOMPARE(digest(mark(3, "image", "done", "image", 0, "Pull")), QString()); // an older job's
    QCOMPARE(digest(imageMark("image", 'a') + imageMark("image-2", 'b')), digestOf('a'));
    QCOMPARE(digest(imageMark("image", 'x')), QString()); // these are no hexadecimal digits
    // What is not known of the first image is not taken from another one.
    QCOMPARE(digest(mark(3, "image", "done", "image", 0, "Pull") + imageMark("image-2", 'b')),
        QString());
    // A recipe that only builds its image; of two, neither is the one that was used.
    QCOMPARE(digest(imageMark("build", 'c')), digestOf('c'));
    QCOMPARE(digest(imageMark("build", 'c') + imageMark("small", 'd')), QString());
    // What an earlier attempt of a requeued job used says nothing.
    QCOMPARE(
        digest(imageMark("image", 'a') + mark(9, "node", "done", "node", 0, "gpu02")), QString());
}

void TestRunStory::imageDigest_isRecorded()
{
    const QTemporaryDir folder;
    QVERIFY(LocalRun(folder.path()).appendEvents(imageMark("image", 'a')).ok());
    Run run;
    run.id = QStringLiteral("k3f9");
    const RunRecord record(run, folder.path(), nullptr, {});
    const auto stored = runFromJson(runToJson(record.run));
    QVERIFY(stored.ok());
    QCOMPARE(stored->imageDigest, digestOf('a'));
    QCOMPARE(runToJson(*stored).value(u"image_digest").toString(), digestOf('a'));
    // Marks that are gone on this computer do not make it unknown.
    const QTemporaryDir empty;
    QCOMPARE(RunRecord(*stored, empty.path(), nullptr, {}).run.imageDigest, digestOf('a'));
    // A run that an older Slipway stored has none.
    QVERIFY(!runToJson(run).contains(u"image_digest"));
    QCOMPARE(runFromJson(runToJson(run))->imageDigest, QString());
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
    facts.marks = parseMarks(mark(10, "running", "begin", "run-cpu", 0, "CPU")
        + mark(10.4, "running", "failed", "run-cpu", 2, "CPU"));
    QCOMPARE(runEnd(facts).sentence,
        QStringLiteral("Failed: step “CPU” ended at once, with exit code 2."));
}

/// A job that is cancelled ends its step from outside; the step records that as a failure.
void TestRunStory::cancelledStep_isNoFailure()
{
    const QDateTime when = QDateTime::fromSecsSinceEpoch(9);
    for (const char* state : {"begin", "failed"}) {
        auto timeline = stages();
        applyMarks(timeline,
            parseMarks(mark(2, "image", "begin", "image", 0, "Pull")
                + mark(5, "image", "done", "image", 0, "Pull")
                + mark(6, "running", "begin", "run-cpu", 0, "CPU")
                + mark(8, "running", state, "run-cpu", 143, "CPU")));
        closeStages(timeline, RunPhase::Cancelled, when);
        QCOMPARE(findStage(timeline, QStringLiteral("image"))->state, StageState::Done);
        const RunStage step = *findStage(timeline, QStringLiteral("run-cpu"));
        QCOMPARE(step.state, StageState::Cancelled);
        QVERIFY(step.end && step.detail.isEmpty());
    }
    auto timeline = stages();
    applyMarks(timeline, parseMarks(mark(2, "image", "failed", "image", 1, "Pull")));
    closeStages(timeline, RunPhase::Failed, when);
    QCOMPARE(findStage(timeline, QStringLiteral("image"))->state, StageState::Failed);
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

void TestRunStory::feed_countsTheTimeFromTheStart()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("files")));
    QFile script(folder.filePath(QStringLiteral("files/slipway.sh")));
    QVERIFY(script.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    script.write("# log.times\n"); // so a time that is missing is still on its way
    QVERIFY(script.copy(folder.filePath(QStringLiteral("files/job.sh"))));
    QFile log(folder.filePath(QStringLiteral("log.bin")));
    QVERIFY(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    log.write("took 3 s\ntook 4 s\n");
    keepLogTimes(log.fileName(), "9 1700000060\n", 0);
    const std::vector<PatternSpec> patterns{{QStringLiteral("took (?<seconds>\\S+) s")}};
    const QDateTime started = QDateTime::fromSecsSinceEpoch(1'700'000'000);
    FileFeed live(log.fileName(), {}, patterns);
    live.wake({}, {started, {}});
    QTRY_COMPARE(live.lines().size(), qsizetype(2));
    QCOMPARE(live.series().all().size(), size_t(1));
    const MetricSeries& series = *live.series().all().front();
    QCOMPARE(series.size(), size_t(1)); // the second waits for its time
    QCOMPARE(series.at(0), (SeriesPoint{60, 3}));
    keepLogTimes(log.fileName(), "18 1700000125\n", 13);
    live.wake({}, {started, {}});
    QTRY_COMPARE(series.size(), size_t(2));
    QCOMPARE(series.at(1), (SeriesPoint{125, 4}));
    // Killed: what it printed last was not noted any more.
    log.write("took 5 s\n");
    live.wake({}, {started, started.addSecs(127)});
    live.setLive(false);
    QTRY_COMPARE(series.size(), size_t(3));
    QCOMPARE(series.at(2), (SeriesPoint{125, 5}));

    FileFeed again(log.fileName(), {}, patterns);
    again.wake({}, {started, started.addSecs(127)});
    again.setLive(false);
    QTRY_COMPARE(again.lines().size(), qsizetype(3));
    const MetricSeries& same = *again.series().all().front();
    QCOMPARE(same.xName(), QStringLiteral("time"));
    QCOMPARE(same.size(), series.size());
    for (size_t i = 0; i < same.size(); ++i)
        QCOMPARE(same.at(i), series.at(i));
}

void TestRunStory::feed_countsLinesWhereATimeIsMissing()
{
    QTemporaryDir folder;
    QFile log(folder.filePath(QStringLiteral("log.bin")));
    QVERIFY(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    log.write("took 3 s\ntook 4 s\n");
    const std::vector<PatternSpec> patterns{{QStringLiteral("took (?<seconds>\\S+) s")}};
    const QDateTime started = QDateTime::fromSecsSinceEpoch(1'700'000'000);
    for (const QByteArray& times : {QByteArray(), QByteArray("9 1700000060\n"),
             QByteArray("18 1600000000\n"), QByteArray("no such times")}) {
        keepLogTimes(log.fileName(), times, 0);
        FileFeed feed(log.fileName(), {}, patterns);
        feed.wake({}, {started, started.addSecs(4000)});
        feed.setLive(false);
        QTRY_COMPARE(feed.lines().size(), qsizetype(2));
        const MetricSeries& series = *feed.series().all().front();
        QCOMPARE(series.xName(), QStringLiteral("line"));
        QCOMPARE(series.at(0), (SeriesPoint{1, 3}));
        QCOMPARE(series.at(1), (SeriesPoint{2, 4}));
    }
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

void TestRunStory::feed_knowsTheProgress()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("log.bin")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("Epoch 2/4:  50%|█| 5/10 [00:10<00:10, 5.00it/s]\n");
    file.close();
    FileFeed feed(file.fileName(), {});
    QVERIFY(!feed.progress());
    QTRY_VERIFY(feed.progress());
    QCOMPARE(feed.progress()->done, 15.0);
    QCOMPARE(feed.progress()->total, 40.0);
}

void TestRunStory::news_areTold_data()
{
    QTest::addColumn<int>("before");
    QTest::addColumn<int>("after");
    QTest::addColumn<QString>("title"); // empty: there is no news
    const auto row = [](const char* name, RunPhase before, RunPhase after, const char* title) {
        QTest::newRow(name) << int(before) << int(after) << QString::fromLatin1(title);
    };
    row("it starts", RunPhase::Queued, RunPhase::Running, "Matmul is running on Kestrel");
    row("it starts at once", RunPhase::Submitting, RunPhase::Running,
        "Matmul is running on Kestrel");
    row("it is done", RunPhase::Running, RunPhase::Done, "Matmul is done on Kestrel");
    row("it ended unseen", RunPhase::Queued, RunPhase::Done, "Matmul is done on Kestrel");
    row("it failed", RunPhase::Running, RunPhase::Failed, "Matmul failed on Kestrel");
    row("it was not accepted", RunPhase::Submitting, RunPhase::Failed, "Matmul failed on Kestrel");
    row("cancelled", RunPhase::Queued, RunPhase::Cancelled, "Matmul was cancelled on Kestrel");
    row("result unknown", RunPhase::Running, RunPhase::Unknown,
        "Matmul ended on Kestrel, result unknown");
    row("steps ended", RunPhase::Running, RunPhase::Allocated,
        "All steps of Matmul have ended on Kestrel");
    row("nothing new", RunPhase::Running, RunPhase::Running, "");
    row("it waits", RunPhase::Submitting, RunPhase::Queued, "");
    row("another step", RunPhase::Allocated, RunPhase::Running, "");
    row("it is alive after all", RunPhase::Unknown, RunPhase::Running, "");
}

void TestRunStory::news_areTold()
{
    QFETCH(int, before);
    QFETCH(int, after);
    QFETCH(QString, title);
    Run run;
    run.title = QStringLiteral("Matmul");
    run.sentence = QStringLiteral("A sentence.");
    run.phase = RunPhase(after);
    const auto news =
        newsOf(RunPhase(before), run, QStringLiteral("Kestrel"), QDateTime::currentDateTimeUtc());
    QCOMPARE(news ? news->title : QString(), title);
    if (news)
        QCOMPARE(news->text, run.sentence);
}

void TestRunStory::news_ofAFailureNameItsCause()
{
    Run run;
    run.title = QStringLiteral("Matmul");
    run.phase = RunPhase::Failed;
    run.sentence = QStringLiteral("Ended with exit code 1.");
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const auto text = [&] {
        return newsOf(RunPhase::Running, run, QStringLiteral("K"), now)->text;
    };
    QCOMPARE(text(), run.sentence);
    run.error = Error{ErrorKind::JobFailed, QStringLiteral("The program was killed."), {}, {}};
    QCOMPARE(text(), QStringLiteral("The program was killed."));
    Explanation note, fault;
    note.title = QStringLiteral("A note");
    note.severity = Explanation::Severity::Note;
    fault.title = QStringLiteral("Memory ran out");
    run.explanations = {note, fault};
    QCOMPARE(text(), QStringLiteral("Memory ran out"));
    QCOMPARE(newsOf(RunPhase::Running, run, QStringLiteral("K"), now)->kind, RunNews::Kind::Failed);
}

void TestRunStory::news_ofAStartMustBeFresh()
{
    Run run;
    run.phase = RunPhase::Running;
    run.started = QDateTime::currentDateTimeUtc();
    const auto told = [&](int secondsLater) {
        return newsOf(RunPhase::Queued, run, QStringLiteral("K"), run.started.addSecs(secondsLater))
            .has_value();
    };
    QVERIFY(told(30));
    QVERIFY(!told(3600));
}

void TestRunStory::news_warnBeforeTheTimeLimit_data()
{
    QTest::addColumn<int>("phase");
    QTest::addColumn<int>("limit"); // seconds; -1: unlimited
    QTest::addColumn<int>("gone");
    QTest::addColumn<bool>("told");
    const int running = int(RunPhase::Running);
    QTest::newRow("six minutes left") << running << 1800 << 1440 << false;
    QTest::newRow("five minutes left") << running << 1800 << 1500 << true;
    QTest::newRow("one second left") << running << 1800 << 1799 << true;
    QTest::newRow("past the limit") << running << 1800 << 1801 << false;
    QTest::newRow("unlimited") << running << -1 << 1800 << false;
    QTest::newRow("a limit of five minutes") << running << 300 << 10 << false;
    QTest::newRow("kept allocation") << int(RunPhase::Allocated) << 1800 << 1600 << true;
    QTest::newRow("waiting") << int(RunPhase::Queued) << 1800 << 1600 << false;
    QTest::newRow("ended") << int(RunPhase::Done) << 1800 << 1600 << false;
}

void TestRunStory::news_warnBeforeTheTimeLimit()
{
    QFETCH(int, phase);
    QFETCH(int, limit);
    QFETCH(int, gone);
    Run run;
    run.phase = RunPhase(phase);
    run.title = QStringLiteral("Matmul");
    run.started = QDateTime::currentDateTimeUtc();
    const WallTime wall = limit < 0 ? WallTime::unlimited() : WallTime(std::chrono::seconds(limit));
    const auto news = timeNews(run, wall, QStringLiteral("Kestrel"), run.started.addSecs(gone));
    QTEST(news.has_value(), "told");
    if (news) {
        QCOMPARE(news->kind, RunNews::Kind::TimeShort);
        QVERIFY2(news->text.contains(durationText(std::chrono::seconds(limit - gone))),
            qPrintable(news->text));
    }
}

SLIPWAY_TEST(TestRunStory, runs_runstory)
#include "tst_runstory.moc"

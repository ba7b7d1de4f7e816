// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/hints.h"
#include "app/runs/keptrecords.h"
#include "app/runs/runhandle.h"
#include "app/runs/runstore.h"
#include "tests/support/awaited.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "tests/unit/runs/playedcluster.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// A run from its folder to its end, against a far side that is played.
class TestLaunch : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void job_isSubmittedFollowedAndEndsOnce();
    void ending_isExplainedFromTheWholeLog();
    void digest_isReadWhileItRuns();
    void ending_isShownBeforeTheLastNumbersOfFiles();
    void lostLink_notesTheLastAnswer();
    void refusal_endsTheRunWithTheSchedulersMessage();
    void fullDisk_submitsNothing();
    void lostAnswer_isReconciledAndNeverSubmittedTwice();
    void lostSubmission_endsTheRunAsNotSubmitted();
    void lostLink_atEachStepEndsTheCallOnce_data();
    void lostLink_atEachStepEndsTheCallOnce();
    void missingJob_isNotTreatedAsFinished();
    void requeuedJob_waitsAgain();

private:
    PlayedCluster side();
    Plan plan() const;
    Result<void> begin(const PlayedCluster& side)
    {
        return awaited(m_launch->begin(plan(), side.cluster, QStringLiteral("/scratch/me")));
    }
    RunPhase phase() const { return m_launch->run().phase; }

    QByteArray m_state = "PD"; ///< of job 77; empty: not in the queue
    int m_restarts = 0;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunStore> m_store;
    std::unique_ptr<RunHandle> m_launch;
    int m_endings = 0;
};

void TestLaunch::init()
{
    m_state = "PD";
    m_restarts = m_endings = 0;
    m_folder = std::make_unique<QTemporaryDir>();
    m_store = std::make_unique<RunStore>(m_folder->filePath(QStringLiteral("runs.sqlite")));
    QVERIFY(m_store->open().ok());
    Run run;
    run.id = QStringLiteral("k3f9");
    run.tag = QString::fromLatin1(playedTag);
    run.spec.siteId = QStringLiteral("s");
    run.spec.recipeId = QStringLiteral("r");
    run.created = QDateTime::currentDateTime();
    QVERIFY(m_store->insert(run).ok());
    m_launch = std::make_unique<RunHandle>(
        run, m_folder->filePath(QStringLiteral("run")), m_store.get(), QStringList());
    const auto hints =
        std::make_shared<HintSource>(slipway::sourcePath(QStringLiteral("/resources")), QString());
    m_launch->explainWith(hints, {});
    connect(m_launch.get(), &RunHandle::changed, m_launch.get(), [this, was = false]() mutable {
        const bool is = isTerminal(m_launch->run().phase);
        m_endings += is && !was;
        was = is;
    });
}

void TestLaunch::cleanup()
{
    m_launch.reset();
    m_store.reset();
    QTest::qWait(10); // coroutines that waited for the far side end here
}

PlayedCluster TestLaunch::side()
{
    const PlayedCluster side(&m_state, &m_restarts);
    connect(side.cluster->watcher(), &JobWatcher::events, m_launch.get(),
        [this](const std::vector<JobEvent>& events) {
            for (const JobEvent& event : events)
                m_launch->onJobEvent(event);
        });
    return side;
}

Plan TestLaunch::plan() const
{
    Plan plan;
    plan.spec = m_launch->run().spec;
    plan.tag = QString::fromLatin1(playedTag);
    plan.steps = {{QStringLiteral("run"), QStringLiteral("Run"), QStringLiteral("running"), {},
        "true\n", {}, false, RecipeStep::Expect::Success}};
    return plan;
}

void TestLaunch::job_isSubmittedFollowedAndEndsOnce()
{
    const PlayedCluster there = side();
    QVERIFY(begin(there).ok());
    QCOMPARE(m_launch->run().job.text, QStringLiteral("77"));
    QVERIFY(there.shell->hasFile(m_launch->run().folder + u"/job.sh"));
    QTRY_VERIFY(m_launch->run().sentence.contains(u"priority", Qt::CaseInsensitive));
    m_state = "R";
    QTRY_COMPARE(phase(), RunPhase::Running);
    QCOMPARE(m_launch->run().nodeList, QStringLiteral("gpu01"));
    QVERIFY(m_launch->local().appendLog("step 1 loss 0.5\nstep 2 loss 0.25", 0).ok());
    there.shell->on("exit.json", {0, "{\"code\":0,\"t\":1}", {}});
    m_state = "CD";
    QTRY_COMPARE(phase(), RunPhase::Done);
    QCOMPARE(m_store->load()->front().digest.points, (std::vector<double>{0.5, 0.25}));
    QTest::qWait(100);
    QCOMPARE(m_endings, 1);
    QCOMPARE(m_store->load()->front().phase, RunPhase::Done);
}

void TestLaunch::ending_isExplainedFromTheWholeLog()
{
    const PlayedCluster there = side();
    QVERIFY(begin(there).ok());
    m_state = "R";
    QTRY_COMPARE(phase(), RunPhase::Running);
    // Twice the time that the loop may be held up for, and a try before that is none of this one.
    const QByteArray first = "OSError: [Errno 98] Address already in use\n";
    QVERIFY(m_launch->local().appendLog(first, 0).ok());
    m_launch->local().restartLog();
    const QByteArray second =
        QByteArray("Epoch 1, Loss: 0.5, nothing else to be seen in this line\n").repeated(100'000)
        + "slurmstepd: error: Detected 1 oom_kill event in StepId=77.0. Some of the step tasks "
          "have been OOM Killed.";
    QVERIFY(m_launch->local().appendLog(second, 0).ok());
    m_state = "OOM";
    QTRY_COMPARE_WITH_TIMEOUT(phase(), RunPhase::Failed, 30000);
    const std::vector<Explanation> explanations = m_launch->run().explanations;
    QCOMPARE(explanations.size(), size_t(1));
    QCOMPARE(explanations.front().id, QStringLiteral("F22"));
    QCOMPARE(explanations.front().line, 100'002);
    QCOMPARE(explanations.front().change->field, QStringLiteral("memory"));
    QVERIFY(m_store->load()->front().explanations == explanations);
    QCOMPARE(m_endings, 1);
}

void TestLaunch::digest_isReadWhileItRuns()
{
    Run run = m_launch->run();
    run.phase = RunPhase::Running;
    const auto record = std::make_shared<RunRecord>(
        run, m_folder->filePath(QStringLiteral("other")), nullptr, QStringList());
    QVERIFY(record->local.appendLog("step 1 loss 9.5\n", 0).ok());
    record->local.restartLog(); // a requeue: what was before does not count
    QVERIFY(record->local.appendLog("step 1 loss 0.5\nstep 2 loss 0.25\n", 0).ok());
    const QSignalSpy changed(record.get(), &RunRecord::changed);
    DigestReader reader(record);
    QTRY_COMPARE(changed.size(), 1);
    QCOMPARE(record->run.digest.last.size(), size_t(1));
    QCOMPARE(record->run.digest.last.front().value, 0.25);
    QCOMPARE(record->run.digest.points, (std::vector<double>{0.5, 0.25}));
}

void TestLaunch::ending_isShownBeforeTheLastNumbersOfFiles()
{
    const PlayedCluster there = side();
    ScriptedProcess* search = nullptr;
    there.shell->onStream(
        "-name '*.tfevents*'", [&search](ScriptedProcess& process) { search = &process; });
    QVERIFY(begin(there).ok());
    m_state = "R";
    QTRY_COMPARE(phase(), RunPhase::Running);
    QVERIFY(m_launch->local().appendLog("step 1 loss 0.5\n", 0).ok());
    KeptRecords kept(m_launch->local().folder());
    QVERIFY(kept.append(QStringLiteral("metrics.csv"), "step,lr\n1,0.1\n2,0.0", 0));
    there.shell->on("exit.json", {0, "{\"code\":0,\"t\":1}", {}});
    m_state = "CD";
    QTRY_COMPARE(phase(), RunPhase::Done);
    // What is here is known at once; the last look for files is not waited for.
    const auto lastOf = [this](const QString& series) {
        const RunDigest digest = m_store->load()->front().digest;
        for (const MetricValue& metric : digest.last)
            if (metric.series == series)
                return metric.value;
        return -1.0;
    };
    QCOMPARE(lastOf(QStringLiteral("lr")), 0.1);
    QCOMPARE(lastOf(QStringLiteral("loss")), 0.5);
    QTRY_VERIFY(search);
    QVERIFY(m_launch->isAttached() && !m_launch->isSettled());
    QVERIFY(kept.append(QStringLiteral("metrics.csv"), "25", 19));
    search->end();
    QTRY_VERIFY(!m_launch->isAttached());
    QCOMPARE(lastOf(QStringLiteral("lr")), 0.025);
    QVERIFY(m_launch->local().metrics());
    QCOMPARE(m_launch->local().metrics()->size(), 2);
    QCOMPARE(m_endings, 1);
}

/// From then on the list shows the state with its time.
void TestLaunch::lostLink_notesTheLastAnswer()
{
    const PlayedCluster there = side();
    QVERIFY(begin(there).ok());
    m_state = "R";
    QTRY_COMPARE(phase(), RunPhase::Running);
    const QDateTime answered = there.cluster->watcher()->lastAsked();
    QVERIFY(answered.isValid());
    m_launch->detach();
    const QDateTime asOf = m_store->load()->front().asOf;
    QVERIFY(asOf >= answered && asOf <= QDateTime::currentDateTime());
}

void TestLaunch::refusal_endsTheRunWithTheSchedulersMessage()
{
    const PlayedCluster there = side();
    there.shell->on("sbatch --parsable",
        {0, "failed 1 1\nsbatch: error: invalid partition specified: nope\n", {}});
    const auto begun = begin(there);
    QVERIFY(!begun.ok());
    QCOMPARE(begun.error().kind, ErrorKind::Refused);
    QCOMPARE(phase(), RunPhase::Failed);
    QVERIFY(m_launch->run().error->detail.contains("invalid partition"));
    QVERIFY(!m_launch->run().job.isValid());
    QCOMPARE(m_launch->run().explanations.size(), size_t(1));
    QCOMPARE(m_launch->run().explanations.front().id, QStringLiteral("F35"));
    QCOMPARE(m_endings, 1);
}

void TestLaunch::fullDisk_submitsNothing()
{
    const PlayedCluster there = side();
    there.shell->failWrites(Error{ErrorKind::DiskFull, QStringLiteral("The disk is full.")});
    const auto begun = begin(there);
    QVERIFY(!begun.ok());
    QCOMPARE(begun.error().kind, ErrorKind::DiskFull);
    QVERIFY(begun.error().summary.contains(u"Nothing was submitted"));
    QCOMPARE(there.shell->count("sbatch --parsable"), qsizetype(0));
    QCOMPARE(m_endings, 1);
}

void TestLaunch::lostAnswer_isReconciledAndNeverSubmittedTwice()
{
    const PlayedCluster first = side();
    auto* const shell = first.shell.get();
    first.shell->onStream("sbatch --parsable", [shell](ScriptedProcess&) { shell->loseLink(); });
    QVERIFY(!begin(first).ok());
    m_launch->detach();
    QVERIFY(!isTerminal(phase()));
    m_state = "R"; // sbatch had reached the scheduler
    const PlayedCluster second = side();
    m_launch->attach(second.cluster);
    // The scheduler's list may come first: a job is this run's once the run knows its number.
    JobEvent early;
    early.after.id.text = QStringLiteral("77");
    early.after.state = JobState::Running;
    m_launch->onJobEvent(early);
    QVERIFY(phase() != RunPhase::Running);
    QTRY_COMPARE(phase(), RunPhase::Running);
    QCOMPARE(m_launch->run().job.text, QStringLiteral("77"));
    QCOMPARE(second.shell->count("sbatch --parsable"), qsizetype(0));
    QCOMPARE(m_endings, 0);
}

void TestLaunch::lostSubmission_endsTheRunAsNotSubmitted()
{
    const PlayedCluster first = side();
    auto* const shell = first.shell.get();
    first.shell->onStream("sbatch --parsable", [shell](ScriptedProcess&) { shell->loseLink(); });
    QVERIFY(!begin(first).ok());
    m_launch->detach();
    m_state.clear();
    const PlayedCluster second = side();
    m_launch->attach(second.cluster);
    QTRY_COMPARE_WITH_TIMEOUT(phase(), RunPhase::Failed, 20000);
    QVERIFY(m_launch->run().sentence.contains(u"Nothing was submitted"));
    QCOMPARE(second.shell->count("sbatch --parsable"), qsizetype(0));
    QCOMPARE(m_endings, 1);
}

void TestLaunch::lostLink_atEachStepEndsTheCallOnce_data()
{
    QTest::addColumn<int>("step");
    for (int step = 1; step <= 4; ++step)
        QTest::addRow("script %d", step) << step;
}

void TestLaunch::lostLink_atEachStepEndsTheCallOnce()
{
    QFETCH(int, step);
    const PlayedCluster there = side();
    auto* const shell = there.shell.get();
    auto left = std::make_shared<int>(step);
    const auto cutAt = [shell, left](const CommandOutput& otherwise) {
        return [shell, left, otherwise](ScriptedProcess& process) {
            if (--*left == 0) {
                shell->loseLink();
                return;
            }
            process.say(otherwise.out);
            process.end(otherwise.exitCode);
        };
    };
    there.shell->onStream("mkdir -p", cutAt({0, {}, {}}));
    there.shell->onStream("sbatch --parsable", cutAt({0, "known\n77\n", {}}));
    connect(shell, &Shell::closed, m_launch.get(), [this] { m_launch->detach(); });
    const auto begun = begin(there);
    QTest::qWait(50);
    // Before sbatch nothing was submitted, and that is an end; from sbatch on the job may live.
    if (step == 1) {
        QVERIFY(!begun.ok());
        QCOMPARE(phase(), RunPhase::Failed);
        QVERIFY(m_launch->run().sentence.contains(u"Nothing was submitted"));
    } else {
        QVERIFY(!isTerminal(phase()));
    }
    QCOMPARE(m_endings, step == 1 ? 1 : 0);
}

void TestLaunch::missingJob_isNotTreatedAsFinished()
{
    const PlayedCluster there = side();
    m_state = "R";
    QVERIFY(begin(there).ok());
    QTRY_COMPARE(phase(), RunPhase::Running);
    m_state.clear();
    QTRY_VERIFY(m_launch->run().sentence.contains(u"not known"));
    QTest::qWait(3000);
    QVERIFY(!isTerminal(phase()));
    // Its own note of its end is an end, though.
    there.shell->on("exit.json", {0, "{\"code\":0,\"t\":1}", {}});
    m_state = "R";
    QTest::qWait(3000);
    m_state.clear();
    QTRY_COMPARE_WITH_TIMEOUT(phase(), RunPhase::Done, 20000);
    QCOMPARE(m_endings, 1);
}

void TestLaunch::requeuedJob_waitsAgain()
{
    const PlayedCluster there = side();
    m_state = "R";
    QVERIFY(begin(there).ok());
    QTRY_COMPARE(phase(), RunPhase::Running);
    m_restarts = 1;
    m_state = "PD";
    QTRY_COMPARE(phase(), RunPhase::Queued);
    m_state = "R";
    QTRY_COMPARE(phase(), RunPhase::Running);
    QCOMPARE(m_endings, 0);
}

SLIPWAY_TEST(TestLaunch, runs_launch)
#include "tst_launch.moc"

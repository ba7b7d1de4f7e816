// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runhandle.h"
#include "app/runs/runstore.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"
#include "tests/unit/runs/playedcluster.h"

#include <QTemporaryDir>
#include <QTest>

using namespace slipway;
using namespace std::chrono_literals;

namespace {

const QByteArray granted =
    "0\nsalloc: Granted job allocation 77\nsalloc: Nodes gpu01 are ready for job\n";

/// One await of an interactive run: the text by which its script is known, and its good answer.
struct Await {
    const char* name;
    QByteArray script;
    QByteArray good;
    bool jobKnown; ///< when it is asked
};

const std::vector<Await>& awaits()
{
    static const std::vector<Await> all{
        {"asking for nodes", "salloc --no-shell", "started\n", false},
        {"waiting for nodes", "cat salloc.out", granted, false},
        {"starting a step", "srun --jobid", "started\n", true},
        {"waiting for a step", "echo running", "exit 0\n", true},
        {"reading the marks", "events.ndjson", {}, true},
    };
    return all;
}

Error errorOf(ErrorKind kind)
{
    return {kind, QStringLiteral("It gave no answer.")};
}

} // namespace

/// Every wait of an interactive run, with every way to go wrong, and runs that are opened again.
class TestRunDriver : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void passingError_isAskedAgain_andLaterStepsStart_data();
    void passingError_isAskedAgain_andLaterStepsStart();
    void overlays_areWaitedBesideBeforeTheFirstStep();
    void lastingError_isSeen_andTheNodesAreNotForgotten_data();
    void lastingError_isSeen_andTheNodesAreNotForgotten();
    void refusal_isSeen_data();
    void refusal_isSeen();
    void lostLink_detaches_andTheNextConnectionGoesOn_data();
    void lostLink_detaches_andTheNextConnectionGoesOn();
    void severalLosses_areSaidOnce();
    void openedAgain_goesOnInEachPhase_data();
    void openedAgain_goesOnInEachPhase();
    void endedSteps_areReleasedByWhoeverComesNext_data();
    void endedSteps_areReleasedByWhoeverComesNext();
    void lastingError_isResumedAtTheNextConnection();

private:
    PlayedCluster side();
    void make(const Run& run);
    QCoro::Task<Result<void>> begin(const PlayedCluster& there, bool overlay = false);
    const Run& run() const { return m_launch->run(); }
    bool stepsAreDone() const
    {
        return run().phase == RunPhase::Allocated && !run().error.has_value();
    }

    QByteArray m_state;
    std::vector<std::shared_ptr<Shell>> m_shells;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunStore> m_store;
    std::unique_ptr<RunHandle> m_launch;
};

void TestRunDriver::init()
{
    m_state = "R";
    m_folder = std::make_unique<QTemporaryDir>();
    m_store = std::make_unique<RunStore>(m_folder->filePath(QStringLiteral("runs.sqlite")));
    QVERIFY(m_store->open().ok());
    Run run;
    run.id = QStringLiteral("k3f9");
    run.tag = QString::fromLatin1(playedTag);
    run.spec.siteId = QStringLiteral("s");
    run.spec.recipeId = QStringLiteral("r");
    run.spec.mode = LaunchMode::Interactive;
    run.created = QDateTime::currentDateTime();
    QVERIFY(m_store->insert(run).ok());
    make(run);
}

void TestRunDriver::make(const Run& run)
{
    m_launch.reset();
    m_launch = std::make_unique<RunHandle>(
        run, m_folder->filePath(QStringLiteral("run")), m_store.get(), QStringList());
    m_launch->setTimeouts({5ms, 3, 20ms, 5ms, 20ms});
}

void TestRunDriver::cleanup()
{
    m_launch.reset();
    m_store.reset();
    for (const auto& shell : std::exchange(m_shells, {}))
        shell->close(); // tasks that wait for the far side end here
    QCoreApplication::processEvents();
}

PlayedCluster TestRunDriver::side()
{
    PlayedCluster there(&m_state);
    m_shells.push_back(there.shell);
    for (const Await& await : awaits())
        there.shell->on(await.script, {0, await.good, {}});
    there.shell->on("scancel", [this](const QByteArray&) {
        m_state = "CA";
        return CommandOutput{};
    });
    there.cluster->setTimeouts({20ms, 200ms, 5ms, 1000ms});
    connect(there.cluster->watcher(), &JobWatcher::events, m_launch.get(),
        [this](const std::vector<JobEvent>& events) {
            for (const JobEvent& event : events)
                m_launch->onJobEvent(event);
        });
    connect(there.shell.get(), &Shell::closed, m_launch.get(), [this] { m_launch->detach(); });
    return there;
}

QCoro::Task<Result<void>> TestRunDriver::begin(const PlayedCluster& there, bool overlay)
{
    Plan plan;
    if (overlay) {
        plan.recipe.steps.emplace_back();
        plan.recipe.steps.back().overlay = QStringLiteral("over");
    }
    plan.spec = run().spec;
    plan.tag = QString::fromLatin1(playedTag);
    for (const char* id : {"one", "two"}) {
        PlanStep step;
        step.id = step.title = QString::fromLatin1(id);
        step.stage = QStringLiteral("running");
        step.body = "true\n";
        plan.steps.push_back(step);
    }
    return m_launch->begin(plan, there.cluster, QStringLiteral("/scratch/me"));
}

void TestRunDriver::passingError_isAskedAgain_andLaterStepsStart_data()
{
    QTest::addColumn<int>("await");
    QTest::addColumn<ErrorKind>("kind");
    for (int i = 0; i < int(awaits().size()); ++i)
        for (const ErrorKind kind :
            {ErrorKind::Timeout, ErrorKind::Protocol, ErrorKind::LinkLost, ErrorKind::Unknown})
            QTest::addRow("%s, %s", awaits()[size_t(i)].name, qPrintable(errorKindName(kind)))
                << i << kind;
}

void TestRunDriver::passingError_isAskedAgain_andLaterStepsStart()
{
    QFETCH(int, await);
    QFETCH(ErrorKind, kind);
    const Await wait = awaits().at(size_t(await));
    const PlayedCluster there = side();
    auto left = std::make_shared<int>(2);
    there.shell->onStream(wait.script, [left, wait, kind](ScriptedProcess& process) {
        if (--*left >= 0)
            return process.fail(errorOf(kind));
        process.say(wait.good);
        process.end(0);
    });
    const auto begun = awaited(begin(there));
    QVERIFY2(begun.ok(), begun.ok() ? "" : qPrintable(begun.error().text()));
    QTRY_VERIFY2(stepsAreDone(), qPrintable(run().sentence));
    QVERIFY(there.shell->count("steps/01") > 0);
    QVERIFY(there.shell->count("steps/02") > 0);
    QVERIFY(*left < 0);
}

void TestRunDriver::overlays_areWaitedBesideBeforeTheFirstStep()
{
    for (const bool overlay : {false, true}) {
        init();
        const PlayedCluster there = side();
        QByteArrayList started;
        there.shell->on("srun --jobid", [&started](const QByteArray& script) {
            const qsizetype at = script.indexOf("b='") + 3;
            started << script.mid(at, script.indexOf('\'', at) - at);
            return CommandOutput{0, "started\n", {}};
        });
        const auto begun = awaited(begin(there, overlay));
        QVERIFY2(begun.ok(), begun.ok() ? "" : qPrintable(begun.error().text()));
        QTRY_VERIFY2(stepsAreDone(), qPrintable(run().sentence));
        QByteArrayList expected{"steps/01-one", "steps/02-two"};
        if (overlay)
            expected.prepend("steps/overlays"); // nobody waits for its end
        QCOMPARE(started, expected);
        cleanup();
    }
    init();
}

void TestRunDriver::lastingError_isSeen_andTheNodesAreNotForgotten_data()
{
    passingError_isAskedAgain_andLaterStepsStart_data();
}

void TestRunDriver::lastingError_isSeen_andTheNodesAreNotForgotten()
{
    QFETCH(int, await);
    QFETCH(ErrorKind, kind);
    const Await wait = awaits().at(size_t(await));
    const PlayedCluster there = side();
    auto fails = std::make_shared<bool>(true);
    there.shell->onStream(wait.script, [fails, wait, kind](ScriptedProcess& process) {
        if (*fails)
            return process.fail(errorOf(kind));
        process.say(wait.good);
        process.end(0);
    });
    if (!wait.jobKnown) {
        m_state.clear(); // nothing shows the job but the answer that does not come
        there.shell->on("echo $w $n $a $h", [fails](const QByteArray&) {
            return CommandOutput{0, *fails ? "busy 1 0 login1\n" : "known 1\n77\n", {}};
        });
    }
    auto beginning = begin(there);
    if (wait.jobKnown) {
        QTRY_VERIFY2(run().error.has_value(), qPrintable(run().sentence));
        QVERIFY2(run().sentence.contains(u"Job 77"), qPrintable(run().sentence));
        QVERIFY2(run().sentence.contains(u"released"), qPrintable(run().sentence));
        QVERIFY(run().sentence.contains(u"It gave no answer."));
        QVERIFY(run().error->remedy.contains(u"slipway-cli cancel k3f9"));
        QCOMPARE(run().phase, RunPhase::Allocated);
        QVERIFY(awaited(std::move(beginning)).ok());
        // The nodes can be given back.
        auto releasing = m_launch->release(there.cluster);
        QTRY_COMPARE(there.shell->count("scancel 77"), qsizetype(1));
        *fails = false; // what the job wrote is read before the release has ended
        QVERIFY(awaited(std::move(releasing)).ok());
    } else {
        // Asked a bounded number of times, then looked for; when there are answers, it goes on.
        QTRY_VERIFY2(run().sentence.contains(u"not known"), qPrintable(run().sentence));
        QVERIFY(!isTerminal(run().phase));
        *fails = false;
        m_state = "R";
        QTRY_VERIFY2(stepsAreDone(), qPrintable(run().sentence));
    }
}

void TestRunDriver::refusal_isSeen_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<RunPhase>("phase");
    QTest::newRow("asking for nodes") << QByteArray("salloc --no-shell") << QByteArray("nolock\n")
                                      << ErrorKind::Io << RunPhase::Failed;
    QTest::newRow("waiting for nodes")
        << QByteArray("cat salloc.out")
        << QByteArray("1\nsalloc: error: Job submit/allocate failed: Invalid partition name "
                      "specified\n")
        << ErrorKind::Refused << RunPhase::Failed;
    QTest::newRow("starting a step, disk full")
        << QByteArray("srun --jobid") << QByteArray("nolock\n") << ErrorKind::Io
        << RunPhase::Allocated;
    QTest::newRow("starting a step, folder gone")
        << QByteArray("srun --jobid") << QByteArray("nofolder\n") << ErrorKind::NotFound
        << RunPhase::Allocated;
    QTest::newRow("waiting for a step, srun died")
        << QByteArray("echo running") << QByteArray("dead\n") << ErrorKind::JobFailed
        << RunPhase::Allocated;
    QTest::newRow("waiting for a step, folder gone")
        << QByteArray("echo running") << QByteArray("nofolder\n") << ErrorKind::NotFound
        << RunPhase::Allocated;
}

void TestRunDriver::refusal_isSeen()
{
    QFETCH(QByteArray, script);
    QFETCH(QByteArray, answer);
    QFETCH(ErrorKind, kind);
    QFETCH(RunPhase, phase);
    const PlayedCluster there = side();
    there.shell->on(script, {0, answer, {}});
    (void)awaited(begin(there));
    QTRY_COMPARE(run().phase, phase);
    QVERIFY(run().error.has_value());
    QCOMPARE(run().error->kind, kind);
    QVERIFY(!run().sentence.isEmpty());
    if (phase == RunPhase::Allocated) {
        QVERIFY2(run().sentence.contains(u"Job 77"), qPrintable(run().sentence));
        QVERIFY(run().error->remedy.contains(u"slipway-cli cancel k3f9"));
    }
}

void TestRunDriver::lostLink_detaches_andTheNextConnectionGoesOn_data()
{
    QTest::addColumn<int>("await");
    for (int i = 0; i < int(awaits().size()); ++i)
        QTest::newRow(awaits()[size_t(i)].name) << i;
}

void TestRunDriver::lostLink_detaches_andTheNextConnectionGoesOn()
{
    QFETCH(int, await);
    const PlayedCluster first = side();
    first.shell->onStream(awaits().at(size_t(await)).script,
        [shell = first.shell.get()](ScriptedProcess&) { shell->loseLink(); });
    (void)awaited(begin(first));
    QTRY_VERIFY(!m_launch->isAttached());
    QVERIFY(!isTerminal(run().phase));
    QVERIFY2(run().sentence.contains(u"Not connected"), qPrintable(run().sentence));
    const PlayedCluster second = side();
    m_launch->attach(second.cluster);
    QTRY_VERIFY2(stepsAreDone(), qPrintable(run().sentence));
    QVERIFY(second.shell->count("steps/02") > 0);
}

void TestRunDriver::severalLosses_areSaidOnce()
{
    const PlayedCluster first = side();
    QVERIFY(awaited(begin(first)).ok());
    const QString known = run().sentence;
    for (int i = 0; i < 3; ++i) {
        m_launch->detach();
        QCOMPARE(run().sentence.count(QStringLiteral("Not connected")), 1);
        QVERIFY2(run().sentence.endsWith(known), qPrintable(run().sentence));
        m_launch->attach(side().cluster);
        QVERIFY2(!run().sentence.contains(u"Not connected"), qPrintable(run().sentence));
    }
}

void TestRunDriver::openedAgain_goesOnInEachPhase_data()
{
    QTest::addColumn<RunPhase>("phase");
    QTest::addColumn<bool>("jobKnown");
    QTest::addColumn<RunPhase>("then");
    // A program that is killed may not have stored its last phase: the cluster is asked.
    QTest::newRow("preparing") << RunPhase::Preparing << false << RunPhase::Allocated;
    QTest::newRow("submitting") << RunPhase::Submitting << false << RunPhase::Allocated;
    QTest::newRow("queued") << RunPhase::Queued << true << RunPhase::Allocated;
    QTest::newRow("running") << RunPhase::Running << true << RunPhase::Allocated;
    QTest::newRow("allocated") << RunPhase::Allocated << true << RunPhase::Allocated;
}

void TestRunDriver::openedAgain_goesOnInEachPhase()
{
    QFETCH(RunPhase, phase);
    QFETCH(bool, jobKnown);
    QFETCH(RunPhase, then);
    const PlayedCluster before = side();
    (void)awaited(begin(before));
    QTRY_VERIFY(stepsAreDone());
    Run kept = run();
    kept.phase = phase;
    if (!jobKnown)
        kept.job = {};
    make(kept);
    const PlayedCluster there = side();
    m_launch->attach(there.cluster);
    if (phase != RunPhase::Allocated)
        QTRY_VERIFY2(run().phase == then, qPrintable(run().sentence));
    // Done steps are not begun again where they have ended.
    QTRY_COMPARE(there.shell->count("srun --jobid") > 0, phase != RunPhase::Allocated);
    QTRY_COMPARE(run().phase, then);
    QVERIFY(!run().sentence.isEmpty());
}

void TestRunDriver::endedSteps_areReleasedByWhoeverComesNext_data()
{
    QTest::addColumn<bool>("releaseAtEnd");
    QTest::addColumn<ErrorKind>("error"); // Usage: none
    QTest::addColumn<bool>("released");
    QTest::newRow("to be given back") << true << ErrorKind::Usage << true;
    QTest::newRow("to be given back, a step failed") << true << ErrorKind::JobFailed << true;
    QTest::newRow("the steps could not go on") << true << ErrorKind::Refused << false;
    QTest::newRow("to be kept") << false << ErrorKind::Usage << false;
}

/// Killed between the end of the last step and the release.
void TestRunDriver::endedSteps_areReleasedByWhoeverComesNext()
{
    QFETCH(bool, releaseAtEnd);
    QFETCH(ErrorKind, error);
    QFETCH(bool, released);
    const PlayedCluster before = side();
    (void)awaited(begin(before));
    QTRY_VERIFY(stepsAreDone());
    Run kept = run();
    kept.phase = RunPhase::Allocated;
    kept.spec.releaseAtEnd = releaseAtEnd;
    if (error != ErrorKind::Usage)
        kept.error = errorOf(error);
    make(kept);
    const PlayedCluster there = side();
    m_launch->attach(there.cluster);
    if (released) {
        QTRY_VERIFY(there.shell->count("scancel 77") > 0);
    } else {
        QTRY_VERIFY(there.shell->count("squeue") > 1);
        QCOMPARE(there.shell->count("scancel 77"), qsizetype(0));
    }
}

void TestRunDriver::lastingError_isResumedAtTheNextConnection()
{
    const PlayedCluster first = side();
    first.shell->onFail("echo running", errorOf(ErrorKind::Timeout));
    (void)awaited(begin(first));
    QTRY_COMPARE(run().phase, RunPhase::Allocated);
    QVERIFY(run().error.has_value());
    m_launch->detach();
    const PlayedCluster second = side();
    m_launch->attach(second.cluster);
    QTRY_VERIFY2(stepsAreDone(), qPrintable(run().sentence));
    QVERIFY(second.shell->count("steps/02") > 0);
}

SLIPWAY_TEST(TestRunDriver, runs_rundriver)
#include "tst_rundriver.moc"

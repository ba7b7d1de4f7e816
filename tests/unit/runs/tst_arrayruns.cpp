// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/arraylaunch.h"
#include "app/runs/runarray.h"
#include "app/runs/runhandle.h"
#include "app/runs/runstore.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"
#include "tests/unit/runs/playedcluster.h"

#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// Runs that are the tasks of one job array, against a far side that is played.
class TestArrayRuns : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void task_knowsWhatItShares();
    void tasks_areSubmittedOnce();
    void cancelledTask_isCancelledAlone();
    void refusal_endsAllTasks();
    void incompleteFolder_submitsNothing();
    void lostSubmission_isFoundAgainByEveryTask();
    void lostSubmission_withoutAJobEndsEveryTask();
    void activeTasks_areListedOneByOne();

private:
    std::shared_ptr<Cluster> cluster(const std::shared_ptr<ScriptedShell>& shell);
    std::vector<Result<void>> begin(const std::shared_ptr<Cluster>& there);
    const Run& run(int task) const { return m_handles[std::size_t(task)]->run(); }
    QString said(int task) const { return run(task).sentence; }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunStore> m_store;
    std::vector<std::unique_ptr<RunHandle>> m_handles;
    QByteArray m_queue; ///< "PD" or "R": of all tasks; empty: the scheduler knows no such job
};

namespace {

constexpr int tasks = 3;
const QString tag = QStringLiteral("u-1-array");
const QString place = QStringLiteral("/scratch/me/slipway/array");

QByteArray arrayRow(
    const QByteArray& script, const QByteArray& id, const QByteArray& task, const QByteArray& state)
{
    const qsizetype begin = script.indexOf(" -O '") + 5;
    const QByteArray format = script.mid(begin, script.indexOf('\'', begin) - begin);
    const QHash<QByteArray, QByteArray> values{{"JobID", id}, {"ArrayJobID", "77"},
        {"ArrayTaskID", task}, {"StateCompact", state}, {"Reason", "Priority"},
        {"WorkDir", place.toUtf8()}, {"Comment", "slipway:" + tag.toUtf8()}, {"RestartCnt", "0"}};
    QByteArray row;
    for (const QByteArray& field : format.split(',')) {
        const qsizetype colon = field.indexOf(':');
        row += values.value(field.left(colon), "N/A") + field.mid(colon + 1);
    }
    return row;
}

/// As squeue lists the array: task by task with -r, else the waiting rest as one row.
CommandOutput queueAnswer(const QByteArray& script, const QByteArray& state)
{
    if (state.isEmpty())
        return {};
    if (!script.contains(" -r "))
        return {0, arrayRow(script, "78", "0", "R") + '\n' + arrayRow(script, "77", "1-2%2", state),
            {}};
    QByteArray rows;
    for (int task = 0; task < tasks; ++task)
        rows += arrayRow(script, QByteArray::number(task == 2 ? 77 : 78 + task),
                    QByteArray::number(task), state)
            + '\n';
    return {0, rows, {}};
}

Plan taskPlan(const Run& run)
{
    Plan plan;
    plan.spec = run.spec;
    plan.tag = run.tag;
    plan.steps = {{QStringLiteral("run"), QStringLiteral("Run"), QStringLiteral("running"), {},
        "true\n", {}, false, RecipeStep::Expect::Success}};
    return plan;
}

} // namespace

void TestArrayRuns::init()
{
    m_queue = "PD";
    m_folder = std::make_unique<QTemporaryDir>();
    m_store = std::make_unique<RunStore>(m_folder->filePath(QStringLiteral("runs.sqlite")));
    QVERIFY(m_store->open().ok());
    for (int task = 0; task < tasks; ++task) {
        Run run;
        run.id = QStringLiteral("run%1").arg(task);
        run.tag = QStringLiteral("%1-%2").arg(tag).arg(task);
        run.arrayTask = task;
        run.folder = QStringLiteral("%1/points/%2").arg(place).arg(task);
        run.spec.siteId = QStringLiteral("s");
        run.spec.recipeId = QStringLiteral("r");
        run.created = QDateTime::currentDateTime();
        QVERIFY(m_store->insert(run).ok());
        m_handles.push_back(std::make_unique<RunHandle>(
            run, m_folder->filePath(run.id), m_store.get(), QStringList()));
    }
}

void TestArrayRuns::cleanup()
{
    m_handles.clear();
    m_store.reset();
    QTest::qWait(10); // coroutines that waited for the far side end here
}

std::shared_ptr<Cluster> TestArrayRuns::cluster(const std::shared_ptr<ScriptedShell>& shell)
{
    playLaunches(*shell, [] { return 77; });
    shell->on("squeue", [this](const QByteArray& script) { return queueAnswer(script, m_queue); });
    const auto there = std::make_shared<Cluster>(shell);
    there->watcher()->setPace(WatchPace::demo());
    connect(there->watcher(), &JobWatcher::events, this, [this](const auto& events) {
        for (const JobEvent& event : events)
            for (const auto& handle : m_handles)
                handle->onJobEvent(event);
    });
    there->watcher()->start();
    return there;
}

std::vector<Result<void>> TestArrayRuns::begin(const std::shared_ptr<Cluster>& there)
{
    const auto array = std::make_shared<ArrayLaunch>();
    array->tasks = tasks;
    array->script = "the script of the array\n";
    std::vector<QCoro::Task<Result<void>>> launches;
    for (const auto& handle : m_handles)
        launches.push_back(
            handle->begin(taskPlan(handle->run()), there, QStringLiteral("/scratch/me"), array));
    std::vector<Result<void>> results;
    for (auto& launch : launches)
        results.push_back(awaited(std::move(launch)));
    return results;
}

void TestArrayRuns::task_knowsWhatItShares()
{
    QCOMPARE(submitFolder(run(1)), place);
    QCOMPARE(submitComment(run(1)), u"slipway:" + tag);
    QCOMPARE(jobOfRun(run(1), {QStringLiteral("77")}).text, QStringLiteral("77_1"));
    Run single = run(1);
    single.arrayTask = -1;
    QCOMPARE(submitFolder(single), single.folder);
    QCOMPARE(submitComment(single), u"slipway:" + single.tag);
    QCOMPARE(jobOfRun(single, {QStringLiteral("77")}).text, QStringLiteral("77"));
    const auto stored = m_store->load();
    QVERIFY(stored.ok());
    for (const Run& one : *stored)
        QCOMPARE(one.id, QStringLiteral("run%1").arg(one.arrayTask));
}

void TestArrayRuns::tasks_areSubmittedOnce()
{
    const auto shell = std::make_shared<ScriptedShell>();
    for (const Result<void>& begun : begin(cluster(shell)))
        QVERIFY2(begun.ok(), begun.ok() ? "" : qPrintable(begun.error().text()));
    QCOMPARE(shell->count("sbatch --parsable"), qsizetype(1));
    QCOMPARE(shell->file(place + u"/array.sh"), QByteArray("the script of the array\n"));
    QCOMPARE(shell->fileMode(place + u"/array.sh"), 0700);
    for (int task = 0; task < tasks; ++task) {
        const QString id = QStringLiteral("77_%1").arg(task);
        QCOMPARE(run(task).job.text, id);
        QVERIFY(shell->hasFile(run(task).folder + u"/job.sh"));
        QCOMPARE(run(task).logFile, QString(run(task).folder + u"/slurm-" + id + u".out"));
    }
    QTRY_VERIFY(said(2).contains(u"priority", Qt::CaseInsensitive));
    m_queue = "R";
    for (int task = 0; task < tasks; ++task)
        QTRY_COMPARE(run(task).phase, RunPhase::Running);
}

void TestArrayRuns::cancelledTask_isCancelledAlone()
{
    const auto shell = std::make_shared<ScriptedShell>();
    const auto there = cluster(shell);
    begin(there);
    shell->on("scancel", {0, {}, {}});
    const auto task = m_handles[1]->cancel(there);
    QTRY_VERIFY(shell->count("scancel 77_1") > 0);
    QCOMPARE(shell->count("scancel"), shell->count("scancel 77_1"));
}

void TestArrayRuns::refusal_endsAllTasks()
{
    const auto shell = std::make_shared<ScriptedShell>();
    const auto there = cluster(shell);
    shell->on("sbatch --parsable",
        {0, "failed 1 1\nsbatch: error: invalid partition specified: nope\n", {}});
    for (const Result<void>& begun : begin(there)) {
        QVERIFY(!begun.ok());
        QCOMPARE(begun.error().kind, ErrorKind::Refused);
    }
    for (int task = 0; task < tasks; ++task)
        QVERIFY2(
            run(task).phase == RunPhase::Failed && said(task).contains(u"Nothing was submitted"),
            qPrintable(said(task)));
}

void TestArrayRuns::incompleteFolder_submitsNothing()
{
    const auto shell = std::make_shared<ScriptedShell>();
    const auto there = cluster(shell);
    shell->on("points/1", {1, {}, "mkdir: no space left on device"});
    for (const Result<void>& begun : begin(there))
        QVERIFY(!begun.ok());
    QCOMPARE(shell->count("sbatch --parsable"), qsizetype(0));
    for (int task = 0; task < tasks; ++task)
        QCOMPARE(run(task).phase, RunPhase::Failed);
    QVERIFY2(said(0).contains(u"run1"), qPrintable(said(0))); // which of them it was
    QVERIFY2(said(2).contains(u"run1"), qPrintable(said(2)));
}

void TestArrayRuns::lostSubmission_isFoundAgainByEveryTask()
{
    const auto first = std::make_shared<ScriptedShell>();
    const auto there = cluster(first);
    first->onStream(
        "sbatch --parsable", [shell = first.get()](ScriptedProcess&) { shell->loseLink(); });
    connect(first.get(), &Shell::closed, this, [this] {
        for (const auto& handle : m_handles)
            handle->detach();
    });
    for (const Result<void>& begun : begin(there))
        QVERIFY(!begun.ok());
    for (int task = 0; task < tasks; ++task)
        QVERIFY(!isTerminal(run(task).phase));
    m_queue = "R"; // sbatch had reached the scheduler, which knows the tasks by other numbers, too
    const auto second = std::make_shared<ScriptedShell>();
    const auto again = cluster(second);
    for (const auto& handle : m_handles)
        handle->attach(again);
    for (int task = 0; task < tasks; ++task) {
        QTRY_COMPARE_WITH_TIMEOUT(run(task).phase, RunPhase::Running, 15000);
        QCOMPARE(run(task).job.text, QStringLiteral("77_%1").arg(task));
    }
    QCOMPARE(second->count("sbatch --parsable"), qsizetype(0));
}

void TestArrayRuns::lostSubmission_withoutAJobEndsEveryTask()
{
    const auto first = std::make_shared<ScriptedShell>();
    const auto there = cluster(first);
    first->onStream(
        "sbatch --parsable", [shell = first.get()](ScriptedProcess&) { shell->loseLink(); });
    connect(first.get(), &Shell::closed, this, [this] {
        for (const auto& handle : m_handles)
            handle->detach();
    });
    begin(there);
    m_queue.clear();
    const auto second = std::make_shared<ScriptedShell>();
    const auto again = cluster(second);
    for (const auto& handle : m_handles)
        handle->attach(again);
    for (int task = 0; task < tasks; ++task) {
        QTRY_COMPARE_WITH_TIMEOUT(run(task).phase, RunPhase::Failed, 25000);
        QVERIFY2(said(task).contains(u"Nothing was submitted"), qPrintable(said(task)));
    }
    QCOMPARE(second->count("sbatch --parsable"), qsizetype(0));
}

void TestArrayRuns::activeTasks_areListedOneByOne()
{
    const auto shell = std::make_shared<ScriptedShell>();
    const auto found = awaited(cluster(shell)->orphans(QStringLiteral("slipway:")));
    QVERIFY(found.ok());
    QCOMPARE(found->size(), std::size_t(tasks));
    for (int task = 0; task < tasks; ++task) {
        const Allocation own = ownAllocation((*found)[std::size_t(task)]);
        QCOMPARE(own.id.text, QStringLiteral("77_%1").arg(task));
        QCOMPARE(own.comment, u"slipway:" + run(task).tag); // that of its run
        QCOMPARE(own.folder, run(task).folder);
    }
}

SLIPWAY_TEST(TestArrayRuns, runs_arrayruns)
#include "tst_arrayruns.moc"

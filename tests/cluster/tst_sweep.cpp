// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/sweep.h"
#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

/// A sweep over jobs on the real demo cluster: one job a value, all numbers in one store.
class TestSweep : public QObject {
    Q_OBJECT

private slots:
    void jobs_endInOneStore();
    void array_isOneSubmissionOfManyRuns();
    void array_isFoundAgainByAnotherProgram();

private:
    /// The points of a sweep as the tasks of one array: point 2 fails, the others print a curve.
    static std::vector<LaunchSpec> points(const QString& sweep, int atOnce, const QString& wait);
};

void TestSweep::jobs_endInOneStore()
{
    DemoClusterFixture cluster;
    QVERIFY2(cluster.missing().isEmpty(), qPrintable(cluster.missing()));
    const auto engine = cluster.engine();
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("demo"), &cluster.prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));

    LaunchSpec spec =
        commandSpec(QStringLiteral("sh -c 'echo \"step 1 loss $SLURM_CPUS_PER_TASK\"'"));
    const std::vector<LaunchSpec> specs = sweepSpecs(spec, QStringLiteral("cpus"),
        {QStringLiteral("1"), QStringLiteral("2")}, QStringLiteral("s1"));
    SweepFeed feed(engine->runs(), QStringLiteral("s1"));
    QStringList ids;
    for (const LaunchSpec& one : specs) {
        const auto id = awaited(engine->runs()->launch(one));
        QVERIFY2(id.ok(), qPrintable(id.ok() ? QString() : id.error().text()));
        ids << *id;
    }
    QCOMPARE(feed.runIds(), ids);
    for (const QString& id : ids)
        QVERIFY(waitForEnd(*engine, id, 120));
    QTRY_VERIFY(feed.series().find(QStringLiteral("loss"), QStringLiteral("cpus 1")));
    QTRY_VERIFY(feed.series().find(QStringLiteral("loss"), QStringLiteral("cpus 2")));
    QCOMPARE(feed.series().find(QStringLiteral("loss"), QStringLiteral("cpus 1"))->at(0).y, 1.0);
    QCOMPARE(feed.series().find(QStringLiteral("loss"), QStringLiteral("cpus 2"))->at(0).y, 2.0);
    QCOMPARE(feed.series().all().size(), size_t(2));

    // Another program finds them together again.
    const auto again = cluster.engine();
    SweepFeed kept(again->runs(), QStringLiteral("s1"));
    QCOMPARE(kept.runIds(), ids);
}

std::vector<LaunchSpec> TestSweep::points(const QString& sweep, int atOnce, const QString& wait)
{
    QStringList commands;
    for (int point = 0; point < 6; ++point)
        commands << QStringLiteral("sh -c 'for i in 1 2 3; do echo \"step $i loss %1\"; done; "
                                   "sleep %2; exit %3'")
                        .arg(point)
                        .arg(wait)
                        .arg(point == 2 ? 3 : 0);
    std::vector<LaunchSpec> specs =
        sweepSpecs(commandSpec({}), QStringLiteral("command"), commands, sweep);
    for (std::size_t point = 0; point < specs.size(); ++point)
        specs[point].sweepLabel = QStringLiteral("point %1").arg(point);
    return arraySpecs(specs, atOnce);
}

void TestSweep::array_isOneSubmissionOfManyRuns()
{
    DemoClusterFixture cluster;
    QVERIFY2(cluster.missing().isEmpty(), qPrintable(cluster.missing()));
    const auto engine = cluster.engine();
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("demo"), &cluster.prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
    const auto specs = points(QStringLiteral("s2"), 2, QStringLiteral("6"));
    const auto ids = awaited(engine->runs()->launchArray(specs));
    QVERIFY2(ids.ok(), qPrintable(ids.ok() ? QString() : ids.error().text()));
    QCOMPARE(ids->size(), qsizetype(6));
    const QString array = engine->runs()->run(ids->first())->job.text.section(u'_', 0, 0);
    for (int point = 0; point < 6; ++point) {
        const Run run = *engine->runs()->run(ids->at(point));
        QCOMPARE(run.job.text, QStringLiteral("%1_%2").arg(array).arg(point));
    }
    // One job of Slurm, of which two tasks run at once.
    const auto shown = cluster.ssh(
        QStringLiteral("scontrol show job %1 | grep -c ArrayTaskThrottle=2").arg(array));
    QVERIFY2(shown.out.trimmed().toInt() > 0, shown.out);
    const auto cancelled = awaited(engine->runs()->cancel(ids->at(5)));
    QVERIFY2(cancelled.ok(), qPrintable(cancelled.ok() ? QString() : cancelled.error().text()));
    const auto running = [&] {
        int count = 0;
        for (const QString& id : *ids)
            count += engine->runs()->run(id)->phase == RunPhase::Running;
        return count;
    };
    int most = 0;
    for (const QString& id : *ids) {
        QVERIFY(waitForRun(
            *engine, id,
            [&](const Run& run) {
                most = std::max(most, running());
                return isTerminal(run.phase);
            },
            240));
    }
    QVERIFY2(most <= 2, qPrintable(QString::number(most)));
    for (int point = 0; point < 6; ++point) {
        const Run run = *engine->runs()->run(ids->at(point));
        const RunPhase expected = point == 5 ? RunPhase::Cancelled
            : point == 2                     ? RunPhase::Failed
                                             : RunPhase::Done;
        QVERIFY2(run.phase == expected, qPrintable(run.id + u": " + run.sentence));
        if (point == 5)
            continue;
        // Each has a log and a curve of its own.
        const auto feed = engine->runs()->holdFeed(run.id);
        QTRY_VERIFY(feed->series().find(QStringLiteral("loss"), {}));
        QCOMPARE(feed->series().find(QStringLiteral("loss"), {})->at(0).y, double(point));
        QVERIFY(run.logFile.endsWith(
            QStringLiteral("points/%1/slurm-%2_%1.out").arg(point).arg(array)));
    }
}

/// A client that ends right after the submission: the list knows the runs, the cluster their array.
void TestSweep::array_isFoundAgainByAnotherProgram()
{
    DemoClusterFixture cluster;
    QVERIFY2(cluster.missing().isEmpty(), qPrintable(cluster.missing()));
    QStringList ids;
    QString array;
    {
        const auto first = cluster.engine();
        const auto connected =
            awaited(first->sessions()->connectSite(QStringLiteral("demo"), &cluster.prompter));
        QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
        const auto launched = awaited(
            first->runs()->launchArray(points(QStringLiteral("s3"), 0, QStringLiteral("15"))));
        QVERIFY2(launched.ok(), qPrintable(launched.ok() ? QString() : launched.error().text()));
        ids = *launched;
        array = first->runs()->run(ids.first())->job.text.section(u'_', 0, 0);
    }
    // Without a list, as on another computer: task by task, each with its own folder.
    auto foreign = cluster.engine(cluster.home() + u"/elsewhere");
    const auto there =
        awaited(foreign->sessions()->connectSite(QStringLiteral("demo"), &cluster.prompter));
    QVERIFY2(there.ok(), qPrintable(there.ok() ? QString() : there.error().text()));
    const auto adopted = [&] {
        QStringList jobs;
        for (const Run& run : foreign->runs()->all())
            if (run.job.text.startsWith(QString(array + u'_')))
                jobs << run.job.text;
        return jobs.size();
    };
    QTRY_VERIFY_WITH_TIMEOUT(adopted() == 6, 30'000);
    foreign.reset();
    // With it: the runs go on where they were.
    const auto again = cluster.engine();
    const auto back =
        awaited(again->sessions()->connectSite(QStringLiteral("demo"), &cluster.prompter));
    QVERIFY2(back.ok(), qPrintable(back.ok() ? QString() : back.error().text()));
    for (int point = 0; point < 6; ++point) {
        QVERIFY(waitForEnd(*again, ids.at(point), 240));
        QCOMPARE(again->runs()->run(ids.at(point))->phase,
            point == 2 ? RunPhase::Failed : RunPhase::Done);
    }
}

SLIPWAY_TEST(TestSweep, cluster_sweep)
#include "tst_sweep.moc"

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

SLIPWAY_TEST(TestSweep, cluster_sweep)
#include "tst_sweep.moc"

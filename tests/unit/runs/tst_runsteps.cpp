// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/interactivesteps.h"
#include "app/runs/localrun.h"
#include "tests/support/testmain.h"
#include "tests/support/testsites.h"

#include <QTemporaryDir>

using namespace slipway;

/// What this computer keeps of an interactive run's steps, so that a later connection goes on with
/// them.
class TestRunSteps : public QObject {
    Q_OBJECT

private slots:
    void overlays_areKeptWithTheirKeeper();
    void leavesGpus_isKeptOfEachStep_data();
    void leavesGpus_isKeptOfEachStep();

private:
    InteractiveSteps kept(const Plan& plan) const;
};

InteractiveSteps TestRunSteps::kept(const Plan& plan) const
{
    QTemporaryDir folder;
    LocalRun local(folder.path());
    const Result<std::vector<LaunchFile>> files = launchFiles(plan);
    if (!files.ok() || !keepSteps(local, plan, *files).ok())
        return {};
    return readSteps(local);
}

void TestRunSteps::overlays_areKeptWithTheirKeeper()
{
    LaunchSpec spec;
    spec.mode = LaunchMode::Interactive;
    const Plan plan = makePlan(spec, builtInRecipe("overlay-prototype"), builtInSite("demo"), {});
    const std::optional<StepScript> keeper = renderOverlayKeeper(plan);
    QVERIFY(keeper);
    const InteractiveSteps steps = kept(plan);
    QVERIFY(steps.keeper);
    QCOMPARE(steps.keeper->file, keeper->name);
    QCOMPARE(steps.keeper->sha256, sumOf(keeper->bytes));
    QCOMPARE(steps.steps.size(), plan.steps.size());
}

void TestRunSteps::leavesGpus_isKeptOfEachStep_data()
{
    QTest::addColumn<QString>("version");
    for (const char* version : {"20.11.4", "22.05.8", "24.11.5", ""})
        QTest::newRow(*version ? version : "unknown") << QString::fromLatin1(version);
}

void TestRunSteps::leavesGpus_isKeptOfEachStep()
{
    QFETCH(QString, version);
    ClusterInfo cluster;
    cluster.slurmVersion = version;
    LaunchSpec spec;
    spec.mode = LaunchMode::Interactive;
    spec.values.insert(QStringLiteral("gpus"), QStringLiteral("1"));
    const Plan plan = makePlan(spec, builtInRecipe("matmul-scaling"), builtInSite("demo"), cluster);
    const InteractiveSteps steps = kept(plan);
    QCOMPARE(steps.steps.size(), plan.steps.size());
    for (size_t i = 0; i < plan.steps.size(); ++i)
        QCOMPARE(steps.steps[i].leavesGpus, leavesGpus(plan, plan.steps[i]));
}

SLIPWAY_TEST(TestRunSteps, runs_runsteps)
#include "tst_runsteps.moc"

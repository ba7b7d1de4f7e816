// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testsites.h"

#include "app/runs/continuing.h"
#include "app/runs/runjson.h"
#include "tests/support/testmain.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace slipway;

/// From a run to the one that continues it: its launch, the jobs that it waits for, and what both
/// say of each other.
class TestContinuing : public QObject {
    Q_OBJECT

private slots:
    void launch_hasTheSameValues();
    void launch_isRefusedWithItsReason_data();
    void launch_isRefusedWithItsReason();
    void keptRecipe_hasTheFolderAsItsDefault();
    void chain_isThatOfTheFirst();
    void activeRuns_areWaitedFor();
    void runWithoutAJob_cannotBeWaitedFor();
    void sentences_nameBothNeighbours();
    void offer_endsWithTheNextRun();
    void record_isReadAsItWasWritten();
    void olderRecord_continuesNothing();
};

namespace {

Run chainRun(const QString& id, RunPhase phase, const QString& continues = {})
{
    Run run;
    run.id = run.tag = id;
    run.phase = phase;
    run.job.text = QString::number(100 + id.back().digitValue());
    run.created = QDateTime::fromSecsSinceEpoch(1'700'000'000 + id.back().digitValue());
    run.spec.siteId = QStringLiteral("demo");
    run.spec.recipeId = QStringLiteral("own-code");
    run.spec.project = QStringLiteral("/home/ada/p");
    run.spec.values = {{QStringLiteral("command"), QStringLiteral("python3 train.py")},
        {QStringLiteral("checkpoints"), QStringLiteral("out/ckpt")}};
    run.spec.continues = continues;
    if (!continues.isEmpty())
        run.spec.chain = QStringLiteral("run1");
    return run;
}

const Recipe& ownCode()
{
    static const Recipe recipe = builtInRecipe("own-code");
    return recipe;
}

} // namespace

void TestContinuing::launch_hasTheSameValues()
{
    Run run = chainRun(QStringLiteral("run1"), RunPhase::Failed);
    run.spec.sweep = QStringLiteral("s");
    run.spec.sweepSlot = 2;
    run.spec.afterJob = QStringLiteral("7");
    const auto spec = continuingSpec(run, &ownCode());
    QVERIFY(spec.ok());
    QCOMPARE(spec->values, run.spec.values);
    QCOMPARE(spec->project, run.spec.project);
    QCOMPARE(spec->continues, QStringLiteral("run1"));
    QCOMPARE(spec->chain, QStringLiteral("run1"));
    QVERIFY(spec->sweep.isEmpty() && spec->sweepSlot == 0 && spec->afterJob.isEmpty());
    run.spec = *spec;
    const LaunchSpec again = repeatingSpec(run);
    QVERIFY(again.continues.isEmpty() && again.chain.isEmpty() && again.afterJob.isEmpty());
    QCOMPARE(again.values, run.spec.values);
}

void TestContinuing::launch_isRefusedWithItsReason_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("why");
    QTest::newRow("recipe gone") << "recipe"
                                 << "no recipe “own-code”";
    QTest::newRow("recipe without the field") << "field"
                                              << "keeps no checkpoints";
    QTest::newRow("no folder") << "folder"
                               << "has no checkpoint folder";
    QTest::newRow("interactive") << "interactive"
                                 << "is interactive";
    QTest::newRow("edited") << "edited"
                            << "edited by hand";
}

void TestContinuing::launch_isRefusedWithItsReason()
{
    QFETCH(QString, change);
    QFETCH(QString, why);
    Run run = chainRun(QStringLiteral("run1"), RunPhase::Failed);
    const Recipe other = builtInRecipe("run-a-command");
    const Recipe* recipe = &ownCode();
    if (change == u"recipe")
        recipe = nullptr;
    else if (change == u"field")
        recipe = &other;
    else if (change == u"folder")
        run.spec.values.remove(QStringLiteral("checkpoints"));
    else if (change == u"interactive")
        run.spec.mode = LaunchMode::Interactive;
    else
        run.spec.editedScript = "#!/bin/sh\n";
    const auto spec = continuingSpec(run, recipe);
    QVERIFY(!spec.ok());
    QVERIFY2(spec.error().summary.contains(why), qPrintable(spec.error().summary));
    QVERIFY(!spec.error().remedy.isEmpty());
    QVERIFY(!offersContinuing(run, recipe, nullptr, {run}));
}

void TestContinuing::keptRecipe_hasTheFolderAsItsDefault()
{
    Run run = chainRun(QStringLiteral("run1"), RunPhase::Failed);
    const QString key = QStringLiteral("checkpoints");
    const QString folder = run.spec.values.take(key);
    QVERIFY(!folder.isEmpty());
    QVERIFY(!continuingSpec(run, &ownCode()).ok());
    Recipe kept = ownCode();
    for (Parameter& field : kept.parameters)
        if (field.key == key)
            field.value = folder;
    QVERIFY(continuingSpec(run, &kept).ok());
    run.spec.values.insert(key, {}); // emptied in the form
    QVERIFY(!continuingSpec(run, &kept).ok());
    Recipe there = ownCode();
    there.siteValues[run.spec.siteId].insert(key, folder);
    run.spec.values.remove(key);
    QVERIFY(continuingSpec(run, &there).ok());
    Site site = builtInSite("demo"); // whose file names one for this recipe
    QVERIFY(!continuingSpec(run, &ownCode(), &site).ok());
    site.recipeValues[ownCode().id].insert(key, folder);
    QVERIFY(continuingSpec(run, &ownCode(), &site).ok());
}

void TestContinuing::chain_isThatOfTheFirst()
{
    const Run third =
        chainRun(QStringLiteral("run3"), RunPhase::Done, QStringLiteral("run2")); // run2 is deleted
    QCOMPARE(chainOf(third), QStringLiteral("run1"));
    const auto spec = continuingSpec(third, &ownCode());
    QVERIFY(spec.ok());
    QCOMPARE(spec->continues, QStringLiteral("run3"));
    QCOMPARE(spec->chain, QStringLiteral("run1"));
}

void TestContinuing::activeRuns_areWaitedFor()
{
    const Run first = chainRun(QStringLiteral("run1"), RunPhase::Running);
    const Run second = chainRun(QStringLiteral("run2"), RunPhase::Queued, QStringLiteral("run1"));
    Run elsewhere = chainRun(QStringLiteral("run4"), RunPhase::Running, QStringLiteral("run1"));
    elsewhere.spec.siteId = QStringLiteral("kestrel");
    const Run stranger = chainRun(QStringLiteral("run5"), RunPhase::Running);
    LaunchSpec spec = *continuingSpec(first, &ownCode());
    QCOMPARE(*jobsBefore(spec, {first, stranger}), QStringLiteral("101"));
    // The second waits for the first itself.
    QCOMPARE(*jobsBefore(spec, {first, second, elsewhere}), QStringLiteral("102"));
    Run ended = first;
    ended.phase = RunPhase::Failed;
    QCOMPARE(*jobsBefore(spec, {ended, stranger}), QString());
    // Two that were started at once.
    const Run other = chainRun(QStringLiteral("run3"), RunPhase::Queued, QStringLiteral("run1"));
    QCOMPARE(*jobsBefore(spec, {ended, second, other}), QStringLiteral("102:103"));
    QCOMPARE(*jobsBefore(repeatingSpec(first), {first}), QString());
}

void TestContinuing::runWithoutAJob_cannotBeWaitedFor()
{
    Run first = chainRun(QStringLiteral("run1"), RunPhase::Submitting);
    first.job = {};
    const auto jobs = jobsBefore(*continuingSpec(first, &ownCode()), {first});
    QVERIFY(!jobs.ok());
    QVERIFY(jobs.error().summary.contains(u"no job yet"));
}

void TestContinuing::sentences_nameBothNeighbours()
{
    const Run first = chainRun(QStringLiteral("run1"), RunPhase::Failed);
    const Run second = chainRun(QStringLiteral("run2"), RunPhase::Failed, QStringLiteral("run1"));
    const Run third = chainRun(QStringLiteral("run3"), RunPhase::Running, QStringLiteral("run2"));
    const auto middle = chainSentences(second, {third, second, first});
    QCOMPARE(middle.size(), size_t(2));
    QCOMPARE(middle[0].text, QStringLiteral("Continues run run1."));
    QCOMPARE(middle[0].runId, QStringLiteral("run1"));
    QCOMPARE(middle[1].text, QStringLiteral("Continued by run run3."));
    QCOMPARE(middle[1].runId, QStringLiteral("run3"));
    const auto left = chainSentences(second, {second});
    QCOMPARE(left.size(), size_t(1));
    QVERIFY(left[0].text.contains(u"not in the list any more") && left[0].runId.isEmpty());
    QVERIFY(chainSentences(first, {first}).empty());
}

void TestContinuing::offer_endsWithTheNextRun()
{
    const Run first = chainRun(QStringLiteral("run1"), RunPhase::Failed);
    Run second = chainRun(QStringLiteral("run2"), RunPhase::Queued, QStringLiteral("run1"));
    QVERIFY(offersContinuing(first, &ownCode(), nullptr, {first}));
    QVERIFY(!offersContinuing(first, &ownCode(), nullptr, {second, first}));
    QVERIFY(offersContinuing(second, &ownCode(), nullptr, {second, first}));
    // A launch that was refused continues nothing.
    second.phase = RunPhase::Failed;
    second.job = {};
    QVERIFY(offersContinuing(first, &ownCode(), nullptr, {second, first}));
    QVERIFY(!offersContinuing(second, &ownCode(), nullptr, {second, first}));
}

void TestContinuing::record_isReadAsItWasWritten()
{
    Run run = chainRun(QStringLiteral("run3"), RunPhase::Queued, QStringLiteral("run2"));
    run.spec.afterJob = QStringLiteral("101:102");
    const auto read = runFromJson(runToJson(run));
    QVERIFY(read.ok());
    QCOMPARE(read->spec.continues, run.spec.continues);
    QCOMPARE(read->spec.chain, run.spec.chain);
    QCOMPARE(read->spec.afterJob, run.spec.afterJob);
}

void TestContinuing::olderRecord_continuesNothing()
{
    const auto read = runFromJson(
        QJsonDocument::fromJson(R"({"id":"k3f9","phase":"done","spec":{"site":"demo"}})").object());
    QVERIFY(read.ok());
    QVERIFY(read->spec.continues.isEmpty() && read->spec.chain.isEmpty()
        && read->spec.afterJob.isEmpty());
    QCOMPARE(chainOf(*read), QStringLiteral("k3f9"));
}

SLIPWAY_TEST(TestContinuing, runs_continuing)
#include "tst_continuing.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testsites.h"

#include "app/plan/difference.h"
#include "app/runs/relaunch.h"
#include "app/runs/runjson.h"
#include "app/runs/sweep.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

/// From an explanation to the next launch: the field that changes, and what that does to the
/// script. And the launches of a sweep.
class TestRelaunch : public QObject {
    Q_OBJECT

private slots:
    void difference_isUnified_data();
    void difference_isUnified();
    void difference_appliesBackAndForth();
    void offer_isTheNewValue_data();
    void offer_isTheNewValue();
    void memory_isRaisedWhereItWasAskedFor();
    void change_isAllThatTheScriptsDifferIn();
    void explanations_areKeptWithTheRun();
    void sweep_isEveryCombination();
};

namespace {

QString unified(const QByteArray& before, const QByteArray& after)
{
    QStringList lines;
    for (const DifferenceLine& line : scriptDifference(before, after))
        lines << differenceText(line);
    return lines.join(u'\n');
}

Plan planOfValues(const QMap<QString, QString>& values)
{
    const Resources resources = builtInResources();
    const auto site = std::find_if(resources.sites.begin(), resources.sites.end(),
        [](const Site& one) { return one.id == u"kestrel"; });
    const auto recipe = std::find_if(resources.recipes.begin(), resources.recipes.end(),
        [](const Recipe& one) { return one.id == u"matmul-scaling"; });
    return makePlan({QStringLiteral("kestrel"), QStringLiteral("matmul-scaling"), LaunchMode::Batch,
                        values, {}},
        *recipe, *site, {});
}

} // namespace

void TestRelaunch::difference_isUnified_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QString>("expected");
    QTest::newRow("the same") << QByteArray("a\nb\n") << QByteArray("a\nb\n") << QString();
    QTest::newRow("nothing") << QByteArray() << QByteArray() << QString();
    QTest::newRow("one line") << QByteArray("1\n2\n3\n4\n5\n6\n7\n8\n9\n")
                              << QByteArray("1\n2\n3\n4\nx\n6\n7\n8\n9\n")
                              << QStringLiteral("@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8");
    QTest::newRow("added") << QByteArray("a\nb\n") << QByteArray("a\nx\nb\n")
                           << QStringLiteral("@@ -1,2 +1,3 @@\n a\n+x\n b");
    QTest::newRow("removed") << QByteArray("a\nx\nb\n") << QByteArray("a\nb\n")
                             << QStringLiteral("@@ -1,3 +1,2 @@\n a\n-x\n b");
    QTest::newRow("from nothing") << QByteArray() << QByteArray("a\n")
                                  << QStringLiteral("@@ -0,0 +1,1 @@\n+a");
    QTest::newRow("two places")
        << QByteArray("a\n1\n2\n3\n4\n5\n6\n7\n8\nb\n")
        << QByteArray("A\n1\n2\n3\n4\n5\n6\n7\n8\nB\n")
        << QStringLiteral(
               "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -7,4 +7,4 @@\n 6\n 7\n 8\n-b\n+B");
    QTest::newRow("a repeated line") << QByteArray("a\na\na\n") << QByteArray("a\na\na\na\n")
                                     << QStringLiteral("@@ -1,3 +1,4 @@\n a\n a\n a\n+a");
    QTest::newRow("last line without an end") << QByteArray("a\nb") << QByteArray("a\nc")
                                              << QStringLiteral("@@ -1,2 +1,2 @@\n a\n-b\n+c");
}

void TestRelaunch::difference_isUnified()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QString, expected);
    QCOMPARE(unified(before, after), expected);
}

void TestRelaunch::difference_appliesBackAndForth()
{
    // With everything around shown, the signs give both texts back.
    const QByteArray before = "a\nb\nc\nd\ne\nf\n", after = "x\nb\nd\nc\ne\ny\nf\nz\n";
    QByteArray left, right;
    for (const DifferenceLine& line : scriptDifference(before, after, 100)) {
        if (line.kind == DifferenceLine::Kind::Same || line.kind == DifferenceLine::Kind::Removed)
            left += line.text.toUtf8() + '\n';
        if (line.kind == DifferenceLine::Kind::Same || line.kind == DifferenceLine::Kind::Added)
            right += line.text.toUtf8() + '\n';
    }
    QCOMPARE(left, before);
    QCOMPARE(right, after);
    // Two long texts without a common line cost no more than both of them.
    QCOMPARE(
        scriptDifference(QByteArray("a\n").repeated(30'000), QByteArray("b\n").repeated(30'000))
            .size(),
        size_t(60'001));
}

void TestRelaunch::offer_isTheNewValue_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("now");
    QTest::addColumn<QString>("expected"); ///< "none": no offer; "?": to be chosen
    const auto row = [](const char* name, const char* field, const char* change, const char* value,
                         const char* now, const char* expected) {
        QTest::newRow(name) << QString::fromLatin1(field) << QString::fromLatin1(change)
                            << QString::fromLatin1(value) << QString::fromLatin1(now)
                            << QString::fromLatin1(expected);
    };
    row("memory", "memory", "double", "8G", "4G", "8G");
    row("memory in MiB", "memory", "double", "8G", "1500M", "3000M");
    row("memory that is all there is", "memory", "double", "8G", "0", "none");
    row("time", "time", "double", "01:00:00", "00:10:00", "00:20:00");
    row("unlimited time", "time", "double", "01:00:00", "UNLIMITED", "none");
    row("more memory", "memory", "add", "4G", "4G", "8G");
    row("more GPUs", "gpus", "add", "1", "1", "2");
    row("set", "gpus", "set", "1", "0", "1");
    row("set to what it is", "gpus", "set", "1", "1", "none");
    row("to be chosen", "account", "choose", "", "hpcapps", "?");
    row("no such field", "colour", "choose", "", "", "none");
    row("a first folder", "binds", "append", "/projects/mine", "", "/projects/mine");
    row("one more folder", "binds", "append", "/projects/mine", "/nopt,/x:/data:ro",
        "/nopt,/x:/data:ro,/projects/mine");
    row("a folder that is there", "binds", "append", "/nopt", "/nopt", "none");
    row("one more variable", "environment", "append", "FI_PROVIDER=tcp", "A=1",
        "A=1 FI_PROVIDER=tcp");
    row("a variable beside one with a blank", "environment", "append", "FI_PROVIDER=tcp",
        "LABEL=\"two words\"", "FI_PROVIDER=tcp LABEL=\"two words\"");
    row("a variable in place of one with a blank", "environment", "append", "LABEL=x",
        "LABEL=\"two words\"", "LABEL=x");
    row("a variable of another value", "environment", "append", "FI_PROVIDER=tcp",
        "FI_PROVIDER=verbs A=1", "A=1 FI_PROVIDER=tcp");
    row("no amount", "memory", "double", "8G", "much", "none");
}

void TestRelaunch::offer_isTheNewValue()
{
    QFETCH(QString, field);
    QFETCH(QString, change);
    QFETCH(QString, value);
    QFETCH(QString, now);
    QFETCH(QString, expected);
    const Plan plan = planOfValues({{field, now}});
    const auto offer = relaunchOffer({field, changeOf(change).value(), value}, plan);
    QCOMPARE(offer.has_value(), expected != u"none");
    if (offer) {
        QCOMPARE(offer->value.value_or(QStringLiteral("?")), expected);
        QVERIFY(!offer->label.isEmpty());
    }
}

void TestRelaunch::memory_isRaisedWhereItWasAskedFor()
{
    const Plan plan = planOfValues({{QStringLiteral("memory"), QString()},
        {QStringLiteral("memory_per_cpu"), QStringLiteral("8G")}});
    const auto offer = relaunchOffer(
        {QStringLiteral("memory"), FieldChange::Kind::Double, QStringLiteral("8G")}, plan);
    QVERIFY(offer);
    QCOMPARE(offer->field, QStringLiteral("memory_per_cpu"));
    QCOMPARE(offer->value.value_or(QString()), QStringLiteral("16G"));
}

void TestRelaunch::change_isAllThatTheScriptsDifferIn()
{
    const QString tag = QStringLiteral("5b0a6a56");
    const QByteArray before =
        scriptOf(planOfValues({{QStringLiteral("memory"), QStringLiteral("4G")}}), tag);
    const QByteArray after =
        scriptOf(planOfValues({{QStringLiteral("memory"), QStringLiteral("8G")}}), tag);
    QStringList changed;
    for (const DifferenceLine& line : scriptDifference(before, after))
        if (line.kind == DifferenceLine::Kind::Removed || line.kind == DifferenceLine::Kind::Added)
            changed << differenceText(line).simplified();
    QCOMPARE(changed,
        (QStringList{QStringLiteral("-#SBATCH --mem=4G"), QStringLiteral("+#SBATCH --mem=8G")}));
}

void TestRelaunch::explanations_areKeptWithTheRun()
{
    Run run;
    run.id = QStringLiteral("k3f9");
    run.phase = RunPhase::Failed;
    run.explanations.push_back({QStringLiteral("F22"), 12, QStringLiteral("oom"),
        QStringLiteral("T"), QStringLiteral("C"), QStringLiteral("R"), Explanation::Severity::Fault,
        FieldChange{QStringLiteral("memory"), FieldChange::Kind::Double, QStringLiteral("8G")}});
    Explanation& first = run.explanations.back();
    first.certainty = Explanation::Certainty::Likely;
    first.lines = 3;
    first.further = {{14, QStringLiteral("Killed")}};
    first.facts = QStringLiteral("At its peak the job used 7.9 of 8.0 GB.");
    first.name = QStringLiteral("out-of-memory");
    first.alternatives = {{QStringLiteral("batch"), FieldChange::Kind::Halve, {}}};
    run.explanations.push_back({QStringLiteral("F39"), 0, {}, QStringLiteral("T"), {}, {},
        Explanation::Severity::Note, {}});
    const auto back = runFromJson(runToJson(run));
    QVERIFY(back.ok());
    QVERIFY(back->explanations == run.explanations);
    QVERIFY(!runToJson(Run()).contains(u"explanations"));
}

void TestRelaunch::sweep_isEveryCombination()
{
    LaunchSpec spec;
    spec.mode = LaunchMode::Interactive;
    spec.values.insert(QStringLiteral("cpus"), QStringLiteral("8"));
    const std::vector<SweepField> fields{
        {QStringLiteral("nodes"), {QStringLiteral("1"), QStringLiteral("2")}},
        {QStringLiteral("cpus"), {QStringLiteral("2"), QStringLiteral("4"), QStringLiteral("8")}}};
    const std::vector<LaunchSpec> free = sweepSpecs(spec, fields, QStringLiteral("s"));
    const std::vector<LaunchSpec> limited = sweepSpecs(spec, fields, QStringLiteral("s"), 4);
    QStringList labels;
    QList<int> places;
    for (size_t i = 0; i < free.size(); ++i) {
        labels << free[i].sweepLabel;
        places << limited[i].sweepSlot;
        QCOMPARE(free[i].sweepSlot, 0);
        QCOMPARE(free[i].mode, LaunchMode::Batch);
        QCOMPARE(free[i].sweep, QStringLiteral("s"));
    }
    QCOMPARE(labels.join(u'|'),
        QStringLiteral("nodes 1, cpus 2|nodes 1, cpus 4|nodes 1, cpus 8|nodes 2, cpus 2|"
                       "nodes 2, cpus 4|nodes 2, cpus 8"));
    QCOMPARE(places, (QList<int>{1, 2, 3, 4, 1, 2}));
    QCOMPARE(free[1].values.value(QStringLiteral("cpus")), QStringLiteral("4"));
    // A limit that limits nothing leaves the jobs as they are.
    QCOMPARE(sweepSpecs(spec, fields, QStringLiteral("s"), 6).front().sweepSlot, 0);
    for (const LaunchSpec& task : arraySpecs(limited, 4)) {
        QCOMPARE(task.sweepSlot, 0); // the array limits how many run at once
        QCOMPARE(task.arrayAtOnce, 4);
        QCOMPARE(sweepSpecs(task, fields, QStringLiteral("s")).front().arrayAtOnce, -1);
    }
    QVERIFY(sweepSpecs(spec, {{QStringLiteral("cpus"), {}}}, QStringLiteral("s")).empty());
}

SLIPWAY_TEST(TestRelaunch, runs_relaunch)
#include "tst_relaunch.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/launchlists.h"
#include "tests/support/testmain.h"
#include "tests/support/testsites.h"

#include <QTest>

using namespace slipway;

/// Data folders of the cluster: how they are written, and how each runtime binds them.
class TestData : public QObject {
    Q_OBJECT

private slots:
    void list_isOfFoldersThatAreRead();
    void runtimes_bindThemReadOnly_data();
    void runtimes_bindThemReadOnly();
    void noContainer_bindsNothing();
    void otherFieldsOfThatName_areNone();
};

namespace {

Plan dataPlan(RuntimeKind runtime, const QString& data, const QString& image)
{
    Site site = builtInSite("demo");
    site.runtime = runtime;
    site.runtimes = {runtime};
    LaunchSpec spec;
    spec.recipeId = QStringLiteral("run-a-command");
    spec.values = {{QStringLiteral("data"), data}, {QStringLiteral("image"), image},
        {QStringLiteral("command"), QStringLiteral("./run")}};
    return makePlan(spec, builtInRecipe("run-a-command"), site, {});
}

} // namespace

void TestData::list_isOfFoldersThatAreRead()
{
    const auto folders =
        parseDataFolders(QStringLiteral("/data/a/ , $SCRATCH/my data:/data,,${WORK}/x:/y/:ro"));
    QVERIFY(folders.ok());
    QCOMPARE(folders->size(), std::size_t(3));
    QCOMPARE((*folders)[0].source, QStringLiteral("/data/a"));
    QCOMPARE((*folders)[0].destination, QString());
    QCOMPARE((*folders)[1].source, QStringLiteral("$SCRATCH/my data"));
    QCOMPARE((*folders)[1].destination, QStringLiteral("/data"));
    QCOMPARE((*folders)[2].destination, QStringLiteral("/y"));
    for (const Bind& folder : *folders)
        QVERIFY(folder.readOnly);
    QVERIFY(parseDataFolders({})->empty());
    QStringList many;
    for (int i = 0; i < 33; ++i)
        many << QStringLiteral("/data/%1").arg(i);
    QVERIFY(!parseDataFolders(many.join(u',')).ok());
    many.removeLast();
    QVERIFY(parseDataFolders(many.join(u',')).ok());
}

void TestData::runtimes_bindThemReadOnly_data()
{
    QTest::addColumn<RuntimeKind>("runtime");
    QTest::addColumn<QString>("words");
    // The run folder comes after them: one of them may contain it.
    const QString apptainer =
        QStringLiteral("-B /data/a:/data/a:ro -B \"$SCRATCH\"/b:/b:ro -B \"$PWD\":\"$PWD\" ");
    QTest::newRow("apptainer") << RuntimeKind::Apptainer << apptainer;
    QTest::newRow("singularity") << RuntimeKind::Singularity << apptainer;
    QTest::newRow("enroot") << RuntimeKind::Enroot
                            << QStringLiteral(
                                   "--mount /data/a:/data/a:none:x-create=auto,rbind,ro --mount "
                                   "\"$SCRATCH\"/b:/b:none:x-create=auto,rbind,ro --mount "
                                   "\"$PWD\":\"$PWD\" ");
    QTest::newRow("pyxis") << RuntimeKind::Pyxis
                           << QStringLiteral("/data/a:/data/a:ro,\"$SCRATCH\"/b:/b:ro,"
                                             "\"$PWD\":\"$PWD\" ");
}

void TestData::runtimes_bindThemReadOnly()
{
    QFETCH(RuntimeKind, runtime);
    QFETCH(QString, words);
    const Plan plan = dataPlan(
        runtime, QStringLiteral("/data/a,$SCRATCH/b:/b"), QStringLiteral("docker://python:3.13"));
    QVERIFY2(!plan.hasErrors(), problemsText(plan));
    QCOMPARE(plan.data.size(), std::size_t(2));
    QByteArray body;
    for (const PlanStep& step : plan.steps) {
        if (step.id == u"run")
            body = step.body;
    }
    const QString line =
        QString::fromUtf8(body).replace(QStringLiteral("\\\n"), QStringLiteral(" ")).simplified()
        + u' ';
    QVERIFY2(line.contains(words), body);
}

void TestData::noContainer_bindsNothing()
{
    const Plan plan = dataPlan(RuntimeKind::Apptainer, QStringLiteral("/data/a"), {});
    QVERIFY2(!plan.hasErrors(), problemsText(plan));
    QCOMPARE(plan.data.size(), std::size_t(1)); // looked for all the same
    QVERIFY(!renderScript(plan).contains("/data/a:"));
}

/// The articles that BERT is trained on are written there.
void TestData::otherFieldsOfThatName_areNone()
{
    LaunchSpec spec;
    spec.values = {{QStringLiteral("data"), QStringLiteral("/data/a")}};
    QVERIFY(makePlan(spec, builtInRecipe("bert-train"), builtInSite("demo"), {}).data.empty());
}

SLIPWAY_TEST(TestData, plan_data)
#include "tst_data.moc"

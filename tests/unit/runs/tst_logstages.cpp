// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/feedlines.h"
#include "app/runs/logstages.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

/// Which lines of a log belong to which stage.
class TestLogStages : public QObject {
    Q_OBJECT

private slots:
    void header_isALineOfSlipways();
    void sections_followTheStages();
    void otherHeaders_areLines();
    void requeuedJob_beginsAgain();
    void headers_outliveTheirLines();
    void stage_isFoundByIdOrTitle();
};

namespace {

std::vector<RunStage> stagesOf(const QStringList& names)
{
    std::vector<RunStage> stages;
    for (const QString& name : names) {
        RunStage stage;
        stage.id = name;
        stage.title = name.at(0).toUpper() + name.mid(1) + u" it";
        stages.push_back(stage);
    }
    return stages;
}

const QStringList buildStages{QStringLiteral("queued"), QStringLiteral("node"),
    QStringLiteral("image"), QStringLiteral("build"), QStringLiteral("test"),
    QStringLiteral("results")};

} // namespace

void TestLogStages::header_isALineOfSlipways()
{
    QCOMPARE(headerTitle(QStringLiteral("== Pull the image")), QStringLiteral("Pull the image"));
    QVERIFY(headerTitle(QStringLiteral("==")).isEmpty());
    QVERIFY(headerTitle(QStringLiteral("=== a")).isEmpty());
    QVERIFY(headerTitle(QStringLiteral(" == a")).isEmpty());
    QVERIFY(headerTitle(QString(QStringLiteral("== ") + QString(500, u'a'))).isEmpty());
}

void TestLogStages::sections_followTheStages()
{
    const std::vector<RunStage> stages = stagesOf(buildStages);
    const auto sections =
        logSections({{3, QStringLiteral("Image it")}, {90, QStringLiteral("Build it")},
                        {4000, QStringLiteral("Test it")}},
            stages);
    QCOMPARE(sections, (std::vector<LogSection>{{2, 3, 89}, {3, 90, 3999}, {4, 4000, 0}}));
    QVERIFY(hasFoldedStages(sections, stages));
    const auto plain = logSections({{3, QStringLiteral("Test it")}}, stages);
    QVERIFY(!hasFoldedStages(plain, stages));
    QVERIFY(logSections({}, stages).empty());
    QVERIFY(logSections({{1, QStringLiteral("Test it")}}, {}).empty());
}

void TestLogStages::otherHeaders_areLines()
{
    // Of a step that failed, of a program, and of one that prints the title of an earlier stage.
    const auto sections = logSections(
        {{3, QStringLiteral("Image it")}, {5, QStringLiteral("Image it: failed with exit code 1")},
            {7, QStringLiteral("epoch 1")}, {9, QStringLiteral("Test it")},
            {11, QStringLiteral("Build it")}},
        stagesOf(buildStages));
    QCOMPARE(sections, (std::vector<LogSection>{{2, 3, 8}, {4, 9, 0}}));
}

void TestLogStages::requeuedJob_beginsAgain()
{
    const auto stages = stagesOf(buildStages);
    const auto sections =
        logSections({{3, QStringLiteral("Image it")}, {9, QStringLiteral("Build it")},
                        {20, QStringLiteral("Image it")}, {22, QStringLiteral("Build it")}},
            stages);
    QCOMPARE(sections, (std::vector<LogSection>{{2, 3, 8}, {3, 9, 19}, {2, 20, 21}, {3, 22, 0}}));
    QCOMPARE(sectionsOf(sections, stages, QStringLiteral("build")).size(), std::size_t(2));
}

void TestLogStages::headers_outliveTheirLines()
{
    FeedLines lines;
    lines.append(QStringLiteral("== Build it"), 1);
    for (qint64 number = 2; number <= 5000; ++number)
        lines.append(QStringLiteral("line"), number);
    lines.append(QStringLiteral("== Test it"), 5001);
    lines.trim(100);
    QVERIFY(lines.list().size() < 200);
    QCOMPARE(lines.headers(),
        (std::vector<LogHeader>{
            {1, QStringLiteral("Build it")}, {5001, QStringLiteral("Test it")}}));
    for (qint64 number = 1; number <= 9000; ++number) // a program that prints nothing else
        lines.append(QStringLiteral("== x"), 5001 + number);
    QCOMPARE(lines.headers().size(), std::size_t(5000));
}

void TestLogStages::stage_isFoundByIdOrTitle()
{
    const auto stages = stagesOf(buildStages);
    const auto sections = logSections({{3, QStringLiteral("Build it")}}, stages);
    QCOMPARE(sectionsOf(sections, stages, QStringLiteral("build")).size(), std::size_t(1));
    QCOMPARE(sectionsOf(sections, stages, QStringLiteral("build IT")).size(), std::size_t(1));
    QVERIFY(sectionsOf(sections, stages, QStringLiteral("test")).empty());
    QVERIFY(sectionsOf(sections, stages, QStringLiteral("nothing")).empty());
}

SLIPWAY_TEST(TestLogStages, runs_logstages)
#include "tst_logstages.moc"

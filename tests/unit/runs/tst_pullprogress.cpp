// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/pullprogress.h"
#include "app/runs/run.h"
#include "app/runs/runstory.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

namespace {

QByteArray pullRow(double t, const char* phase, const QByteArray& bytes, const QByteArray& of = {})
{
    return "{\"t\":" + QByteArray::number(t, 'f', 3)
        + R"(,"stage":"image","state":"progress","step":"image","phase":")" + phase
        + "\",\"bytes\":" + bytes + (of.isEmpty() ? QByteArray() : ",\"of\":" + of) + "}\n";
}

QByteArray markRow(double t, const char* stage, const char* state, const char* step,
    const char* text = "", int code = 0)
{
    return "{\"t\":" + QByteArray::number(t, 'f', 3) + ",\"stage\":\"" + stage + "\",\"state\":\""
        + state + "\",\"step\":\"" + step + "\",\"code\":" + QByteArray::number(code)
        + ",\"text\":\"" + text + "\"}\n";
}

std::optional<PullState> stateOf(const QByteArray& rows)
{
    return readPulls(rows).running.value(QStringLiteral("image")).state();
}

std::vector<RunStage> pullStages()
{
    return {RunStage{QStringLiteral("node"), QStringLiteral("Node"), StageState::Done, {}, {}, {}},
        RunStage{QStringLiteral("image"), QStringLiteral("Pull the image"), StageState::Pending, {},
            {}, {}}};
}

} // namespace

/// Rows of a pull become bytes, rate and time left, whatever the rows say.
class TestPullProgress : public QObject {
    Q_OBJECT

private slots:
    void rate_isOfTheLastTenSeconds();
    void timeLeft_needsTheWhole();
    void anotherPhase_beginsAgain();
    void clockThatGoesBack_beginsAgain();
    void slowRows_areMeasured();
    void stalledPull_isSaid();
    void wrongRows_areSkipped_data();
    void wrongRows_areSkipped();
    void anotherAttempt_forgets();
    void stages_showIt();
    void reusedImage_isSaid_data();
    void reusedImage_isSaid();
    void marks_areNotDisturbed();
};

void TestPullProgress::rate_isOfTheLastTenSeconds()
{
    QByteArray rows;
    for (int i = 0; i <= 10; ++i) // slow at first: 1000 bytes a second
        rows += pullRow(100 + 2 * i, "download", QByteArray::number(2000 * i));
    for (int i = 1; i <= 10; ++i) // then 5000
        rows += pullRow(120 + 2 * i, "download", QByteArray::number(20'000 + 10'000 * i));
    const auto state = stateOf(rows);
    QVERIFY(state.has_value());
    QCOMPARE(state->bytes, qint64(120'000));
    QCOMPARE(state->rate, std::optional<double>(5000));
    QVERIFY(!state->of && !state->left);
    QCOMPARE(pullText(*state).section(u':', 0, 0), QStringLiteral("Downloading layers"));
    QVERIFY2(pullText(*state).endsWith(u"/s"), qPrintable(pullText(*state)));
}

void TestPullProgress::timeLeft_needsTheWhole()
{
    const auto state =
        stateOf(pullRow(10, "download", "1000", "9000") + pullRow(12, "download", "3000", "9000"));
    QCOMPARE(state->rate, std::optional<double>(1000));
    QCOMPARE(state->left, std::optional(std::chrono::seconds(6)));
    QVERIFY2(pullText(*state).endsWith(u", about 6 s left"), qPrintable(pullText(*state)));
    // More than the whole: the whole was wrong.
    const auto more =
        stateOf(pullRow(10, "download", "1000", "2000") + pullRow(12, "download", "3000", "2000"));
    QVERIFY(!more->of && !more->left);
    // One row has no rate.
    const auto first = stateOf(pullRow(10, "download", "1000", "9000"));
    QVERIFY(!first->rate && !first->left);
    QCOMPARE(first->of, std::optional<qint64>(9000));
}

void TestPullProgress::anotherPhase_beginsAgain()
{
    const auto state = stateOf(pullRow(10, "download", "1000", "9000")
        + pullRow(12, "download", "9000", "9000") + pullRow(14, "extract", "500"));
    QCOMPARE(state->phase, QStringLiteral("extract"));
    QCOMPARE(state->bytes, qint64(500));
    QVERIFY(!state->rate && !state->of);
    QCOMPARE(pullPhaseTitle(QStringLiteral("pack")), QStringLiteral("Packing the image file"));
}

void TestPullProgress::clockThatGoesBack_beginsAgain()
{
    const auto state = stateOf(pullRow(1000, "download", "1000") + pullRow(1002, "download", "2000")
        + pullRow(500, "download", "3000") + pullRow(502, "download", "7000"));
    QCOMPARE(state->rate, std::optional<double>(2000));
    const auto same =
        stateOf(pullRow(1000, "download", "1000") + pullRow(1000, "download", "2000"));
    QVERIFY(!same->rate);
    const auto fewer =
        stateOf(pullRow(1000, "download", "5000") + pullRow(1002, "download", "2000"));
    QVERIFY(!fewer->rate);
    QCOMPARE(fewer->bytes, qint64(2000));
}

void TestPullProgress::slowRows_areMeasured()
{
    const auto state = stateOf(pullRow(1000, "download", "0") + pullRow(1002, "download", "10")
        + pullRow(1120, "download", "118010"));
    QCOMPARE(state->rate, std::optional<double>(1000));
}

void TestPullProgress::stalledPull_isSaid()
{
    const auto state =
        stateOf(pullRow(10, "download", "4000", "9000") + pullRow(19, "download", "4000", "9000"));
    QCOMPARE(state->rate, std::optional<double>(0));
    QVERIFY(!state->left);
    QVERIFY(pullText(*state).contains(u"nothing new"));
}

void TestPullProgress::wrongRows_areSkipped_data()
{
    QTest::addColumn<QByteArray>("rows");
    QTest::newRow("negative") << pullRow(10, "download", "-1");
    QTest::newRow("huge") << pullRow(10, "download", "1e300");
    QTest::newRow("no number") << pullRow(10, "download", "\"1\"");
    QTest::newRow("unknown phase") << pullRow(10, "<b>", "1");
    QTest::newRow("no time") << pullRow(-1, "download", "1");
    QTest::newRow("cut line") << pullRow(10, "download", "1").chopped(1);
    QTest::newRow("no JSON") << QByteArray("{\"stage\":\"image\",\"state\":\"progress\"\n");
    QTest::newRow("long line") << pullRow(10, "download", QByteArray(5000, ' ') + "1");
    QTest::newRow("other stage")
        << pullRow(10, "download", "1").replace("\"stage\":\"image\"", "\"stage\":\"running\"");
}

void TestPullProgress::wrongRows_areSkipped()
{
    QFETCH(QByteArray, rows);
    QVERIFY(!stateOf(rows).has_value());
    const auto state = stateOf(pullRow(8, "download", "7") + rows);
    QCOMPARE(state->bytes, qint64(7));
}

void TestPullProgress::anotherAttempt_forgets()
{
    const QByteArray first = pullRow(10, "download", "1000");
    QVERIFY(!stateOf(first + markRow(20, "node", "done", "node")).has_value());
    QVERIFY(!stateOf(first + markRow(20, "image", "begin", "image")).has_value());
}

void TestPullProgress::stages_showIt()
{
    const QByteArray rows = markRow(5, "image", "begin", "image")
        + pullRow(10, "download", "1048576", "3145728")
        + pullRow(12, "download", "2097152", "3145728");
    std::vector<RunStage> stages = pullStages();
    applyMarks(stages, parseMarks(rows));
    const auto running = applyPulls(stages, readPulls(rows));
    QVERIFY(running.has_value());
    QCOMPARE(stages[1].detail, pullText(*running));
    // When it has ended, no half number stays.
    const QByteArray ended = rows + markRow(14, "image", "done", "image");
    stages = pullStages();
    applyMarks(stages, parseMarks(ended));
    QVERIFY(!applyPulls(stages, readPulls(ended)).has_value());
    QVERIFY(stages[1].detail.isEmpty());
    // The sentence of the run has it too.
    Run run;
    run.stages = pullStages();
    run.stages[1].state = StageState::Running;
    run.pull = running;
    Job job;
    job.state = JobState::Running;
    const QString sentence = liveSentence(run, job, QDateTime::currentDateTime());
    QVERIFY2(sentence.endsWith(pullText(*running) + u'.'), qPrintable(sentence));
}

void TestPullProgress::reusedImage_isSaid_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("detail");
    QTest::newRow("date") << QByteArray("2026-11-20")
                          << QStringLiteral("Image reused, pulled on 2026-11-20");
    QTest::newRow("no date") << QByteArray("<b>today") << QStringLiteral("Image reused");
}

void TestPullProgress::reusedImage_isSaid()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, detail);
    const QByteArray rows = markRow(5, "image", "begin", "image")
        + markRow(6, "image", "reused", "image", text.constData())
        + markRow(7, "image", "done", "image");
    std::vector<RunStage> stages = pullStages();
    applyMarks(stages, parseMarks(rows));
    applyPulls(stages, readPulls(rows));
    QCOMPARE(stages[1].state, StageState::Done);
    QCOMPARE(stages[1].detail, detail);
}

void TestPullProgress::marks_areNotDisturbed()
{
    const QByteArray rows = markRow(5, "image", "begin", "image") + pullRow(6, "download", "1")
        + markRow(7, "image", "reused", "image", "2026-11-20");
    const auto marks = parseMarks(rows);
    QCOMPARE(marks.size(), size_t(1));
    QCOMPARE(marks.front().state, QStringLiteral("begin"));
}

SLIPWAY_TEST(TestPullProgress, runs_pullprogress)
#include "tst_pullprogress.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/filefeed.h"
#include "app/runs/runfinding.h"
#include "plots/metrics/recogniser.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace slipway;
using namespace Qt::StringLiterals;

namespace {

/// The chart of the matmul recipe, with its published numbers.
Recipe matmul()
{
    Recipe recipe;
    recipe.lanes = {{u"gpu"_s, u"GPU"_s, true, {}}, {u"cpu"_s, u"CPU, 2 threads"_s, false, {}},
        {u"cpu-1"_s, u"CPU, 1 thread"_s, false, {}}};
    ChartSpec chart;
    chart.title = u"Performance"_s;
    chart.series = u"flops"_s;
    chart.higherIsBetter = true;
    chart.y = {u"performance"_s, u"FLOP/s"_s, true};
    ReferenceSeries cpu;
    cpu.label = u"Frontera rtx, CPU"_s;
    cpu.points = {{2048, 86e9}};
    cpu.notComparable = u"threads not stated"_s;
    ReferenceSeries gpu;
    gpu.label = u"RTX 5000"_s;
    gpu.points = {{2048, 4.67e12}, {8192, 4.88e12}};
    chart.references = {cpu, gpu};
    recipe.charts = {chart};
    return recipe;
}

Run runIn(RunPhase phase)
{
    Run run;
    run.phase = phase;
    run.started = QDateTime::fromSecsSinceEpoch(1000);
    if (isTerminal(phase))
        run.ended = run.started.addSecs(221);
    return run;
}

void flops(SeriesStore& store, const QString& lane, double n, double y)
{
    store.add(Sample{
        .series = u"flops"_s, .lane = lane, .x = n, .xName = u"n"_s, .y = y, .unit = u"FLOP/s"_s});
}

void loss(SeriesStore& store, const QString& name, std::initializer_list<double> values,
    const QString& xName = u"step"_s)
{
    double x = 0;
    for (const double y : values)
        store.add(Sample{.series = name, .x = ++x, .xName = xName, .y = y});
}

/// Quantities have a space that does not break.
QString plain(QString text)
{
    return text.replace(QChar(0xa0), u' ');
}

} // namespace

/// What is said of a run's numbers: the finding, the progress, and what is odd about them.
class TestRunFinding : public QObject {
    Q_OBJECT

private slots:
    void rate_isComparedWithThePublishedOne();
    void lanes_areCompared();
    void noNumbers_findNothing();
    void samplesOfTheNode_areNoFinding();
    void accuracies_areComparedByTheHighest();
    void training_saysItsLosses();
    void trainings_areSaidApart();
    void losses_areDoubted_data();
    void losses_areDoubted();
    void slowerLanes_areDoubtedAtTheEnd();
    void progress_isSaidWhileItRuns();
    void pace_needsTwoReadings();
    void pace_isThatOfTheLastMinutes();
    void pace_isUnknownWhereStepsRepeatOrStall();
    void feed_hasTheProgressOfItsLog();
};

void TestRunFinding::rate_isComparedWithThePublishedOne()
{
    const Recipe recipe = matmul();
    SeriesStore store;
    flops(store, u"CPU, 2 threads"_s, 1024, 200e9);
    flops(store, u"CPU, 2 threads"_s, 2048, 231e9);
    QCOMPARE(plain(runFinding(runIn(RunPhase::Done), &recipe, store).answer),
        u"231 GFLOP/s at n 2048; the published RTX 5000 is 20 times as fast."_s);
    // At a size that nobody published, the reference's own size is named.
    flops(store, u"CPU, 2 threads"_s, 4096, 244e9);
    QCOMPARE(plain(runFinding(runIn(RunPhase::Done), &recipe, store).answer),
        u"244 GFLOP/s at n 4096; the published RTX 5000 is 20 times as fast (4.88 TFLOP/s at n "
        u"8192)."_s);
    SeriesStore fast;
    flops(fast, u"GPU"_s, 2048, 46.7e12);
    QCOMPARE(plain(runFinding(runIn(RunPhase::Done), &recipe, fast).answer),
        u"46.7 TFLOP/s at n 2048; 10 times as fast as the published RTX 5000."_s);
}

void TestRunFinding::lanes_areCompared()
{
    Recipe recipe = matmul();
    recipe.charts.front().references.clear();
    SeriesStore store;
    flops(store, u"GPU"_s, 2048, 4e12);
    flops(store, u"GPU"_s, 4096, 5e12);
    flops(store, u"CPU, 1 thread"_s, 2048, 50e9);
    flops(store, u"CPU, 2 threads"_s, 2048, 100e9);
    const RunFinding finding = runFinding(runIn(RunPhase::Done), &recipe, store);
    QCOMPARE(plain(finding.answer),
        u"GPU: 5 TFLOP/s at n 4096, 40 times as fast as CPU, 2 threads at n 2048."_s);
    QVERIFY(finding.doubts.isEmpty());
    // Of times the least is the best.
    recipe.charts.front().series = u"seconds"_s;
    recipe.charts.front().y = {u"time"_s, u"s"_s, true};
    recipe.charts.front().higherIsBetter = false;
    SeriesStore times;
    times.add({{u"seconds"_s, u"GPU"_s, 2048, u"n"_s, 0.1, u"s"_s},
        {u"seconds"_s, u"CPU, 2 threads"_s, 2048, u"n"_s, 4, u"s"_s}});
    const QString answer = plain(runFinding(runIn(RunPhase::Done), &recipe, times).answer);
    QVERIFY2(
        answer.contains(u"GPU: 100 ms at n 2048, 40 times as fast as CPU"_s), qPrintable(answer));
}

void TestRunFinding::noNumbers_findNothing()
{
    const Recipe recipe = matmul();
    QVERIFY(runFinding(runIn(RunPhase::Done), &recipe, SeriesStore()).isEmpty());
    QVERIFY(runFinding(runIn(RunPhase::Done), nullptr, SeriesStore()).isEmpty());
    QVERIFY(runFinding(runIn(RunPhase::Done), &recipe, nullptr).isEmpty());
}

void TestRunFinding::samplesOfTheNode_areNoFinding()
{
    Recipe recipe;
    recipe.charts.resize(1);
    recipe.charts.front().series = u"*"_s;
    SeriesStore store;
    loss(store, u"cpu_utilization"_s, {50, 60}, u"s"_s);
    QVERIFY(runFinding(runIn(RunPhase::Done), &recipe, store).isEmpty());
    loss(store, u"accuracy"_s, {0.5, 0.75});
    QCOMPARE(
        runFinding(runIn(RunPhase::Done), &recipe, store).answer, u"Accuracy: 0.75 at step 2."_s);
}

void TestRunFinding::accuracies_areComparedByTheHighest()
{
    Recipe recipe;
    recipe.charts.resize(1);
    recipe.charts.front().series = u"*"_s;
    SeriesStore store;
    const auto add = [&](const QString& lane, double x, double y) {
        store.add(
            Sample{.series = u"valid_accuracy"_s, .lane = lane, .x = x, .xName = u"C"_s, .y = y});
    };
    add(u"fs=3"_s, 1, 0.75);
    add(u"fs=3"_s, 10, 0.7);
    add(u"fs=7"_s, 1, 0.5);
    add(u"fs=7"_s, 10, 0.625);
    QCOMPARE(runFinding(runIn(RunPhase::Done), &recipe, store).answer,
        u"Valid accuracy, fs=3: 0.7 at C 10, highest 0.75 at C 1."_s);
    // What was not trained on says how good the result is.
    SeriesStore both;
    loss(both, u"train_rmse"_s, {0.3, 0.2}, u"alpha"_s);
    loss(both, u"valid_rmse"_s, {0.4, 0.5}, u"alpha"_s);
    QCOMPARE(runFinding(runIn(RunPhase::Done), &recipe, both).answer,
        u"Valid rmse: 0.5 at alpha 2, lowest 0.4 at alpha 1."_s);
    // Where nobody knows what is better, the first one is named.
    SeriesStore unknown;
    unknown.add({{u"spread"_s, u"a"_s, 1, u"step"_s, 5}, {u"spread"_s, u"b"_s, 1, u"step"_s, 4}});
    QCOMPARE(
        runFinding(runIn(RunPhase::Done), &recipe, unknown).answer, u"Spread, a: 5 at step 1."_s);
}

void TestRunFinding::training_saysItsLosses()
{
    SeriesStore store;
    loss(store, u"train_loss"_s, {0.9, 0.5, 0.3}, u"epoch"_s);
    loss(store, u"valid_loss"_s, {0.8, 0.6, 0.61}, u"epoch"_s);
    QCOMPARE(runFinding(runIn(RunPhase::Done), nullptr, store).answer,
        u"Train loss 0.3, the lowest; valid loss 0.61, lowest 0.6 at epoch 2; 3 epochs; the run "
        u"took 3:41."_s);
    QCOMPARE(runFinding(runIn(RunPhase::Running), nullptr, store).answer,
        u"Train loss 0.3, the lowest; valid loss 0.61, lowest 0.6 at epoch 2; 3 epochs."_s);
}

void TestRunFinding::trainings_areSaidApart()
{
    SeriesStore store;
    for (const auto& [lane, y] : {std::pair(u"CPU"_s, 0.5), std::pair(u"GPU"_s, 0.25)})
        store.add(
            Sample{.series = u"valid_loss"_s, .lane = lane, .x = 1, .xName = u"step"_s, .y = y});
    QCOMPARE(runFinding(runIn(RunPhase::Running), nullptr, store).answer,
        u"Valid loss, CPU 0.5; valid loss, GPU 0.25."_s);
}

void TestRunFinding::losses_areDoubted_data()
{
    QTest::addColumn<QString>("series");
    QTest::addColumn<QList<double>>("values");
    QTest::addColumn<QString>("doubt");
    const double nan = std::nan("");
    QTest::newRow("falls") << u"train_loss"_s << QList<double>{4, 3, 2, 1} << QString();
    QTest::newRow("too short for a trend") << u"loss"_s << QList<double>{1, 2} << QString();
    QTest::newRow("nan") << u"train_loss"_s << QList<double>{4, 3, nan, nan}
                         << u"Train loss is not a number, first at step 3."_s;
    QTest::newRow("rises") << u"loss"_s << QList<double>{1, 2, 3, 4}
                           << u"Loss has risen from 1 to 4."_s;
    QTest::newRow("past its best")
        << u"valid_loss"_s << QList<double>{4, 2, 1, 2, 3}
        << u"Valid loss was lowest at step 3 and has risen since: it may be overfitting."_s;
    QTest::newRow("noise") << u"valid_loss"_s << QList<double>{4, 2, 1, 1.01, 1.02} << QString();
}

void TestRunFinding::losses_areDoubted()
{
    QFETCH(QString, series);
    QFETCH(QList<double>, values);
    QFETCH(QString, doubt);
    SeriesStore store;
    double x = 0;
    for (const double y : values)
        store.add(Sample{.series = series, .x = ++x, .xName = u"step"_s, .y = y});
    QCOMPARE(runFinding(runIn(RunPhase::Running), nullptr, store).doubts.join(u'|'), doubt);
}

void TestRunFinding::slowerLanes_areDoubtedAtTheEnd()
{
    const Recipe recipe = matmul();
    SeriesStore store;
    flops(store, u"GPU"_s, 512, 10e9);
    flops(store, u"CPU, 2 threads"_s, 512, 52e9);
    flops(store, u"CPU, 1 thread"_s, 512, 61e9);
    QVERIFY(runFinding(runIn(RunPhase::Running), &recipe, store).doubts.isEmpty());
    const QStringList doubts = runFinding(runIn(RunPhase::Done), &recipe, store).doubts;
    QCOMPARE(doubts.size(), 3);
    QCOMPARE(plain(doubts.at(0)),
        u"CPU, 2 threads is slower than CPU, 1 thread: 52 GFLOP/s against 61 GFLOP/s at n 512. The "
        u"job may have fewer CPUs than threads."_s);
    QVERIFY(doubts.at(1).startsWith(u"GPU is slower than CPU, 2 threads: "_s));
}

void TestRunFinding::progress_isSaidWhileItRuns()
{
    const auto said = [](RunPhase phase, const RunProgress& progress) {
        return runFinding(runIn(phase), nullptr, SeriesStore(), progress).progress;
    };
    const RunProgress known{u"step"_s, 282, 752, std::chrono::seconds(31)};
    QCOMPARE(said(RunPhase::Running, known), u"Step 282 of 752, about 30 s left."_s);
    QCOMPARE(said(RunPhase::Running, {u"epoch"_s, 2, 5}), u"Epoch 2 of 5."_s);
    QCOMPARE(said(RunPhase::Running, {u"step"_s, 5, 5}), QString()); // of a lane that has ended
    QCOMPARE(said(RunPhase::Running, {u"download"_s, 2, 5}), QString());
    QCOMPARE(said(RunPhase::Done, known), QString());
    QCOMPARE(roughTime(std::chrono::seconds(7)), u"about 7 s"_s);
    QCOMPARE(roughTime(std::chrono::seconds(100)), u"about 2 min"_s);
    QCOMPARE(roughTime(std::chrono::seconds(7860)), u"about 2 h 11 min"_s);
}

void TestRunFinding::pace_needsTwoReadings()
{
    ProgressPace pace;
    QVERIFY(!pace.at(0));
    pace.note({u"step"_s, 100, 200}, 0);
    QVERIFY(pace.at(1000) && !pace.at(1000)->left);
    pace.note({u"step"_s, 101, 200}, 500); // a burst of lines
    QVERIFY(!pace.at(1000)->left);
    pace.note({u"step"_s, 110, 200}, 10'000);
    QCOMPARE(pace.at(10'000)->left, std::optional(std::chrono::seconds(90)));
    QCOMPARE(pace.at(15'000)->left, std::optional(std::chrono::seconds(85)));
}

void TestRunFinding::pace_isThatOfTheLastMinutes()
{
    ProgressPace pace;
    pace.note({u"step"_s, 0, 1000}, 0);
    pace.note({u"step"_s, 1, 1000}, 600'000); // ten minutes of loading
    for (int i = 1; i <= 200; ++i)
        pace.note({u"step"_s, 1.0 + i, 1000}, 600'000 + i * 1000);
    const auto left = pace.at(800'000)->left;
    QVERIFY(left && left->count() >= 795 && left->count() <= 805);
}

void TestRunFinding::pace_isUnknownWhereStepsRepeatOrStall()
{
    ProgressPace pace;
    pace.note({u"step"_s, 10, 100}, 0);
    pace.note({u"step"_s, 20, 100}, 5000);
    QVERIFY(pace.at(5000)->left);
    QVERIFY(!pace.at(25'000)->left); // nothing for longer than it was watched
    pace.note({u"step"_s, 1, 100}, 26'000); // the bar of the next epoch
    pace.note({u"step"_s, 50, 100}, 31'000);
    QCOMPARE(pace.at(31'000)->done, 50.0);
    QVERIFY(!pace.at(31'000)->left);
}

void TestRunFinding::feed_hasTheProgressOfItsLog()
{
    QTemporaryDir folder;
    QFile log(folder.filePath(u"log.bin"_s));
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write("Epoch [1/5], Step [16/160], Train Loss: 0.7057, Valid Loss: 0.6338\n");
    log.close();
    FileFeed feed(log.fileName(), {});
    QVERIFY(!feed.progress());
    QTRY_VERIFY(feed.progress());
    QCOMPARE(feed.progress()->name, u"step"_s);
    QCOMPARE(feed.progress()->done, 16.0);
    QCOMPARE(feed.progress()->total, 160.0);
    QVERIFY(!feed.progress()->left);
    QCOMPARE(runFinding(runIn(RunPhase::Running), nullptr, &feed).progress, u"Step 16 of 160."_s);
}

SLIPWAY_TEST(TestRunFinding, runs_runfinding)
#include "tst_runfinding.moc"

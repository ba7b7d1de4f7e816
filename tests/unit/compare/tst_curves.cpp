// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/comparison.h"
#include "app/compare/curveschart.h"
#include "app/compare/racecurves.h"
#include "app/compare/sweepcurves.h"
#include "plots/metrics/pipeline.h"
#include "tests/support/testmain.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace slipway;

namespace {

const CurveRun matmul{QStringLiteral("k3f9"), QStringLiteral("matmul-scaling"),
    {{QStringLiteral("gpu"), QStringLiteral("GPU"), QStringLiteral("gpu")},
        {QStringLiteral("cpu"), QStringLiteral("CPU"), QStringLiteral("cpu")}},
    {}};

RaceFile raceOf(const QByteArray& log, const CurveRun& run = matmul)
{
    SeriesStore series;
    MetricsPipeline pipeline({}, {});
    pipeline.feed(log);
    pipeline.finish();
    series.add(pipeline.takeSamples());
    return raceOfCurves(series, pipeline.takeEvents(), run);
}

/// Adds a series with x = 1, 2, 3….
void put(SeriesStore& store, const QString& series, const QString& xName,
    const std::vector<double>& values, const QString& unit = {}, const QString& lane = {})
{
    for (size_t i = 0; i < values.size(); ++i)
        store.add(Sample{series, lane, double(i + 1), xName, values[i], unit});
}

CurvesRun training(const QString& id, const QMap<QString, QString>& fields)
{
    CurvesRun run;
    run.id = id;
    run.recipe = run.title = QStringLiteral("Train and report");
    run.site = QStringLiteral("Kestrel");
    run.fields = fields;
    run.fieldLabels = {{QStringLiteral("lr"), QStringLiteral("Learning rate")},
        {QStringLiteral("batch"), QStringLiteral("Batch")},
        {QStringLiteral("schedule"), QStringLiteral("Schedule")}};
    run.seconds = 1900;
    run.node = QStringLiteral("x3101");
    return run;
}

/// Three trainings that differ in two fields, and their losses.
struct Trainings {
    Trainings()
    {
        put(one, QStringLiteral("valid_loss"), QStringLiteral("step"), {1.9, 0.5, 0.6});
        put(two, QStringLiteral("valid_loss"), QStringLiteral("step"), {1.9, 0.7, 0.4});
        put(three, QStringLiteral("valid_loss"), QStringLiteral("step"),
            {1.9, 0.9, std::numeric_limits<double>::quiet_NaN()});
        put(three, QStringLiteral("lr_now"), QStringLiteral("step"), {0.1});
        sources = {{training(QStringLiteral("aaaa"), fields("0.1", "64")), &one},
            {training(QStringLiteral("bbbb"), fields("0.01", "64")), &two},
            {training(QStringLiteral("cccc"), fields("0.3", "32")), &three}};
        labelRuns(sources);
    }
    static QMap<QString, QString> fields(const char* lr, const char* batch)
    {
        return {{QStringLiteral("lr"), QString::fromLatin1(lr)},
            {QStringLiteral("batch"), QString::fromLatin1(batch)},
            {QStringLiteral("schedule"), QStringLiteral("cosine")}};
    }

    SeriesStore one, two, three;
    std::vector<CurvesSource> sources;
    const QStringList loss{QStringLiteral("valid_loss")};
};

QStringList columnsOf(const CurvesTable& table)
{
    QStringList ids;
    for (const CurvesColumn& column : table.columns)
        ids << column.id;
    return ids;
}

} // namespace

class TestCurves : public QObject {
    Q_OBJECT

private slots:
    void timesAndRates_areOnePoint();
    void ratesAlone_canBeCompared();
    void training_isComparedAndNotJudged();
    void otherSettings_areOtherWork();
    void lossesOnly_areNotARace();
    void theForm_knowsTheWork();
    void rowsWinOverCurves();

    // The curves of several runs on one axis.
    void equalFields_areLeftOut();
    void labels_areUnique();
    void table_saysWhereTheCurvesEnded();
    void imageDigest_isShortOrUnknown();
    void direction_isKnownOrNotClaimed_data();
    void direction_isKnownOrNotClaimed();
    void rows_areSortedFilteredAndPinned();
    void axes_relateOnlyWhatWasPrinted();
    void axis_isTimeWhereTheLogWasTimed();
    void curves_areCopiedInSlices();
    void looks_belongToTheRuns();
    void oneAxis_hasOneUnit();
    void sweep_isValueAgainstField();
    void severalFields_areParallel();
};

void TestCurves::timesAndRates_areOnePoint()
{
    const RaceFile file =
        raceOf(R"(@slipway {"event":"device","text":"NVIDIA L40S","lane":"GPU","device":"cuda"}
@slipway {"event":"protocol","text":"…","lane":"GPU","dtype":"float32","tf32":false,)"
               R"("repeats":7,"warmup":2}
@slipway {"sample":"flops","lane":"GPU","x":1024,"x_name":"n","y":2e12,"unit":"FLOP/s"}
@slipway {"sample":"seconds","lane":"GPU","x":1024,"x_name":"n","y":1.073741824,"unit":"ms"}
@slipway {"event":"device","text":"EPYC, 16 threads","lane":"CPU","device":"cpu","threads":16}
@slipway {"event":"protocol","text":"…","lane":"CPU","dtype":"float32","repeats":7,"warmup":2}
@slipway {"sample":"seconds","lane":"CPU","x":1024,"x_name":"n","y":0.01,"unit":"s"}
@slipway {"sample":"flops","lane":"CPU","x":1024,"x_name":"n","y":2.147483648e11,"unit":"FLOP/s"}
)");
    QCOMPARE(file.points.size(), size_t(2));
    const Measurement& gpu = file.points[0];
    QCOMPARE(gpu.work, QStringLiteral("gemm-fp32"));
    QCOMPARE(gpu.lane, QStringLiteral("gpu"));
    QCOMPARE(gpu.device, QStringLiteral("gpu"));
    QCOMPARE(gpu.name, QStringLiteral("NVIDIA L40S"));
    QVERIFY(std::abs(gpu.seconds.at(0) - 1.073741824e-3) < 1e-12);
    QVERIFY(std::abs(*gpu.operations / (2.0 * 1024 * 1024 * 1024) - 1) < 1e-9);
    QVERIFY(gpu.warmups == 2 && gpu.fromCurve && !gpu.verified && !gpu.synchronised);
    QVERIFY(file.points[1].threads == 16);
    const auto lanes = lanesOf({file});
    const Comparison race = compare(lanes[0], lanes[1]);
    QVERIFY(!race.fair() && race.ratios.size() == 1);
    QVERIFY(std::abs(race.ratios[0].ratio - 9.313) < 0.01);
    QVERIFY2(race.refusal.startsWith(u"It is not known whether the comparison is fair"),
        qPrintable(race.refusal));
    QVERIFY(race.refusal.contains(u"the number of repeats is not known")
        && race.refusal.contains(u"whether the timer waited"));
}

void TestCurves::ratesAlone_canBeCompared()
{
    const RaceFile file = raceOf(
        R"(@slipway {"sample":"flops","lane":"GPU","x":512,"x_name":"n","y":4e12,"unit":"FLOP/s"}
@slipway {"sample":"flops","lane":"CPU","x":512,"x_name":"n","y":1e12,"unit":"FLOP/s"}
)");
    const auto lanes = lanesOf({file});
    QCOMPARE(lanes.size(), size_t(2));
    const Comparison race = compare(lanes[0], lanes[1]);
    QVERIFY(std::abs(race.ratios.at(0).ratio - 4) < 1e-9);
    const ComparisonTable table = comparisonTable(race);
    QCOMPARE(table.rows.at(0).at(1),
        QStringLiteral("4.00 TFLOP/s")); // and no time, as none was measured
}

void TestCurves::training_isComparedAndNotJudged()
{
    const CurveRun run{QStringLiteral("t1t1"), QStringLiteral("tf-mnist"), matmul.lanes,
        {{QStringLiteral("batch"), QStringLiteral("32")}}};
    const RaceFile file = raceOf(
        R"(@slipway {"sample":"total_seconds","lane":"GPU","x":10,"x_name":"epochs","y":26.1,)"
        R"("unit":"s"}
@slipway {"sample":"epoch_seconds","lane":"GPU","x":1,"x_name":"epoch","y":4.1,"unit":"s"}
@slipway {"sample":"epoch_seconds","lane":"GPU","x":2,"x_name":"epoch","y":2.4,"unit":"s"}
@slipway {"sample":"epoch_seconds","lane":"GPU","x":3,"x_name":"epoch","y":2.5,"unit":"s"}
@slipway {"sample":"total_seconds","lane":"CPU","x":10,"x_name":"epochs","y":252,"unit":"s"}
)",
        run);
    const auto lanes = lanesOf({file});
    QCOMPARE(lanes.size(), size_t(3));
    QCOMPARE(lanes[1].work, QStringLiteral("epoch:tf-mnist"));
    QCOMPARE(lanes[1].points[0].seconds.size(), size_t(3));
    const auto pair = likelyPair(lanes);
    QVERIFY(pair && *pair == (std::pair<size_t, size_t>(0, 2)));
    const Comparison race = compare(lanes[0], lanes[2]);
    QVERIFY(std::abs(race.ratios.at(0).ratio - 252 / 26.1) < 1e-9);
    QVERIFY(!race.ratios[0].hasInterval());
    QVERIFY(race.headline.isEmpty() && race.refusal.startsWith(u"It is not known whether"));
    QCOMPARE(race.title, QStringLiteral("GPU · training against CPU: training"));
}

void TestCurves::otherSettings_areOtherWork()
{
    CurveRun run{QStringLiteral("aaaa"), QStringLiteral("tf-mnist"), {},
        {{QStringLiteral("batch"), QStringLiteral("32")}}};
    const QByteArray log = "@slipway "
                           "{\"sample\":\"total_seconds\",\"lane\":\"GPU\",\"x\":10,\"x_name\":"
                           "\"epochs\",\"y\":26,\"unit\":\"s\"}\n";
    const RaceFile first = raceOf(log, run);
    run.id = QStringLiteral("bbbb");
    run.settings[QStringLiteral("batch")] = QStringLiteral("64");
    const auto lanes = lanesOf({first, raceOf(log, run)});
    QVERIFY(compare(lanes[0], lanes[1]).refusal.contains(u"batch 32 and 64"));
}

void TestCurves::lossesOnly_areNotARace()
{
    const RaceFile file =
        raceOf("Epoch 1, Loss: 0.134, Accuracy: 95.98\nEpoch 2, Loss: 0.1, Accuracy: 96.98\n");
    QVERIFY(file.points.empty());
    QVERIFY(raceOf("@slipway {\"sample\":\"seconds\",\"lane\":\"GPU\",\"x\":0,\"y\":-1}\n@slipway "
                   "{\"sample\":\"seconds\",\"lane\":\"GPU\",\"x\":4,\"y\":\"nan\"}\n")
                .points.empty());
}

/// slipway-probe prints no number type: the race's form says what is raced.
void TestCurves::theForm_knowsTheWork()
{
    const QByteArray log = "@slipway "
                           "{\"sample\":\"flops\",\"lane\":\"CPU\",\"x\":512,\"x_name\":\"n\","
                           "\"y\":1e12,\"unit\":\"FLOP/s\"}\n";
    CurveRun run = matmul;
    QCOMPARE(raceOf(log, run).points.at(0).work, QStringLiteral("gemm"));
    run.settings[QStringLiteral("work")] = QStringLiteral("gemm-fp64");
    QCOMPARE(raceOf(log, run).points.at(0).work, QStringLiteral("gemm-fp64"));
}

void TestCurves::rowsWinOverCurves()
{
    // Also where the curve does not say of what work it is.
    const QByteArray log =
        R"(@slipway {"sample":"flops","lane":"GPU","x":512,"x_name":"n","y":4e12,"unit":"FLOP/s"}
@slipway {"sample":"flops","lane":"CPU","x":512,"x_name":"n","y":1e12,"unit":"FLOP/s"}
)";
    RaceFile file =
        readRace(R"({"id":"race.point","work":"gemm-fp32","lane":"gpu","x":512,"seconds":[1,2,3]})",
            QStringLiteral("k3f9"));
    addLanes(file, raceOf(log));
    QCOMPARE(file.points.size(), size_t(2));
    QCOMPARE(file.points[0].seconds.size(), size_t(3));
    QCOMPARE(file.points[1].lane, QStringLiteral("cpu"));
}

void TestCurves::equalFields_areLeftOut()
{
    Trainings runs;
    const std::vector<DifferingField> fields = differingFields(runs.sources);
    QCOMPARE(fields.size(), size_t(2));
    QCOMPARE(fields[0].label, QStringLiteral("Batch"));
    QCOMPARE(fields[1].label, QStringLiteral("Learning rate"));
    runs.sources[1].run.site = QStringLiteral("Vermilion");
    QCOMPARE(differingFields(runs.sources).back().key, QStringLiteral("site"));
}

void TestCurves::labels_areUnique()
{
    Trainings runs;
    QCOMPARE(runs.sources[0].run.label, QStringLiteral("Batch 64, Learning rate 0.1"));
    QCOMPARE(runs.sources[2].run.label, QStringLiteral("Batch 32, Learning rate 0.3"));
    runs.sources[1].run.fields = runs.sources[0].run.fields; // the same launch again
    runs.sources[2].run.title = QStringLiteral("small batches"); // named by a person
    labelRuns(runs.sources);
    QCOMPARE(runs.sources[0].run.label, QStringLiteral("Batch 64, Learning rate 0.1 aaaa"));
    QCOMPARE(runs.sources[1].run.label, QStringLiteral("Batch 64, Learning rate 0.1 bbbb"));
    QCOMPARE(runs.sources[2].run.label, QStringLiteral("small batches"));
    runs.sources.resize(2); // nothing differs
    labelRuns(runs.sources);
    QCOMPARE(runs.sources[0].run.label, QStringLiteral("Train and report aaaa"));
}

void TestCurves::table_saysWhereTheCurvesEnded()
{
    const Trainings runs;
    QCOMPARE(likelySeries(offeredSeries(runs.sources)), runs.loss.front());
    const auto entries = curvesEntries(runs.sources, runs.loss);
    const CurvesTable table = curvesTable(runs.sources, entries, runs.loss);
    QCOMPARE(columnsOf(table),
        QStringList({QStringLiteral("run"), QStringLiteral("field:batch"),
            QStringLiteral("field:lr"), QStringLiteral("final:valid_loss"),
            QStringLiteral("best:valid_loss"), QStringLiteral("duration"), QStringLiteral("node"),
            QStringLiteral("image"), QStringLiteral("image_digest")}));
    QCOMPARE(table.rows.size(), size_t(3));
    const std::vector<CurvesCell>& first = table.rows[0].cells;
    QCOMPARE(first[3].text, QStringLiteral("0.6"));
    QCOMPARE(first[4].text, QStringLiteral("0.5 at step 2"));
    QCOMPARE(first[5].text, QStringLiteral("31:40"));
    QCOMPARE(first[7].text, QStringLiteral("–")); // not known
    QCOMPARE(table.rows[2].cells[3].text, QStringLiteral("NaN")); // it diverged
    QCOMPARE(table.rows[2].cells[4].text, QStringLiteral("0.9 at step 2"));
    const CurvesView view{runs.loss, QStringLiteral("step")};
    QCOMPARE(bestSentence(view, runs.sources, entries),
        QStringLiteral("Batch 64, Learning rate 0.01 is lowest: 0.4 at step 3, 0.1 below Batch 64, "
                       "Learning rate 0.1."));
    QCOMPARE(bestSentence(view, runs.sources, {entries[0]}), QString());
    const QJsonObject object = entryObject(entries[1], runs.sources);
    QCOMPARE(object.value(u"fields").toObject().value(u"lr").toString(), QStringLiteral("0.01"));
    QVERIFY(!object.value(u"fields").toObject().contains(u"schedule"));
    QCOMPARE(object.value(u"series").toObject().value(u"valid_loss").toObject().value(u"final"),
        QJsonValue(0.4));
}

void TestCurves::imageDigest_isShortOrUnknown()
{
    Trainings runs;
    const QString digest = QStringLiteral("sha256:0123456789abcdef") + QString(48, u'7');
    runs.sources[0].run.image = runs.sources[1].run.image = QStringLiteral("docker://x/y:1");
    runs.sources[0].run.imageDigest = digest;
    const auto entries = curvesEntries(runs.sources, runs.loss);
    const CurvesTable table = curvesTable(runs.sources, entries, runs.loss);
    QCOMPARE(table.columns.back().title, QStringLiteral("Image digest"));
    QCOMPARE(table.rows[0].cells.back().text, QStringLiteral("0123456789ab"));
    QCOMPARE(table.rows[0].cells.back().whole, digest);
    QCOMPARE(table.rows[1].cells.back().text, QStringLiteral("unknown"));
    QCOMPARE(table.rows[2].cells.back().text, QStringLiteral("–")); // it used no image
    CurvesOrder order;
    order.filter = digest;
    QCOMPARE(arrangedRows(table, order), std::vector<size_t>{0});
    QCOMPARE(entryObject(entries[0], runs.sources).value(u"image_digest"), QJsonValue(digest));
    const QJsonObject unknown = entryObject(entries[1], runs.sources);
    QVERIFY(unknown.contains(u"image_digest") && unknown.value(u"image_digest").isNull());
}

void TestCurves::direction_isKnownOrNotClaimed_data()
{
    QTest::addColumn<QString>("unit");
    QTest::addColumn<int>("higher"); // 1: higher is better, 0: lower is, -1: not known
    QTest::newRow("valid_loss") << QString() << 0;
    QTest::newRow("test_accuracy") << QStringLiteral("%") << 1;
    QTest::newRow("epoch_seconds") << QStringLiteral("s") << 0;
    QTest::newRow("rate") << QStringLiteral("it/s") << 1;
    QTest::newRow("temperature") << QString() << -1;
    QTest::newRow("gpu_power") << QStringLiteral("W") << -1;
    QTest::newRow("power") << QStringLiteral("W") << -1;
    QTest::newRow("log_likelihood") << QString() << 1;
    QTest::newRow("valid_fid") << QString() << 0;
    QTest::newRow("speedup") << QString() << 1;
}

void TestCurves::direction_isKnownOrNotClaimed()
{
    QFETCH(QString, unit);
    QFETCH(int, higher);
    const QString series = QString::fromUtf8(QTest::currentDataTag());
    const std::optional<bool> direction = higherIsBetter(series, unit);
    QCOMPARE(direction ? int(*direction) : -1, higher);
    SeriesStore store;
    put(store, series, QStringLiteral("step"), {2, 1}, unit);
    const std::vector<CurvesSource> sources{{training(QStringLiteral("aaaa"), {}), &store}};
    const CurvesTable table = curvesTable(sources, curvesEntries(sources, {series}), {series});
    QCOMPARE(columnsOf(table).contains(QStringLiteral("best:") + series), higher >= 0);
}

void TestCurves::rows_areSortedFilteredAndPinned()
{
    const Trainings runs;
    const CurvesTable table =
        curvesTable(runs.sources, curvesEntries(runs.sources, runs.loss), runs.loss);
    using Rows = std::vector<size_t>;
    QCOMPARE(arrangedRows(table, {}), Rows({0, 1, 2}));
    CurvesOrder order;
    order.column = QStringLiteral("final:valid_loss");
    QCOMPARE(arrangedRows(table, order), Rows({1, 0, 2})); // NaN is last
    order.descending = true;
    QCOMPARE(arrangedRows(table, order), Rows({0, 1, 2}));
    order.column = QStringLiteral("field:lr"); // as numbers: 0.3, 0.1, 0.01
    QCOMPARE(arrangedRows(table, order), Rows({2, 0, 1}));
    order.pinned = {QStringLiteral("bbbb")};
    QCOMPARE(arrangedRows(table, order), Rows({1, 2, 0}));
    order.filter = QStringLiteral("BATCH 32");
    QCOMPARE(arrangedRows(table, order), Rows({1, 2})); // what is pinned stays
    order.filter = QStringLiteral("no such run");
    QCOMPARE(arrangedRows(table, order), Rows({1}));
}

void TestCurves::axes_relateOnlyWhatWasPrinted()
{
    SeriesStore store;
    put(store, QStringLiteral("loss"), QStringLiteral("iteration"), {4, 3, 2, 1});
    store.add(Sample{QStringLiteral("epoch"), {}, 1, QStringLiteral("step"), 0.5});
    store.add(Sample{QStringLiteral("epoch"), {}, 3, QStringLiteral("step"), 1.5});
    put(store, QStringLiteral("accuracy"), QStringLiteral("epoch"), {50, 60, 70});
    put(store, QStringLiteral("epoch_seconds"), QStringLiteral("epoch"), {10, 20, 30},
        QStringLiteral("s"));
    put(store, QStringLiteral("f1"), QStringLiteral("digit"), {1, 2});
    const std::vector<CurvesSource> sources{{training(QStringLiteral("aaaa"), {}), &store}};
    const auto axes = [&](const char* series) {
        return possibleAxes(sources, {QString::fromLatin1(series)}).join(u' ');
    };
    QCOMPARE(axes("loss"), QStringLiteral("step epoch"));
    QCOMPARE(axes("accuracy"), QStringLiteral("step epoch time"));
    QCOMPARE(axes("f1"), QStringLiteral("digit"));
    const MetricSeries& loss = *store.find(QStringLiteral("loss"));
    const CurveAxis epochs = axisFor(store, loss, QStringLiteral("epoch"));
    QCOMPARE(epochs.at(2), std::optional(1.0)); // between the two that were printed
    QVERIFY(!epochs.at(0.5) && !epochs.at(4)); // nothing is extrapolated
    QVERIFY(axisFor(store, loss, QStringLiteral("time")).isEmpty());
    const CurveAxis times =
        axisFor(store, *store.find(QStringLiteral("accuracy")), QStringLiteral("time"));
    QCOMPARE(times.at(3), std::optional(60.0));
    const auto entries = curvesEntries(sources, {QStringLiteral("loss")});
    const CurvesView view{{QStringLiteral("loss")}, QStringLiteral("time")};
    QVERIFY(curvesToDraw(view, sources, entries).empty());
    QVERIFY(missingCurves(view, sources, entries).contains(u"loss by iteration"));
}

void TestCurves::axis_isTimeWhereTheLogWasTimed()
{
    const QString name = QStringLiteral("throughput");
    const auto printed = [&name](double line, double y, std::optional<double> seconds) {
        Sample sample{name, {}, line, QStringLiteral("line"), y};
        sample.seconds = seconds;
        return sample;
    };
    SeriesStore one, two, other;
    one.add({printed(4, 800, 12), printed(9, 820, 70)});
    two.add({printed(40, 900, 20), printed(41, 910, 60)});
    other.add({printed(4, 700, {}), printed(5, 710, {})});
    std::vector<CurvesSource> sources{
        {training(QStringLiteral("aaaa"), {}), &one}, {training(QStringLiteral("bbbb"), {}), &two}};
    const QString time = QStringLiteral("time"), line = QStringLiteral("line");
    QCOMPARE(possibleAxes(sources, {name}), QStringList(time));
    QVERIFY(axisFor(one, *one.find(name), time).isUnchanged());
    QCOMPARE(one.find(name)->at(1).x, 70.0);
    // One whose times are not known is not put among them.
    sources.push_back({training(QStringLiteral("cccc"), {}), &other});
    QCOMPARE(possibleAxes(sources, {name}), (QStringList{time, line}));
    QVERIFY(axisFor(other, *other.find(name), time).isEmpty());
}

void TestCurves::curves_areCopiedInSlices()
{
    SeriesStore from, into;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    put(from, QStringLiteral("loss"), QStringLiteral("step"), {5, nan, 4, 3, nan});
    const MetricSeries& series = *from.find(QStringLiteral("loss"));
    const Sample pattern{QStringLiteral("loss"), QStringLiteral("run"), 0, QStringLiteral("step")};
    const CurveAxis axis = CurveAxis::unchanged();
    CurveCursor cursor;
    QVERIFY(copyCurve(series, axis, pattern, cursor, 2, into));
    QCOMPARE(cursor.points, size_t(2));
    QVERIFY(!copyCurve(series, axis, pattern, cursor, 2, into));
    from.add(Sample{QStringLiteral("loss"), {}, 6, QStringLiteral("step"), 2}); // it goes on
    QVERIFY(!copyCurve(series, axis, pattern, cursor, 2, into));
    const MetricSeries& copy = *into.find(QStringLiteral("loss"), QStringLiteral("run"));
    QCOMPARE(copy.size(), size_t(4));
    QCOMPARE(copy.marks().size(), size_t(2));
    QCOMPARE(copy.marks()[1].x, 5.0);
    QCOMPARE(copy.latest()->x, 6.0);
    QCOMPARE(copy.latest()->y, 2.0);
}

void TestCurves::looks_belongToTheRuns()
{
    Trainings runs;
    put(runs.one, QStringLiteral("train_loss"), QStringLiteral("step"), {2, 1});
    put(runs.three, QStringLiteral("train_loss"), QStringLiteral("step"), {2, 1});
    const QStringList both{QStringLiteral("valid_loss"), QStringLiteral("train_loss")};
    const auto looks = [&](const QStringList& series) {
        std::vector<int> found;
        const CurvesView view{series, QStringLiteral("step")};
        for (const CurveToDraw& curve :
            curvesToDraw(view, runs.sources, curvesEntries(runs.sources, series)))
            found.push_back(curve.look);
        return found;
    };
    QCOMPARE(looks(runs.loss), std::vector<int>({0, 1, 2}));
    QCOMPARE(looks(both), std::vector<int>({0, 3, 1, 2, 5})); // the first series keeps its looks
    QCOMPARE(looks({both.back()}), std::vector<int>({0, 2})); // the second run has no such curve
}

void TestCurves::oneAxis_hasOneUnit()
{
    SeriesStore store;
    put(store, QStringLiteral("train_loss"), QStringLiteral("step"), {1});
    put(store, QStringLiteral("valid_loss"), QStringLiteral("step"), {1});
    put(store, QStringLiteral("accuracy"), QStringLiteral("step"), {1}, QStringLiteral("%"));
    const std::vector<CurvesSource> sources{{training(QStringLiteral("aaaa"), {}), &store}};
    const auto offered = offeredSeries(sources);
    const QStringList wanted{
        QStringLiteral("train_loss"), QStringLiteral("accuracy"), QStringLiteral("valid_loss")};
    QCOMPARE(seriesOfOneUnit(wanted, offered), QStringList({wanted[0], wanted[2]}));
    QCOMPARE(seriesOfOneUnit({wanted[1], wanted[0]}, offered), QStringList(wanted[1]));
    const ChartSpec spec = curvesChart({{wanted[1]}, QStringLiteral("step")}, sources, offered);
    QCOMPARE(spec.y.unit, QStringLiteral("%"));
    QVERIFY(chartShows(spec, QStringLiteral("accuracy")));
    QVERIFY(!chartShows(spec, QStringLiteral("train_loss")));
}

void TestCurves::sweep_isValueAgainstField()
{
    Trainings runs;
    const auto entries = curvesEntries(runs.sources, runs.loss);
    QCOMPARE(numericFields(runs.sources).size(), size_t(2));
    const std::vector<Sample> samples = sweepSamples(runs.sources, entries, QStringLiteral("lr"));
    QCOMPARE(samples.size(), size_t(3));
    QCOMPARE(samples[0].x, 0.01); // by rising value
    QCOMPARE(samples[0].y, 0.4);
    QCOMPARE(samples[1].y, 0.6);
    QCOMPARE(samples[0].xName, QStringLiteral("Learning rate"));
    SeriesStore store;
    fillSweep({runs.loss, QStringLiteral("field:lr")}, runs.sources, entries, store);
    const MetricSeries* const curve = store.find(QStringLiteral("valid_loss"));
    QVERIFY(curve);
    QCOMPARE(curve->size(), size_t(2)); // and the run that diverged is a mark
    QCOMPARE(curve->marks().size(), size_t(1));
    const auto isLogarithmic = [&](const QString& axis) {
        return curvesChart({runs.loss, axis}, runs.sources, offeredSeries(runs.sources))
            .x.logarithmic;
    };
    QVERIFY(!isLogarithmic(QStringLiteral("field:lr"))); // 0.01 to 0.3
    runs.sources[1].run.fields.insert(QStringLiteral("lr"), QStringLiteral("1e-4"));
    QVERIFY(isLogarithmic(QStringLiteral("field:lr")));
    QVERIFY(!isLogarithmic(QStringLiteral("step")));
}

void TestCurves::severalFields_areParallel()
{
    Trainings runs;
    runs.sources[2].run.fields.insert(QStringLiteral("schedule"), QStringLiteral("linear"));
    const auto entries = curvesEntries(runs.sources, runs.loss);
    const ParallelPlot plot = parallelPlot(runs.sources, entries, runs.loss.front());
    QCOMPARE(plot.axes.size(), size_t(4)); // batch, learning rate, schedule, the result
    QCOMPARE(plot.axes[1].ticks.back().second, QStringLiteral("0.3"));
    QCOMPARE(plot.axes[2].ticks.size(), size_t(2)); // words
    QCOMPARE(plot.lines.size(), size_t(3));
    QCOMPARE(plot.lines[0].at[0], std::optional(1.0)); // batch 64 of 32 to 64
    QCOMPARE(plot.lines[2].at[2], std::optional(1.0)); // linear, after cosine
    QCOMPARE(plot.lines[1].at[3], std::optional(0.0)); // the lowest loss
    QVERIFY(!plot.lines[2].at[3]); // it diverged
    runs.sources.resize(2); // only the learning rate differs
    const auto two = curvesEntries(runs.sources, runs.loss);
    QVERIFY(parallelPlot(runs.sources, two, runs.loss.front()).axes.empty());
}

SLIPWAY_TEST(TestCurves, compare_curves)
#include "tst_curves.moc"

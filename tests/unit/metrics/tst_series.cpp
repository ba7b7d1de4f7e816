// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/chartparts.h"
#include "plots/metrics/chartspec.h"
#include "plots/metrics/csv.h"
#include "plots/metrics/ema.h"
#include "plots/metrics/seriesstore.h"
#include "plots/metrics/summary.h"
#include "tests/support/testmain.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace slipway;

namespace {

Sample sample(const char* series, double x, double y, const char* lane = "")
{
    Sample s;
    s.series = QLatin1String(series);
    s.lane = QLatin1String(lane);
    s.x = x;
    s.xName = QStringLiteral("step");
    s.y = y;
    return s;
}

/// As a pattern without x gives it.
Sample printed(const char* series, double line, double y, std::optional<double> seconds)
{
    Sample s = sample(series, line, y);
    s.xName = QStringLiteral("line");
    s.seconds = seconds;
    return s;
}

std::vector<double> evenEdges(double low, double high, int columns)
{
    std::vector<double> edges;
    for (int i = 0; i <= columns; ++i)
        edges.push_back(low + (high - low) * i / columns);
    return edges;
}

} // namespace

class TestSeries : public QObject {
    Q_OBJECT

private slots:
    void pyramid_extremesAreThoseOfBruteForce();
    void pyramid_columnsAreThoseOfBruteForce_data();
    void pyramid_columnsAreThoseOfBruteForce();
    void pyramid_costsTwelveAndAHalfBytesAPoint();
    void ema_ofAConstantIsTheConstant();
    void ema_correctsItsBias();
    void smoothed_followsTheSeries();
    void store_keepsSeriesByLane();
    void store_keepsEveryDigitAndTheSpread();
    void store_marksWhatIsNoNumber();
    void store_limitsTheNumberOfSeries();
    void store_dropsWhatTheProgramSendsItself();
    void store_keepsTheNodeWhenALogBeginsAgain();
    void store_drawsByTimeWhereThereIsNoX();
    void store_drawsByLineOnceATimeIsMissing();
    void store_drawsByLineWhatCameAtOnce();
    void store_takesAnyMixtureOfX();
    void store_hasAnAxisForEachWayToCount();
    void store_namesGroupsByTheirTitles();
    void store_keepsARunThatGoesOnBelowAnotherTitle();
    void store_tellsGroupsApartUpToALimit();
    void parts_ofLinesAreByTimeWhereItIsKnown();
    void csv_holdsEverything();
    void csv_isSafeInASpreadsheet();
    void chartSpec_filtersByName_data();
    void chartSpec_filtersByName();
    void chartSpec_leavesTheNodeToThoseThatNameIt();
    void parts_haveOneUnitEach();
    void parts_ofEverythingAreByQuantity();
    void parts_ofWideSweepsAreLogarithmic();
    void parts_areBounded();
    void quantity_isWithoutTheDataSet_data();
    void quantity_isWithoutTheDataSet();
};

void TestSeries::pyramid_extremesAreThoseOfBruteForce()
{
    std::mt19937 random(5);
    std::normal_distribution<float> noise;
    MinMaxPyramid pyramid;
    std::vector<float> plain;
    for (size_t size : {1u, 15u, 16u, 17u, 255u, 256u, 257u, 4096u, 5000u, 70000u}) {
        while (plain.size() < size) {
            plain.push_back(noise(random));
            pyramid.append(double(plain.size()), plain.back());
        }
        for (int round = 0; round < 300; ++round) {
            size_t a = random() % size, b = random() % size;
            if (round % 5 == 0)
                b = size - 1;
            if (a > b)
                std::swap(a, b);
            const auto range = pyramid.extremes(a, b + 1);
            const auto [low, high] =
                std::minmax_element(plain.begin() + qsizetype(a), plain.begin() + qsizetype(b) + 1);
            QCOMPARE(range.low, *low);
            QCOMPARE(range.high, *high);
        }
    }
}

void TestSeries::pyramid_columnsAreThoseOfBruteForce_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("even") << 0;
    QTest::newRow("uneven") << 1;
    QTest::newRow("repeated") << 2;
    QTest::newRow("going back") << 3;
    QTest::newRow("in bursts") << 4;
}

void TestSeries::pyramid_columnsAreThoseOfBruteForce()
{
    QFETCH(int, kind);
    std::mt19937 random(9);
    MinMaxPyramid pyramid;
    std::vector<std::pair<double, float>> plain;
    double x = 0;
    for (int i = 0; i < 20'000; ++i) {
        x = kind == 0   ? i
            : kind == 1 ? x + double(random() % 100) / 7
            : kind == 2 ? i / 50
            : kind == 3 ? (i % 5000) * 1.5
                        : x
                + (i % 3000 == 0       ? 7e4
                        : i % 100 == 0 ? 300.0
                                       : 0.01);
        plain.emplace_back(x, float(random() % 1000));
        pyramid.append(plain.back().first, plain.back().second);
    }
    QCOMPARE(pyramid.isMonotone(), kind != 3);
    for (const auto& [from, to] :
        {std::pair(0.0, 1.0), std::pair(0.3, 0.31), std::pair(-1.0, 2.0)}) {
        const double width = pyramid.xMax() - pyramid.xMin();
        const auto edges =
            evenEdges(pyramid.xMin() + from * width, pyramid.xMin() + to * width, 200);
        std::vector<PyramidColumn> columns;
        pyramid.columns(edges, columns);
        size_t next = 0;
        for (size_t c = 0; c + 1 < edges.size(); ++c) {
            float low = INFINITY, high = -INFINITY;
            size_t count = 0;
            for (const auto& [px, py] : plain) {
                const bool inside = px >= edges[c]
                    && (px < edges[c + 1] || (c + 2 == edges.size() && px == edges[c + 1]));
                if (!inside)
                    continue;
                low = std::min(low, py);
                high = std::max(high, py);
                ++count;
            }
            if (count == 0)
                continue;
            QVERIFY(next < columns.size());
            QCOMPARE(columns[next].count, count);
            QCOMPARE(columns[next].low, low);
            QCOMPARE(columns[next].high, high);
            ++next;
        }
        QCOMPARE(next, columns.size());
    }
}

void TestSeries::pyramid_costsTwelveAndAHalfBytesAPoint()
{
    MinMaxPyramid pyramid;
    for (int i = 0; i < 1'000'000; ++i)
        pyramid.append(i, float(i));
    QVERIFY(double(pyramid.bytes()) / 1e6 < 12.7);
}

void TestSeries::ema_ofAConstantIsTheConstant()
{
    for (double constant : {0.1, 1e12, -3.7, 0.0}) {
        Ema ema(0.97);
        for (int i = 0; i < 1000; ++i)
            QCOMPARE(ema.add(constant), constant);
    }
}

void TestSeries::ema_correctsItsBias()
{
    Ema ema(0.9);
    QCOMPARE(ema.add(10), 10.0); // without the correction it would begin at 1
    QCOMPARE(ema.add(20), (0.9 * 10 * 0.1 + 0.1 * 20) / (1 - 0.81));
    Ema none(0);
    QCOMPARE(none.add(1), 1.0);
    QCOMPARE(none.add(5), 5.0);
}

void TestSeries::smoothed_followsTheSeries()
{
    SeriesStore store;
    SmoothedSeries smoothed(0.5);
    Ema ema(0.5);
    std::vector<float> expected;
    for (int i = 0; i < 100; ++i) {
        store.add(sample("loss", i, i % 7));
        expected.push_back(float(ema.add(i % 7)));
        if (i % 13 == 0)
            smoothed.update(*store.find(QStringLiteral("loss")));
    }
    smoothed.update(*store.find(QStringLiteral("loss")));
    QCOMPARE(smoothed.points().size(), size_t(100));
    for (size_t i = 0; i < 100; ++i)
        QCOMPARE(smoothed.points().y(i), expected[i]);
}

void TestSeries::store_keepsSeriesByLane()
{
    SeriesStore store;
    store.add({sample("flops", 1, 5, "cpu"), sample("flops", 1, 50, "cuda"),
        sample("flops", 2, 6, "cpu")});
    QCOMPARE(store.all().size(), size_t(2));
    const MetricSeries* cpu = store.find(QStringLiteral("flops"), QStringLiteral("cpu"));
    const MetricSeries* cuda = store.find(QStringLiteral("flops"), QStringLiteral("cuda"));
    QVERIFY(cpu && cuda && !store.find(QStringLiteral("flops")));
    QCOMPARE(cpu->size(), size_t(2));
    QCOMPARE(cpu->latest()->y, 6.0);
    QCOMPARE(cpu->extreme(false)->y, 5.0);
    QCOMPARE(cpu->revision(), store.revision());
    QVERIFY(cuda->revision() < cpu->revision());
    const quint64 before = store.revision();
    store.clear();
    QVERIFY(store.empty() && store.revision() > before);
}

void TestSeries::store_keepsEveryDigitAndTheSpread()
{
    SeriesStore store;
    Sample s = sample("flops", 2048, 88130000000.125);
    s.low = 86e9;
    s.high = 91e9;
    store.add(s);
    store.add(sample("flops", 4096, 1e300));
    const MetricSeries& series = *store.all().front();
    QVERIFY((series.at(0) == SeriesPoint{2048, 88130000000.125, 86e9, 91e9}));
    QVERIFY((series.at(1) == SeriesPoint{4096, 1e300}));
    QVERIFY(std::isfinite(series.points().y(1)));
    QVERIFY((series.yRange() == ValueRange{86e9, 1e300}));
    QVERIFY((series.xRange() == ValueRange{2048, 4096}));
}

void TestSeries::store_marksWhatIsNoNumber()
{
    SeriesStore store;
    store.add({sample("loss", 1, 0.5), sample("loss", 2, std::nan("")), sample("loss", 3, INFINITY),
        sample("loss", 4, 0.4), sample("loss", std::nan(""), 1)});
    const MetricSeries& series = *store.all().front();
    QCOMPARE(series.size(), size_t(2));
    QCOMPARE(series.marks().size(), size_t(2));
    QCOMPARE(series.marks()[1].x, 3.0);
    QCOMPARE(series.marks()[1].before, size_t(1));
    QVERIFY((series.yRange() == ValueRange{0.4, 0.5}));
}

void TestSeries::store_limitsTheNumberOfSeries()
{
    SeriesStore store;
    for (int i = 0; i < 2000; ++i) {
        Sample s = sample("", 1, 1);
        s.series = QString::number(i);
        store.add(s);
    }
    QCOMPARE(store.all().size(), SeriesStore::mostSeries);
    QCOMPARE(store.dropped(), qint64(2000 - SeriesStore::mostSeries));
}

void TestSeries::store_dropsWhatTheProgramSendsItself()
{
    SeriesStore store;
    Sample own = sample("train_loss", 1, 2.2, "CPU");
    own.source = SampleSource::Program;
    Sample named = sample("valid_loss", 1, 2.1);
    named.source = SampleSource::Recipe;
    store.add({sample("train_loss", 1, 2.237), named, sample("lr", 1, 0.1)});
    const quint64 generation = store.generation(), shape = store.shape();
    store.add(own);
    QVERIFY(!store.find(QStringLiteral("train_loss")));
    QCOMPARE(store.find(QStringLiteral("train_loss"), QStringLiteral("CPU"))->size(), size_t(1));
    QCOMPARE(store.all().size(), size_t(3)); // the recipe's own pattern and the other name stay
    QVERIFY(store.generation() > generation && store.shape() > shape);
    const quint64 after = store.generation();
    store.add(own);
    QCOMPARE(store.generation(), after);
    // Of the same lane, too.
    SeriesStore same;
    own.lane.clear();
    same.add({sample("train_loss", 1, 2.237), own});
    QCOMPARE(same.find(QStringLiteral("train_loss"))->size(), size_t(1));
    QCOMPARE(same.find(QStringLiteral("train_loss"))->latest()->y, 2.2);
}

void TestSeries::store_keepsTheNodeWhenALogBeginsAgain()
{
    SeriesStore store;
    Sample node = sample("cpu_utilization", 1, 90, "c1");
    node.source = SampleSource::Node;
    store.add({sample("loss", 1, 0.5), node});
    const quint64 generation = store.generation();
    store.clearPrinted();
    QVERIFY(!store.find(QStringLiteral("loss")));
    QCOMPARE(
        store.find(QStringLiteral("cpu_utilization"), QStringLiteral("c1"))->size(), size_t(1));
    QVERIFY(store.generation() > generation);
    store.add(sample("loss", 1, 0.4));
    QCOMPARE(store.find(QStringLiteral("loss"))->size(), size_t(1));
}

void TestSeries::store_drawsByTimeWhereThereIsNoX()
{
    SeriesStore store;
    Sample counted = sample("loss", 10, 0.5);
    counted.seconds = 3; // the program's own step comes first
    store.add({printed("took", 7, 2.5, 3), counted, printed("took", 9, 3.5, 65)});
    const MetricSeries* const took = store.find(QStringLiteral("took"));
    QCOMPARE(took->xName(), QStringLiteral("time"));
    QVERIFY(took->isTimed());
    QCOMPARE(took->at(0), (SeriesPoint{3, 2.5}));
    QCOMPARE(took->at(1), (SeriesPoint{65, 3.5}));
    QCOMPARE(took->line(1), 9.0);
    const MetricSeries* const loss = store.find(QStringLiteral("loss"));
    QCOMPARE(loss->xName(), QStringLiteral("step"));
    QCOMPARE(loss->at(0).x, 10.0);
}

/// A program whose output is buffered prints hundreds of lines in the same second.
void TestSeries::store_drawsByLineWhatCameAtOnce()
{
    SeriesStore slow;
    for (int line = 1; line <= 9; ++line)
        slow.add(printed("loss", line, 1.0 / line, line / 2)); // two in a second
    QVERIFY(slow.find(QStringLiteral("loss"))->isTimed());
    SeriesStore store;
    for (int line = 1; line <= 9; ++line)
        store.add(printed("loss", line, 1.0 / line, line / 5));
    const MetricSeries& loss = *store.find(QStringLiteral("loss"));
    QVERIFY(!loss.isTimed());
    QCOMPARE(loss.xName(), QStringLiteral("line"));
    QCOMPARE(loss.size(), size_t(9));
    for (size_t i = 0; i < loss.size(); ++i)
        QCOMPARE(loss.at(i).x, double(i + 1));
}

void TestSeries::store_drawsByLineOnceATimeIsMissing()
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    SeriesStore store;
    store.add({printed("took", 7, 2.5, 3), printed("took", 8, nan, 4), printed("rate", 8, 1, 4)});
    const quint64 generation = store.generation(), shape = store.shape();
    store.add({printed("took", 9, 3.5, {}), printed("rate", 11, 2, 70), printed("new", 12, 1, 71)});
    QVERIFY(store.generation() > generation && store.shape() > shape);
    for (const auto& series : store.all()) {
        QCOMPARE(series->xName(), QStringLiteral("line"));
        QVERIFY(!series->isTimed());
    }
    const MetricSeries* const took = store.find(QStringLiteral("took"));
    QCOMPARE(took->size(), size_t(2));
    QCOMPARE(took->at(0), (SeriesPoint{7, 2.5}));
    QCOMPARE(took->at(1), (SeriesPoint{9, 3.5}));
    QCOMPARE(took->marks().front().x, 8.0);
    QCOMPARE(took->xRange(), (ValueRange{7, 9}));
    QCOMPARE(store.find(QStringLiteral("rate"))->at(1).x, 11.0);
    // A log that begins again has another chance.
    store.clearPrinted();
    store.add(printed("took", 1, 2.5, 3));
    QCOMPARE(store.find(QStringLiteral("took"))->xName(), QStringLiteral("time"));
}

void TestSeries::store_takesAnyMixtureOfX()
{
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        SeriesStore store;
        size_t points = 0, marks = 0;
        QSet<int> steps; ///< numbers that have one
        for (int i = 0; i < 40; ++i) {
            const bool isNumber = random() % 5 != 0;
            const double y = isNumber ? i : std::numeric_limits<double>::infinity();
            const bool counts = random() % 3 == 0;
            Sample one = counts ? sample("a", i, y) : printed("a", i, y, i * 2);
            if (counts)
                steps.insert(i);
            if (random() % 30 == 0)
                one.seconds.reset();
            store.add(one);
            (isNumber ? points : marks)++;
        }
        size_t inAll = 0, marksInAll = 0;
        QVERIFY(store.all().size() <= 2); // what has a step of its own, and what has none
        for (const auto& series : store.all()) {
            QCOMPARE(series->points().size(), series->size());
            inAll += series->size();
            marksInAll += series->marks().size();
            if (!series->empty())
                QCOMPARE(series->latest()->y, double(series->points().y(series->size() - 1)));
            const bool counts = series->xName() == QLatin1String("step");
            for (size_t i = 0; i < series->size(); ++i)
                QCOMPARE(steps.contains(int(series->points().y(i))), counts);
        }
        QCOMPARE(inAll, points);
        QCOMPARE(marksInAll, marks);
    }
}

/// "fs=3" above the epochs of one training and "fs=5" above those of the next: the first curve gets
/// its name once there is a second, and is found by either.
void TestSeries::store_namesGroupsByTheirTitles()
{
    SeriesStore store;
    const auto add = [&store](double x, const char* group) {
        Sample s = sample("loss", x, 1 / x, "rank 1");
        s.group = QLatin1String(group);
        return store.add(s);
    };
    const MetricSeries* const first = add(1, "fs=3");
    QCOMPARE(add(2, "fs=3"), first);
    QCOMPARE(first->lane(), QStringLiteral("rank 1"));
    const quint64 shape = store.shape();
    const MetricSeries* const second = add(1, "fs=5");
    QVERIFY(second != first);
    QVERIFY(store.shape() > shape);
    QCOMPARE(first->lane(), QStringLiteral("rank 1, fs=3"));
    QCOMPARE(second->lane(), QStringLiteral("rank 1, fs=5"));
    QCOMPARE(store.find(QStringLiteral("loss"), QStringLiteral("rank 1")), first);
    QCOMPARE(store.find(QStringLiteral("loss"), QStringLiteral("rank 1, fs=3")), first);
    QCOMPARE(add(2, "fs=5"), second);
    // Back under the first title, and counted afresh once more.
    const MetricSeries* const again = add(1, "fs=3");
    QCOMPARE(again->lane(), QStringLiteral("rank 1, fs=3"));
    QCOMPARE(again, first);
    QCOMPARE(store.all().size(), size_t(2));
}

void TestSeries::store_keepsARunThatGoesOnBelowAnotherTitle()
{
    SeriesStore store;
    for (int x = 1; x <= 6; ++x) {
        Sample s = sample("loss", x, 1.0 / x);
        s.group = x < 4 ? QStringLiteral("warm-up") : QStringLiteral("main part");
        store.add(s);
    }
    QCOMPARE(store.all().size(), size_t(1));
    QCOMPARE(store.all()[0]->lane(), QString());
    QCOMPARE(store.all()[0]->size(), size_t(6));
}

void TestSeries::store_tellsGroupsApartUpToALimit()
{
    SeriesStore store;
    for (int i = 0; i < 2 * SeriesStore::mostGroups; ++i) {
        for (int x = 1; x <= 3; ++x) {
            Sample s = sample("loss", x, 1.0 / x);
            s.group = QStringLiteral("trial=%1").arg(i);
            store.add(s);
        }
    }
    // Those beyond are runs of the last one.
    QVERIFY(store.all().size() <= size_t(SeriesStore::mostGroups + SeriesStore::mostRuns));
    QCOMPARE(store.dropped(), qint64(0));
}

void TestSeries::store_hasAnAxisForEachWayToCount()
{
    SeriesStore store;
    Sample byEpoch = sample("loss", 0.5, 2);
    byEpoch.xName = QStringLiteral("epoch");
    store.add({byEpoch, sample("loss", 400, 3), sample("loss", 500, 4)});
    QCOMPARE(store.find(QStringLiteral("loss"))->size(), size_t(1));
    const MetricSeries* const bySteps =
        store.find(QStringLiteral("loss"), QStringLiteral("by step"));
    QVERIFY(bySteps);
    QCOMPARE(bySteps->size(), size_t(2));
    QCOMPARE(bySteps->xName(), QStringLiteral("step"));
    // What the program itself sends is taken as it is.
    Sample own = sample("loss", 1, 1);
    own.source = SampleSource::Program;
    byEpoch.source = SampleSource::Program;
    SeriesStore sent;
    sent.add({own, byEpoch});
    QCOMPARE(sent.all().size(), size_t(1));
}

void TestSeries::parts_ofLinesAreByTimeWhereItIsKnown()
{
    SeriesStore store;
    store.add(printed("took", 7, 2.5, 3));
    ChartSpec spec;
    spec.series = QStringLiteral("*");
    const MetricSeries& took = *store.all().front();
    QCOMPARE(chartParts(spec, store).front().x.name, QStringLiteral("time"));
    QCOMPARE(chartTable(spec, store).header.front(), QStringLiteral("time, s"));
    store.add(printed("took", 7, 3.5, 3)); // in the same second
    QCOMPARE(chartTable(spec, store).rows,
        (std::vector<QStringList>{{QStringLiteral("3"), QStringLiteral("2.5")},
            {QStringLiteral("3"), QStringLiteral("3.5")}}));
    spec.x.name = QStringLiteral("line"); // as asked for, while no time is known
    QCOMPARE(xNameOf(spec, took), QStringLiteral("time"));
    store.add(printed("took", 8, 2.5, {}));
    QCOMPARE(xNameOf(spec, took), QStringLiteral("line"));
    QCOMPARE(chartParts(spec, store).front().x.name, QStringLiteral("line"));
    QCOMPARE(axisTitle(QStringLiteral("line"), {}), QStringLiteral("line (times not known)"));
    spec.x.name = QStringLiteral("step");
    QCOMPARE(xNameOf(spec, took), QStringLiteral("step"));
}

void TestSeries::csv_holdsEverything()
{
    SeriesStore store;
    Sample s = sample("flops", 2048, 88130000000, "cpu, 2 threads");
    s.xName = QStringLiteral("n");
    s.unit = QStringLiteral("FLOP/s");
    s.low = 86e9;
    s.high = 91e9;
    store.add({s, sample("loss", 1, 0.13439151644706726), sample("loss", 2, std::nan("")),
        sample("loss", 3, 0.1)});
    ChartSpec spec;
    spec.x.name = QStringLiteral("n");
    spec.y.unit = QStringLiteral("FLOP/s");
    spec.references.push_back({QStringLiteral("Frontera"), QStringLiteral("flops"),
        QStringLiteral("TACC page"), {{2048, 4.67e12}}});
    QCOMPARE(toCsv(store, spec),
        QByteArray("series,lane,x_name,x,y,unit,low,high,source\n"
                   "flops,\"cpu, 2 threads\",n,2048,88130000000,FLOP/s,86000000000,91000000000,\n"
                   "loss,,step,1,0.13439151644706726,,,,\n"
                   "loss,,step,2,nan,,,,\n"
                   "loss,,step,3,0.1,,,,\n"
                   "flops,Frontera,n,2048,4670000000000,FLOP/s,,,TACC page\n"));
}

void TestSeries::csv_isSafeInASpreadsheet()
{
    SeriesStore store;
    store.add({sample("=HYPERLINK(\"http://x\")", 1, -2, "a\"b")});
    QVERIFY(toCsv(store).endsWith("\"'=HYPERLINK(\"\"http://x\"\")\",\"a\"\"b\",step,1,-2,,,,\n"));
}

void TestSeries::chartSpec_filtersByName_data()
{
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("series");
    QTest::addColumn<bool>("shown");
    QTest::newRow("empty shows all") << ""
                                     << "loss" << true;
    QTest::newRow("spaces show all") << " , "
                                     << "loss" << true;
    QTest::newRow("same") << "flops"
                          << "flops" << true;
    QTest::newRow("other") << "flops"
                           << "seconds" << false;
    QTest::newRow("list") << "train_loss, valid_loss"
                          << "valid_loss" << true;
    QTest::newRow("star") << "*_loss"
                          << "train_loss" << true;
    QTest::newRow("star, not") << "*_loss"
                               << "loss" << false;
    QTest::newRow("two stars") << "*loss*"
                               << "a_loss_b" << true;
    QTest::newRow("prefix is not enough") << "flop"
                                          << "flops" << false;
}

void TestSeries::chartSpec_filtersByName()
{
    QFETCH(QString, filter);
    QFETCH(QString, series);
    ChartSpec spec;
    spec.series = filter;
    QTEST(chartShows(spec, series), "shown");
}

void TestSeries::chartSpec_leavesTheNodeToThoseThatNameIt()
{
    SeriesStore store;
    Sample node = sample("host_memory", 1, 4e9, "c1");
    node.source = SampleSource::Node;
    store.add({node, sample("host_memory", 1, 3)}); // the second one was printed
    const MetricSeries& sampled = *store.all().front();
    const MetricSeries& printed = *store.all().back();
    ChartSpec spec;
    for (const char* filter : {"", "*", "host_*", "loss, *memory"}) {
        spec.series = QLatin1String(filter);
        QVERIFY2(!chartShows(spec, sampled), filter);
        QVERIFY2(chartShows(spec, printed), filter);
    }
    spec.series = QStringLiteral("loss, host_memory");
    QVERIFY(chartShows(spec, sampled));
}

void TestSeries::parts_haveOneUnitEach()
{
    SeriesStore store;
    Sample rate = sample("step_per_second", 1, 12);
    rate.unit = QStringLiteral("it/s");
    Sample images = sample("images_per_second", 1, 3000);
    images.unit = QStringLiteral("img/s");
    ChartSpec spec;
    spec.id = QStringLiteral("rate");
    spec.title = QStringLiteral("Rate");
    spec.series = QStringLiteral("*per_second");
    spec.y = {QStringLiteral("rate"), QStringLiteral("img/s")};
    spec.higherIsBetter = true;
    spec.references = {{QStringLiteral("a paper"), {}, QStringLiteral("2024"), {{1, 900}}}};
    QVERIFY(chartParts(spec, store) == std::vector{spec});
    store.add(images);
    QVERIFY(chartParts(spec, store) == std::vector{spec});
    store.add(rate);
    const auto parts = chartParts(spec, store);
    QCOMPARE(parts.size(), size_t(2));
    QCOMPARE(parts[0].id, spec.id);
    QCOMPARE(parts[0].only, QStringList(QStringLiteral("images_per_second")));
    QCOMPARE(parts[0].references.size(), size_t(1));
    QCOMPARE(parts[1].title, QStringLiteral("Rate, it/s"));
    QCOMPARE(parts[1].y.unit, QStringLiteral("it/s"));
    QVERIFY(parts[1].references.empty());
    QCOMPARE(chartTable(parts[1], store).header.size(), 2); // the step and one curve
}

void TestSeries::parts_ofEverythingAreByQuantity()
{
    SeriesStore store;
    Sample node = sample("host_memory", 1, 4e9, "c1");
    node.unit = QStringLiteral("B");
    node.source = SampleSource::Node;
    Sample accuracy = sample("accuracy", 1, 93);
    accuracy.unit = QStringLiteral("%");
    Sample byEpoch = sample("valid_loss", 1, 0.6);
    byEpoch.xName = QStringLiteral("epoch");
    ChartSpec spec;
    spec.id = QStringLiteral("numbers");
    spec.title = QStringLiteral("What it printed");
    spec.series = QStringLiteral("*");
    spec.higherIsBetter = true;
    store.add({node, sample("train_loss", 1, 0.7)});
    auto parts = chartParts(spec, store);
    QCOMPARE(parts.size(), size_t(1));
    QCOMPARE(parts[0].title, spec.title);
    QCOMPARE(parts[0].x.name, QStringLiteral("step")); // the program's own
    QCOMPARE(parts[0].y.name, QStringLiteral("loss"));
    QVERIFY(!parts[0].higherIsBetter); // nobody described this series
    QCOMPARE(
        chartSummary(parts[0], store), QStringLiteral("What it printed: train loss 0.7 at step 1"));
    store.add({sample("test_loss", 1, 0.8), sample("lr", 1, 1e-4), accuracy, byEpoch});
    parts = chartParts(spec, store);
    QStringList titles;
    for (const ChartSpec& part : parts)
        titles.append(part.title + u'/' + part.y.unit + u'/' + part.only.join(u' '));
    QCOMPARE(titles,
        (QStringList{QStringLiteral("Loss//train_loss test_loss"),
            QStringLiteral("Learning rate//lr"), QStringLiteral("Accuracy/%/accuracy"),
            QStringLiteral("Loss by epoch//valid_loss")}));
}

void TestSeries::parts_ofWideSweepsAreLogarithmic()
{
    ChartSpec spec;
    spec.series = QStringLiteral("*");
    const auto isLogarithmic = [&spec](const QString& xName, std::initializer_list<double> xs) {
        SeriesStore store;
        quint64 shape = 0, changes = 0;
        for (double x : xs) {
            Sample time = sample("time", x, 1 / (x + 1));
            time.xName = xName;
            store.add(time);
            changes += store.shape() != shape;
            shape = store.shape();
        }
        // The shape changes once more when the chart becomes logarithmic.
        return chartParts(spec, store).front().x.logarithmic && changes == 2;
    };
    QVERIFY(isLogarithmic(QStringLiteral("threads"), {1, 2, 4, 8, 16, 32}));
    QVERIFY(isLogarithmic(QStringLiteral("batch size"), {256, 64, 16}));
    QVERIFY(!isLogarithmic(QStringLiteral("threads"), {1, 2, 4, 8}));
    QVERIFY(!isLogarithmic(QStringLiteral("qubits"), {20, 22, 24, 26, 28}));
    QVERIFY(!isLogarithmic(QStringLiteral("workers"), {0, 1, 2, 4, 8, 16, 32}));
    QVERIFY(!isLogarithmic(QStringLiteral("step"), {1, 2, 4, 8, 16, 32}));
    QVERIFY(isLogarithmic(QStringLiteral("C"), {0.01, 0.1, 1, 10, 100}));
    QVERIFY(isLogarithmic(QStringLiteral("weight_decay"), {0.1, 0.01, 0.001}));
    QVERIFY(!isLogarithmic(QStringLiteral("alpha"), {0.1, 0.4, 0.7, 1, 1.3, 1.6, 1.9}));
    QVERIFY(!isLogarithmic(QStringLiteral("line"), {1, 2, 4, 8, 16, 32}));
}

void TestSeries::parts_areBounded()
{
    SeriesStore store;
    for (int i = 0; i < 40; ++i) {
        Sample s = sample("", 1, i);
        s.series = QStringLiteral("quantity %1").arg(i);
        store.add(s);
    }
    ChartSpec spec;
    spec.series = QStringLiteral("*");
    const auto parts = chartParts(spec, store);
    QCOMPARE(parts.size(), size_t(12));
    QCOMPARE(parts.back().title, QStringLiteral("Other numbers"));
    QCOMPARE(parts.back().only.size(), 29);
}

void TestSeries::quantity_isWithoutTheDataSet_data()
{
    QTest::addColumn<QString>("series");
    QTest::addColumn<QString>("quantity");
    QTest::newRow("train") << "train_loss"
                           << "loss";
    QTest::newRow("two") << "epoch_train_accuracy"
                         << "accuracy";
    QTest::newRow("a loss of its own") << "box_loss"
                                       << "loss";
    QTest::newRow("nothing left") << "test_"
                                  << "test_";
    QTest::newRow("other") << "grad_norm"
                           << "grad_norm";
}

void TestSeries::quantity_isWithoutTheDataSet()
{
    QFETCH(QString, series);
    QTEST(seriesQuantity(series), "quantity");
}

SLIPWAY_TEST(TestSeries, metrics_series)
#include "tst_series.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/statistics.h"
#include "app/compare/words.h"
#include "tests/support/testmain.h"
#include "tests/unit/compare/racers.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <cmath>

using namespace slipway;

class TestComparison : public QObject {
    Q_OBJECT

private slots:
    void medians();
    void intervals();
    void crossover_data();
    void crossover();
    void headline_data();
    void headline();
    void wholeResult();
    void withoutTransfers_noCrossoverIsClaimed();
    void intervalWithOne_isNoDifference_data();
    void intervalWithOne_isNoDifference();
    void energyIsToldOnlyWhenBothKnowIt();
    void lanes_haveLabelsOfTheirOwn();
    void fasterLibrary_isTheProcessorsLane();
    void likelyPair_isTheFastestOfEachDevice();
    void nothing_isNoComparison();
    void csv();
    void markdown();
    void json();
    void samples();
    void numbers_data();
    void numbers();
};

void TestComparison::medians()
{
    QCOMPARE(median({3}), 3.0);
    QCOMPARE(median({3, 1, 2}), 2.0);
    QCOMPARE(median({4, 1, 3, 2}), 2.5);
    QCOMPARE(median({1e9, 1, 1, 1}), 1.0);
    QVERIFY(std::isnan(median({})));
}

void TestComparison::intervals()
{
    const auto a = racers::around(1), b = racers::around(32);
    const auto interval = ratioInterval(a, b);
    QVERIFY(interval);
    QVERIFY2(interval->first < 32 && interval->second > 32, "the ratio of the medians is within");
    QVERIFY(interval->first > 31 && interval->second < 33);
    QCOMPARE(ratioInterval(a, b), interval); // the same wherever and whenever it is computed
    const auto turned = ratioInterval(b, a);
    QVERIFY(std::abs(turned->first * interval->second - 1) < 0.02);
    const auto same = ratioInterval(a, a);
    QVERIFY(same->first <= 1 && same->second >= 1);
    QVERIFY(!ratioInterval({1, 2}, b));
    QVERIFY(!ratioInterval(a, {}));
    const auto exact = ratioInterval({2, 2, 2}, {4, 4, 4});
    QCOMPARE(*exact, (std::pair<double, double>(2, 2)));
    // Of two hundred races of equals with noise some 95 in 100 intervals hold 1.
    int held = 0;
    std::srand(7);
    const auto noisy = [] {
        std::vector<double> times;
        for (int i = 0; i < 15; ++i)
            times.push_back(1 + 0.1 * double(std::rand()) / RAND_MAX);
        return times;
    };
    for (int i = 0; i < 200; ++i) {
        const auto one = ratioInterval(noisy(), noisy());
        held += one->first <= 1 && one->second >= 1;
    }
    QVERIFY2(held >= 180, qPrintable(QString::number(held)));
}

using Ratios = std::vector<SizedRatio>;

void TestComparison::crossover_data()
{
    QTest::addColumn<Ratios>("ratios");
    QTest::addColumn<double>("size"); // 0: none
    QTest::newRow("nothing") << Ratios{} << 0.0;
    QTest::newRow("always faster") << Ratios{{256, 2}, {512, 4}} << 0.0;
    QTest::newRow("always slower") << Ratios{{256, 0.1}, {512, 0.2}} << 0.0;
    QTest::newRow("between, by logarithms") << Ratios{{256, 0.5}, {1024, 2}} << 512.0;
    QTest::newRow("nearer to the lower")
        << Ratios{{100, 0.5}, {10000, 8}} << 100 * std::pow(100, 0.25);
    QTest::newRow("at a size") << Ratios{{256, 0.5}, {512, 1}, {1024, 2}} << 512.0;
    QTest::newRow("the last of several") << Ratios{{256, 2}, {512, 0.5}, {2048, 2}} << 1024.0;
    QTest::newRow("falls back at the end") << Ratios{{256, 0.5}, {512, 2}, {1024, 0.9}} << 0.0;
}

void TestComparison::crossover()
{
    QFETCH(Ratios, ratios);
    QFETCH(double, size);
    const auto found = crossoverOf(ratios);
    QCOMPARE(found.has_value(), size > 0);
    if (found)
        QVERIFY2(std::abs(*found - size) < 1e-6 * size, qPrintable(QString::number(*found)));
}

void TestComparison::headline_data()
{
    QTest::addColumn<double>("gpuSeconds");
    QTest::addColumn<QString>("headline");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("faster") << 4e-3 << QStringLiteral("32 × as fast")
                            << QStringLiteral("GPU is 32 × as fast as CPU, all threads.");
    QTest::newRow("much faster") << 0.5e-3 << QStringLiteral("256 × as fast")
                                 << QStringLiteral("GPU is 256 × as fast as CPU, all threads.");
    QTest::newRow("a little faster") << 0.1 << QStringLiteral("1.3 × as fast")
                                     << QStringLiteral("GPU is 1.3 × as fast as CPU, all threads.");
    QTest::newRow("slower") << 0.4 << QStringLiteral("takes 3.1 × as long")
                            << QStringLiteral("GPU takes 3.1 × as long as CPU, all threads.");
    QTest::newRow("no difference")
        << 0.1284 << QStringLiteral("no difference measured")
        << QStringLiteral("No difference between GPU and CPU, all threads was measured.");
}

void TestComparison::headline()
{
    QFETCH(double, gpuSeconds);
    QFETCH(QString, headline);
    QFETCH(QString, sentence);
    CompareLane gpu = racers::gpu();
    gpu.points.back() = racers::point(QStringLiteral("gpu"), 4096, gpuSeconds);
    const Comparison race = compare(gpu, racers::cpu());
    QCOMPARE(race.headline, headline);
    QCOMPARE(race.sentence, sentence);
    QVERIFY2(!race.headline.contains(u"faster"), "“2 × faster” may be read as three times as fast");
}

void TestComparison::wholeResult()
{
    const Comparison race = compare(racers::gpu(), racers::cpu());
    QCOMPARE(race.title, QStringLiteral("GPU against CPU, all threads: FP32 matrix product"));
    QCOMPARE(race.where, QStringLiteral("at n = 4096, compute only"));
    QCOMPARE(race.ratios.size(), size_t(3));
    QVERIFY(
        std::abs(race.ratios[0].ratio - 0.5) < 1e-9 && std::abs(race.ratios[2].ratio - 32) < 1e-9);
    QVERIFY(std::abs(race.withTransfers[2].ratio - 32 / 1.5) < 1e-9);
    QVERIFY(race.ratios[2].hasInterval() && race.ratios[2].low > 31 && race.ratios[2].high < 33);
    QVERIFY2(
        race.detail.endsWith(u" over 7 repeats (95 %) · with transfers 21 × · 20 % of the energy"),
        qPrintable(race.detail));
    // With transfers the ratios are 0.33, 4, 21.3: they cross 1 between 256 and 1024.
    const double expected = 256 * std::pow(4, std::log(3) / std::log(12));
    QVERIFY(race.crossover && std::abs(*race.crossover - expected) < 1e-6);
    QCOMPARE(race.crossoverText,
        QStringLiteral("From n ≈ 470 on, GPU takes less time, transfers counted."));
    QVERIFY(race.protocol.size() >= 4);
    QVERIFY2(race.protocol.front().contains(u"NVIDIA L40S"), qPrintable(race.protocol.front()));
    QVERIFY2(race.protocol.at(1).contains(u"16 of 16 CPUs"), qPrintable(race.protocol.at(1)));
}

void TestComparison::withoutTransfers_noCrossoverIsClaimed()
{
    CompareLane gpu = racers::gpu();
    for (Measurement& point : gpu.points)
        point.secondsWithTransfers.clear();
    const Comparison race = compare(gpu, racers::cpu());
    QVERIFY(race.fair() && !race.crossover && race.withTransfers.empty());
    QVERIFY2(race.crossoverText.contains(u"transfers were not measured"),
        qPrintable(race.crossoverText));
    QVERIFY(!race.detail.contains(u"transfers"));
}

namespace {

/// Seven repeats so far apart that the interval of a ratio near 1 contains 1.
std::vector<double> scattered(double seconds)
{
    std::vector<double> times;
    for (const double part : {0.55, 0.7, 0.8, 1.0, 1.2, 1.6, 2.3})
        times.push_back(seconds * part);
    return times;
}

} // namespace

using RepeatsBySize = std::vector<std::vector<double>>;

void TestComparison::intervalWithOne_isNoDifference_data()
{
    QTest::addColumn<RepeatsBySize>("cpu"); // the GPU takes 1.5, 3 and 6 ms, transfers counted
    QTest::addColumn<QString>("text");
    using racers::around;
    QTest::newRow("faster everywhere") << RepeatsBySize{around(4e-3), around(12e-3),
        around(128e-3)} << QStringLiteral("GPU takes less time at every size, transfers counted.");
    QTest::newRow("not at one size")
        << RepeatsBySize{scattered(1.6e-3), around(12e-3), around(128e-3)}
        << QStringLiteral("The median time of GPU is shorter at every size, transfers counted, but "
                          "no difference was measured at n = 256.");
    QTest::newRow("at no size")
        << RepeatsBySize{scattered(1.6e-3), scattered(3.1e-3), scattered(6.1e-3)}
        << QStringLiteral("No difference between GPU and CPU, all threads was measured at any "
                          "size, transfers counted.");
    QTest::newRow("not at the largest, after a crossover")
        << RepeatsBySize{around(0.5e-3), around(12e-3), scattered(6.1e-3)}
        << QStringLiteral("From n ≈ 470 on, the median time of GPU is shorter, transfers counted, "
                          "but no difference was measured at n = 4096.");
    QTest::newRow("slower, but not measurably")
        << RepeatsBySize{around(4e-3), around(12e-3), scattered(5.9e-3)}
        << QStringLiteral("No difference was measured at the largest size, transfers counted.");
    QTest::newRow("slower at the largest")
        << RepeatsBySize{around(4e-3), around(12e-3), around(3e-3)}
        << QStringLiteral("GPU takes more time at the largest size, transfers counted.");
}

void TestComparison::intervalWithOne_isNoDifference()
{
    QFETCH(RepeatsBySize, cpu);
    QFETCH(QString, text);
    CompareLane lane = racers::cpu();
    for (size_t i = 0; i < cpu.size(); ++i)
        lane.points[i].seconds = cpu[i];
    QCOMPARE(compare(racers::gpu(), lane).crossoverText, text);
}

void TestComparison::energyIsToldOnlyWhenBothKnowIt()
{
    CompareLane gpu = racers::gpu(), cpu = racers::cpu();
    cpu.points.back().energy.reset();
    QVERIFY(!compare(gpu, cpu).detail.contains(u"energy"));
    cpu.points.back().energy = 2;
    QVERIFY(compare(gpu, cpu).detail.endsWith(u"5.0 × the energy"));
}

void TestComparison::lanes_haveLabelsOfTheirOwn()
{
    const auto file = [](const QString& run, std::initializer_list<Measurement> points) {
        RaceFile one{run, QStringLiteral("Matmul scaling"), points, {}, {}, 0};
        for (Measurement& point : one.points)
            point.runId = run;
        return one;
    };
    const Measurement gpu = racers::point(QStringLiteral("gpu"), 512, 1),
                      cpu = racers::point(QStringLiteral("cpu"), 512, 1);
    Measurement other = gpu;
    other.work = QStringLiteral("nbody");
    Measurement later = gpu;
    later.x = 256;
    const auto lanes = lanesOf({file(QStringLiteral("aaaa"), {gpu, cpu, later, other}),
        file(QStringLiteral("bbbb"), {gpu})});
    QStringList labels;
    for (const CompareLane& lane : lanes)
        labels << lane.label;
    QCOMPARE(labels,
        (QStringList{QStringLiteral("GPU · FP32 matrix product · Matmul scaling · aaaa"),
            QStringLiteral("CPU, all threads"), QStringLiteral("GPU · n-body step"),
            QStringLiteral("GPU · FP32 matrix product · Matmul scaling · bbbb")}));
    QCOMPARE(lanes[0].points.size(), size_t(2));
    QCOMPARE(lanes[0].points.front().x, 256.0);
    QCOMPARE(lanes[0].key, QStringLiteral("aaaa:gpu:gemm-fp32"));
    // A job that was started again measured a size twice: the later counts.
    Measurement again = gpu;
    again.seconds = {9};
    QCOMPARE(lanesOf({file(QStringLiteral("aaaa"), {gpu, again})})[0].points.front().seconds,
        std::vector<double>{9});
}

void TestComparison::fasterLibrary_isTheProcessorsLane()
{
    Measurement cpu = racers::point(QStringLiteral("cpu"), 512, 2),
                gpu = racers::point(QStringLiteral("gpu"), 512, 2);
    for (Measurement* point : {&cpu, &gpu}) {
        point->otherLibrary = QStringLiteral("OpenBLAS 0.3.21");
        point->otherSeconds = racers::around(1);
    }
    RaceFile file;
    file.runId = cpu.runId;
    file.points = {cpu, gpu};
    file.leftOut = {
        {QStringLiteral("cpu"), QStringLiteral("gemm-fp32"), 1024, QStringLiteral("too long")}};
    const auto lanes = lanesOf({file});
    QCOMPARE(lanes[0].points[0].library, QStringLiteral("OpenBLAS 0.3.21"));
    QCOMPARE(median(lanes[0].points[0].seconds), 1.0);
    QCOMPARE(lanes[0].points[0].otherLibrary, QStringLiteral("own"));
    QCOMPARE(lanes[0].leftOut.at(1024), QStringLiteral("too long"));
    QCOMPARE(lanes[1].points[0].library,
        QStringLiteral("own")); // what the card's library computed was not checked
    QVERIFY(lanes[1].leftOut.empty());
}

void TestComparison::likelyPair_isTheFastestOfEachDevice()
{
    CompareLane slow = racers::cpu();
    slow.label = QStringLiteral("CPU, 1 thread");
    for (Measurement& point : slow.points)
        point.seconds = {1};
    CompareLane quick = racers::gpu();
    for (Measurement& point : quick.points)
        point.seconds = {1e-6};
    using Pair = std::pair<size_t, size_t>;
    QCOMPARE(likelyPair({slow, racers::cpu(), racers::gpu(), quick}), std::optional(Pair(3, 1)));
    QCOMPARE(likelyPair({slow, racers::cpu()}), std::optional(Pair(0, 1)));
    CompareLane other = racers::gpu();
    other.work = QStringLiteral("nbody");
    QCOMPARE(likelyPair({other, slow, racers::cpu()}), std::optional(Pair(1, 2)));
    QCOMPARE(likelyPair({other, slow}), std::optional(Pair(0, 1)));
    QVERIFY(!likelyPair({slow}));
    QVERIFY(!likelyPair({}));
}

void TestComparison::nothing_isNoComparison()
{
    const Comparison race = compare({}, {});
    QVERIFY(!race.fair() && race.headline.isEmpty() && !race.refusal.isEmpty());
    QVERIFY(comparisonTable(race).rows.empty());
    QVERIFY(!comparisonMarkdown(race).isEmpty() && !comparisonJson(race).isEmpty());
}

void TestComparison::csv()
{
    CompareLane lane = racers::cpu();
    lane.points.resize(1);
    lane.points[0].seconds = {0.1, 0.25};
    lane.points[0].library = QStringLiteral("the \"best\"");
    const QList<QByteArray> lines = comparisonCsv({lane}).split('\n');
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[0].startsWith("size,lane,repeat,seconds,"));
    QVERIFY2(lines[1].startsWith(
                 "256,\"CPU, all threads\",1,0.10000000000000001,,gemm-fp32,k3f9,cpu,cpu,"),
        lines[1].constData());
    QVERIFY2(lines[2].startsWith("256,\"CPU, all threads\",2,0.25,"), lines[2].constData());
    QVERIFY(lines[1].contains("\"the \"\"best\"\"\""));
    QVERIFY(lines[1].endsWith("\r"));
}

void TestComparison::markdown()
{
    const QByteArray text = comparisonMarkdown(compare(racers::gpu(), racers::cpu()),
        {{QStringLiteral("cpu-1"), QStringLiteral("CPU, 1 thread"),
            QStringLiteral("it was stopped."), {}}});
    QVERIFY(text.startsWith("# GPU against CPU, all threads: FP32 matrix product\n"));
    QVERIFY(
        text.contains("**GPU is 32 × as fast as CPU, all threads.** at n = 4096, compute only: "));
    QVERIFY(text.contains("CPU, 1 thread did not run: it was stopped."));
    QVERIFY(text.contains("- ✓ 7 repeats, median shown\n"));
    QVERIFY2(text.contains("| 4096 | 4.00 ms, 34.4 TFLOP/s | 128 ms, 1.07 TFLOP/s | 32 × ("),
        text.constData());
    CompareLane gpu = racers::gpu();
    gpu.points.back().synchronised = false;
    const QByteArray refused = comparisonMarkdown(compare(gpu, racers::cpu()));
    QVERIFY(refused.contains("No speed-up is stated: ") && !refused.contains("**")
        && !refused.contains("as fast as"));
}

void TestComparison::json()
{
    const QJsonObject object =
        QJsonDocument::fromJson(comparisonJson(compare(racers::gpu(), racers::cpu()))).object();
    QCOMPARE(object.value(u"fair").toBool(), true);
    QCOMPARE(object.value(u"headline").toString(), QStringLiteral("32 × as fast"));
    QCOMPARE(object.value(u"ratios").toArray().size(), 3);
    QVERIFY(
        std::abs(object.value(u"ratios").toArray().at(2).toObject().value(u"ratio").toDouble() - 32)
        < 1e-9);
    QVERIFY(object.contains(u"crossover") && object.value(u"rules").toArray().size() > 6);
    CompareLane gpu = racers::gpu();
    gpu.points.back().synchronised = false;
    const QJsonObject refused =
        QJsonDocument::fromJson(comparisonJson(compare(gpu, racers::cpu()))).object();
    QCOMPARE(refused.value(u"fair").toBool(true), false);
    for (const char* key : {"ratios", "with_transfers", "crossover"})
        QVERIFY2(!refused.contains(QLatin1StringView(key)), key);
}

void TestComparison::samples()
{
    const auto samples = samplesOf(racers::gpu());
    QCOMPARE(samples.size(), size_t(9));
    const auto at = std::find_if(samples.begin(), samples.end(),
        [](const Sample& sample) { return sample.series == u"flops" && sample.x == 4096; });
    QVERIFY(at != samples.end());
    QCOMPARE(at->unit, QStringLiteral("FLOP/s"));
    QCOMPARE(at->lane, QStringLiteral("GPU"));
    QVERIFY(std::abs(at->y - 2.0 * 4096 * 4096 * 4096 / 4e-3) < 1e6);
    QVERIFY(*at->low<at->y&& * at->high> at->y);
}

void TestComparison::numbers_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    using namespace racewords;
    const auto row = [](const QString& text, const char* expected) {
        QTest::newRow(expected) << text << QString::fromUtf8(expected);
    };
    row(quantity(0.45e-3, QStringLiteral("s")), "450 µs");
    row(quantity(2.98e-3, QStringLiteral("s")), "2.98 ms");
    row(quantity(0.9999, QStringLiteral("s")), "1.00 s");
    row(quantity(5400, QStringLiteral("s")), "5400 s");
    row(quantity(61.23e12, QStringLiteral("FLOP/s")), "61.2 TFLOP/s");
    row(quantity(999.7e9, QStringLiteral("FLOP/s")), "1.00 TFLOP/s");
    row(times(31.6), "32 ×");
    row(times(9.96), "10 ×");
    row(times(99.6), "100 ×");
    row(times(0.123), "0.12 ×");
    row(times(1234), "1230 ×");
    row(percent(0.844), "84 %");
    row(percent(0.0213), "2.1 %");
    row(power10(3e-7), "3\u00A0·\u00A010⁻⁷");
    row(power10(9.99e-7), "1\u00A0·\u00A010⁻⁶");
    row(size(4096), "4096");
    row(size(2000128), "2000128");
}

void TestComparison::numbers()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(text, expected);
}

SLIPWAY_TEST(TestComparison, compare_comparison)
#include "tst_comparison.moc"

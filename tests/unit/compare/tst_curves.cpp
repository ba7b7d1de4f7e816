// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/comparison.h"
#include "app/compare/racecurves.h"
#include "plots/metrics/pipeline.h"
#include "tests/support/testmain.h"

#include <QtTest>

#include <cmath>

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

SLIPWAY_TEST(TestCurves, compare_curves)
#include "tst_curves.moc"

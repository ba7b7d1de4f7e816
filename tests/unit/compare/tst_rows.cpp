// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "tests/unit/compare/racers.h"

#include <QRandomGenerator>
#include <QtTest>

#include <cmath>

using namespace slipway;

namespace {

const QByteArray fiveRows =
    R"({"id":"probe","state":"ok","value":"0.1.0","data":{"protocol":1,"t":1760000000.1}}
{"id":"race.lane","state":"skip","lane":"gpu","label":"GPU",)"
    R"("why":"This node has no NVIDIA driver.","fix":"Ask for a GPU."}
{"id":"race.point","work":"gemm-fp32","lane":"gpu","label":"GPU","device":"gpu",)"
    R"("name":"NVIDIA H100 80GB HBM3","node":"c1","x":4096,"operations":137438953472,)"
    R"("bytes":201326592,"seconds":[0.0025,0.0026,0.0024],"seconds_with_transfers":[0.011,)"
    R"(0.012,0.013],"warmups":2,"synchronised":true,"verified":true,"error":3e-7,)"
    R"("bound":1e-5,"library":"own","peak":61.2e12,"clock":{"low":1.7e9,"median":1.8e9,)"
    R"("high":1.98e9},"clock_limit":1.98e9,"power":412.0,"energy":8.9,"temperature":61,)"
    R"("throttle":[]}
{"id":"race.point","work":"gemm-fp32","lane":"cpu","label":"CPU, all threads","device":"cpu",)"
    R"("name":"AMD EPYC","node":"c1","x":4096,"operations":137438953472,"seconds":[0.31,)"
    R"(0.3,0.32],"warmups":2,"synchronised":true,"verified":true,"error":3e-7,)"
    R"("bound":1e-5,"threads":16,"cpus":16,"library":"own, AVX-512",)"
    R"("other_library":"OpenBLAS 0.3.21","other_seconds":[0.6,0.61],"peak":5e11}
{"id":"race.size","state":"skip","why":"This size would take about 99 s; a size gets 30 s.",)"
    R"("work":"gemm-fp32","lane":"cpu","label":"CPU, all threads","x":8192,"node":"c1"}
{"id":"end","state":"ok","value":"2 points","data":{"ok":2}}
)";

} // namespace

class TestRows : public QObject {
    Q_OBJECT

private slots:
    void everyMember();
    void whatIsNotKnown_isNotThere();
    void notAPoint_data();
    void notAPoint();
    void mutations();
};

void TestRows::everyMember()
{
    const RaceFile file = readRace(fiveRows, QStringLiteral("k3f9"));
    QCOMPARE(file.unreadable, 0);
    QCOMPARE(file.points.size(), size_t(2));
    QCOMPARE(file.absent.size(), size_t(1));
    QCOMPARE(file.absent[0].label, QStringLiteral("GPU"));
    QCOMPARE(file.absent[0].why, QStringLiteral("This node has no NVIDIA driver."));
    QCOMPARE(file.absent[0].fix, QStringLiteral("Ask for a GPU."));
    const Measurement& gpu = file.points[0];
    QCOMPARE(gpu.runId, QStringLiteral("k3f9"));
    QCOMPARE(gpu.work, QStringLiteral("gemm-fp32"));
    QCOMPARE(gpu.lane, QStringLiteral("gpu"));
    QCOMPARE(gpu.device, QStringLiteral("gpu"));
    QCOMPARE(gpu.name, QStringLiteral("NVIDIA H100 80GB HBM3"));
    QCOMPARE(gpu.node, QStringLiteral("c1"));
    QCOMPARE(gpu.x, 4096.0);
    QCOMPARE(gpu.xName, QStringLiteral("n"));
    QCOMPARE(gpu.seconds, (std::vector<double>{0.0025, 0.0026, 0.0024}));
    QCOMPARE(gpu.secondsWithTransfers.size(), size_t(3));
    QVERIFY(gpu.operations == 137438953472.0 && gpu.bytes == 201326592.0 && gpu.warmups == 2);
    QVERIFY(
        gpu.synchronised == true && gpu.verified == true && gpu.error == 3e-7 && gpu.bound == 1e-5);
    QVERIFY(gpu.peak == 61.2e12 && gpu.clockLow == 1.7e9 && gpu.clockMedian == 1.8e9
        && gpu.clockHigh == 1.98e9 && gpu.clockLimit == 1.98e9);
    QVERIFY(gpu.power == 412.0 && gpu.energy == 8.9 && gpu.temperature == 61.0);
    QVERIFY(gpu.throttle && gpu.throttle->isEmpty());
    QVERIFY(!gpu.threads && !gpu.cpus);
    const Measurement& cpu = file.points[1];
    QVERIFY(cpu.threads == 16 && cpu.cpus == 16 && cpu.otherSeconds.size() == 2);
    QCOMPARE(cpu.otherLibrary, QStringLiteral("OpenBLAS 0.3.21"));
    QVERIFY(!cpu.throttle && !cpu.energy);
    QCOMPARE(cpu.when.toSecsSinceEpoch(), qint64(1760000000)); // of the call's first row
    QCOMPARE(file.leftOut.size(), size_t(1));
    QCOMPARE(file.leftOut[0].x, 8192.0);
    QCOMPARE(
        file.leftOut[0].why, QStringLiteral("This size would take about 99 s; a size gets 30 s."));
}

void TestRows::whatIsNotKnown_isNotThere()
{
    const RaceFile file =
        readRace(R"({"id":"race.point","work":"triad","lane":"cpu","x":1000,"seconds":[1],)"
                 R"("warmups":"two","synchronised":"yes","threads":1.5,"energy":0,"peak":-1,)"
                 R"("throttle":"heat","verified":null})",
            {});
    QCOMPARE(file.points.size(), size_t(1));
    const Measurement& point = file.points[0];
    QCOMPARE(point.label, QStringLiteral("cpu"));
    QCOMPARE(point.xName, QStringLiteral("elements"));
    QVERIFY(!point.warmups && !point.synchronised && !point.threads && !point.energy && !point.peak
        && !point.throttle && !point.verified);
}

void TestRows::notAPoint_data()
{
    QTest::addColumn<QByteArray>("row");
    QTest::newRow("no JSON") << QByteArray("{\"id\":\"race.point\",");
    QTest::newRow("a list") << QByteArray("[1,2]");
    QTest::newRow("text of the program") << QByteArray("Segmentation fault");
    QTest::newRow("no id") << QByteArray("{\"x\":1}");
    QTest::newRow("no work") << QByteArray(
        R"({"id":"race.point","lane":"cpu","x":1,"seconds":[1]})");
    QTest::newRow("no lane") << QByteArray(
        R"({"id":"race.point","work":"triad","x":1,"seconds":[1]})");
    QTest::newRow("no size") << QByteArray(
        R"({"id":"race.point","work":"triad","lane":"cpu","seconds":[1]})");
    QTest::newRow("no times") << QByteArray(
        R"({"id":"race.point","work":"triad","lane":"cpu","x":1,"seconds":[]})");
    QTest::newRow("a time of nothing")
        << QByteArray(R"({"id":"race.point","work":"triad","lane":"cpu","x":1,"seconds":[1,0]})");
    QTest::newRow("a time before")
        << QByteArray(R"({"id":"race.point","work":"triad","lane":"cpu","x":1,"seconds":[1,-1]})");
    QTest::newRow("a time that is a word")
        << QByteArray(R"({"id":"race.point","work":"triad","lane":"cpu","x":1,"seconds":[1,"2"]})");
}

void TestRows::notAPoint()
{
    QFETCH(QByteArray, row);
    const RaceFile file = readRace(row + "\n\n" + fiveRows, {});
    QCOMPARE(file.unreadable, 1);
    QCOMPARE(file.points.size(), size_t(2)); // the others are read all the same
}

/// Bytes turned, cut, doubled: it is always read to its end, and what is read can be compared and
/// printed.
void TestRows::mutations()
{
    QRandomGenerator random(20261121);
    int read = 0;
    for (int round = 0; round < 3000; ++round) {
        QByteArray bytes = fiveRows;
        for (int change = random.bounded(1, 8); change > 0; --change) {
            const int at = int(random.bounded(bytes.size()));
            switch (random.bounded(5)) {
            case 0:
                bytes[at] = char(random.bounded(256));
                break;
            case 1:
                bytes.remove(at, int(random.bounded(1, 40)));
                break;
            case 2:
                bytes.insert(
                    at, bytes.mid(int(random.bounded(bytes.size())), int(random.bounded(1, 60))));
                break;
            case 3:
                bytes.insert(at,
                    QByteArray("1e308,-1,0,null,{},[],\"\",99999999999999999999,\n")
                        .split(',')
                        .at(int(random.bounded(8))));
                break;
            default:
                bytes.truncate(std::max(at, 1));
            }
            if (bytes.isEmpty())
                bytes = "{";
        }
        const RaceFile file = readRace(bytes, QStringLiteral("k3f9"));
        read += int(file.points.size());
        const auto lanes = lanesOf({file});
        for (const CompareLane& lane : lanes)
            for (const Measurement& point : lane.points)
                for (const double time : point.seconds)
                    QVERIFY(time > 0 && std::isfinite(time));
        if (const auto pair = likelyPair(lanes)) {
            const Comparison race = compare(lanes[pair->first], lanes[pair->second]);
            QVERIFY(race.fair() == race.refusal.isEmpty());
            QVERIFY(!comparisonMarkdown(race, file.absent).isEmpty()
                && !comparisonJson(race, file.absent).isEmpty());
        }
        QVERIFY(!comparisonCsv(lanes).isEmpty());
    }
    QVERIFY2(read > 1000, "the changes are small enough that most rows can still be read");
}

SLIPWAY_TEST(TestRows, compare_rows)
#include "tst_rows.moc"

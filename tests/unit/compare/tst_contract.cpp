// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/comparison.h"
#include "app/compare/fairness.h"
#include "app/compare/racecurves.h"
#include "plots/metrics/pipeline.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace slipway;

/// What slipway-probe prints on this machine is what the comparison reads: the rows in their file,
/// and the curves in the log.
class TestContract : public QObject {
    Q_OBJECT

private slots:
    void rowsAndCurves_areRead_data();
    void rowsAndCurves_areRead();
};

namespace {

/// Runs a lane; its log is returned, its rows are appended to the file.
QByteArray lane(const QString& work, const QString& sizes, const QString& lane, const QString& rows)
{
    QProcess probe;
    probe.start(slipway::buildPath(QStringLiteral("/bin/slipway-probe")),
        {QStringLiteral("race"), QStringLiteral("--work"), work, QStringLiteral("--lane"), lane,
            QStringLiteral("--lane-label"), u"The " + lane, QStringLiteral("--sizes"), sizes,
            QStringLiteral("--repeats"), QStringLiteral("5"), QStringLiteral("--rows"), rows});
    const bool ended = probe.waitForFinished(120'000) && probe.exitCode() == 0;
    return ended ? probe.readAllStandardOutput()
                 : QByteArray("slipway-probe failed: ") + probe.readAllStandardError();
}

} // namespace

void TestContract::rowsAndCurves_areRead_data()
{
    QTest::addColumn<QString>("sizes");
    QTest::newRow("gemm-fp32") << QStringLiteral("64,128");
    QTest::newRow("gemm-fp64") << QStringLiteral("64,128");
    QTest::newRow("triad") << QStringLiteral("10000,100000");
    QTest::newRow("nbody") << QStringLiteral("64,512");
}

void TestContract::rowsAndCurves_areRead()
{
    QFETCH(QString, sizes);
    const QString work = QString::fromUtf8(QTest::currentDataTag());
    QTemporaryDir folder;
    const QString rows = folder.filePath(QStringLiteral("race.ndjson"));
    QByteArray log;
    for (const char* one : {"gpu", "cpu", "cpu-1"})
        log += lane(work, sizes, QLatin1String(one), rows);
    QFile file(rows);
    QVERIFY2(file.open(QIODevice::ReadOnly), log.constData());
    const RaceFile race = readRace(file.readAll(), QStringLiteral("k3f9"));
    QCOMPARE(race.unreadable, 0);
    const std::vector<CompareLane> lanes = lanesOf({race});
    QVERIFY2(lanes.size() + race.absent.size() == 3,
        log.constData()); // a GPU runs, or says why it does not
    for (const AbsentLane& absent : race.absent)
        QVERIFY2(absent.lane == u"gpu" && absent.label == u"The gpu" && !absent.why.isEmpty(),
            log.constData());

    const size_t cpu = lanes.size() - 2;
    const Comparison comparison = compare(lanes[cpu], lanes[cpu + 1]);
    QCOMPARE(comparison.ratios.size(), size_t(2));
    QVERIFY2(comparison.fair(),
        qPrintable(comparison.refusal)); // every rule is known from the rows alone
    for (const Measurement& point : race.points) {
        QVERIFY(point.when.isValid() && !point.node.isEmpty() && !point.library.isEmpty()
            && point.peak);
        QCOMPARE(point.seconds.size(), size_t(5));
    }

    SeriesStore series;
    MetricsPipeline pipeline({}, {});
    pipeline.feed(log);
    pipeline.finish();
    series.add(pipeline.takeSamples());
    const RaceFile curves =
        raceOfCurves(series, pipeline.takeEvents(), {QStringLiteral("k3f9"), {}, {}, {}});
    QCOMPARE(curves.points.size(), race.points.size());
    for (size_t i = 0; i < curves.points.size(); ++i) {
        QCOMPARE(curves.points[i].x, race.points[i].x);
        QCOMPARE(curves.points[i].xName, race.points[i].xName);
        QVERIFY2(curves.points[i].seconds.size() == 1 && curves.points[i].seconds[0] > 0,
            log.constData());
    }
}

SLIPWAY_TEST(TestContract, compare_contract)
#include "tst_contract.moc"

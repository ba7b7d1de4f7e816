// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "proberun.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

/// The race, the benchmarks and the verified kernel, on the processors of this machine and before a
/// driver library that computes, errs, hangs and refuses.
class TestRace : public QObject {
    Q_OBJECT

private slots:
    void cpu_data();
    void cpu();
    void gpu_data();
    void gpu();
    void gpu_isMissing();
    void gpu_wrongResult();
    void gpu_stops_data();
    void gpu_stops();
    void sizes_thatTakeTooLong();
    void arguments_data();
    void arguments();
    void log_hasTheCurve();
    void verify_data();
    void verify();
    void bench_onProcessorsAlone();
    void bench_withACard();
    void bench_withAnOldCard();
    void stress_comparesAndLooks();
};

namespace {

QStringList raceOf(const char* work, const char* lane, const char* sizes)
{
    return {QStringLiteral("race"), QStringLiteral("--work"), QLatin1String(work),
        QStringLiteral("--lane"), QLatin1String(lane), QStringLiteral("--sizes"),
        QLatin1String(sizes), QStringLiteral("--repeats"), QStringLiteral("3")};
}

QList<QJsonObject> points(const ProbeRun& run)
{
    QList<QJsonObject> found;
    for (const QJsonObject& row : run.lines) {
        if (row.value(QStringLiteral("id")).toString() == QStringLiteral("race.point"))
            found << row;
    }
    return found;
}

double number(const QJsonObject& row, const char* member)
{
    return row.value(QLatin1String(member)).toDouble();
}

/// What every point must say, on whichever lane.
void isWhole(const QJsonObject& point, const char* work, const char* lane)
{
    const QByteArray text = QJsonDocument(point).toJson(QJsonDocument::Compact);
    QCOMPARE(point.value(QStringLiteral("work")).toString(), QLatin1String(work));
    QCOMPARE(point.value(QStringLiteral("lane")).toString(), QLatin1String(lane));
    QCOMPARE(point.value(QStringLiteral("seconds")).toArray().size(), 3);
    for (const QJsonValue& seconds : point.value(QStringLiteral("seconds")).toArray())
        QVERIFY2(seconds.toDouble() > 0, text.constData());
    for (const char* member : {"x", "operations", "bytes", "warmups", "bound", "peak", "cpus"})
        QVERIFY2(number(point, member) > 0, member);
    for (const char* member : {"label", "device", "name", "node", "library", "value", "x_name"})
        QVERIFY2(!point.value(QLatin1String(member)).toString().isEmpty(), member);
    QVERIFY2(point.value(QStringLiteral("synchronised")).toBool(), text.constData());
    QVERIFY2(point.value(QStringLiteral("verified")).toBool(), text.constData());
    QVERIFY2(number(point, "error") <= number(point, "bound"), text.constData());
}

FakeNode card(const QString& words = {})
{
    return FakeNode().fake(
        QStringLiteral("cards=1") + (words.isEmpty() ? QString() : u',' + words));
}

} // namespace

void TestRace::cpu_data()
{
    QTest::addColumn<QByteArray>("work");
    QTest::addColumn<QByteArray>("lane");
    for (const char* work : {"gemm-fp32", "gemm-fp64", "triad", "nbody"}) {
        for (const char* lane : {"cpu", "cpu-1"})
            QTest::addRow("%s on %s", work, lane) << QByteArray(work) << QByteArray(lane);
    }
}

void TestRace::cpu()
{
    QFETCH(QByteArray, work);
    QFETCH(QByteArray, lane);
    const ProbeRun run =
        runProbe(FakeNode(), raceOf(work.constData(), lane.constData(), "129,256"));
    QCOMPARE(run.exitCode, 0);
    QCOMPARE(points(run).size(), 2);
    for (const QJsonObject& point : points(run)) {
        isWhole(point, work.constData(), lane.constData());
        QCOMPARE(number(point, "threads"), lane == "cpu-1" ? 1. : number(point, "cpus"));
        QVERIFY2(!point.contains(QStringLiteral("throttle")), "a processor does not tell");
        QVERIFY(!point.contains(QStringLiteral("seconds_with_transfers")));
    }
    QCOMPARE(run.left, 0);
}

void TestRace::gpu_data()
{
    QTest::addColumn<QByteArray>("work");
    for (const char* work : {"gemm-fp32", "gemm-fp64", "triad", "nbody"})
        QTest::newRow(work) << QByteArray(work);
}

void TestRace::gpu()
{
    QFETCH(QByteArray, work);
    const ProbeRun run = runProbe(card(), raceOf(work.constData(), "gpu", "100,256"));
    QVERIFY2(run.exitCode == 0, run.out.constData());
    QCOMPARE(points(run).size(), 2);
    for (const QJsonObject& point : points(run)) {
        isWhole(point, work.constData(), "gpu");
        QCOMPARE(point.value(QStringLiteral("seconds_with_transfers")).toArray().size(), 3);
        QCOMPARE(point.value(QStringLiteral("device")).toString(), QStringLiteral("gpu"));
        QVERIFY(point.value(QStringLiteral("throttle")).isArray());
        QVERIFY(number(point.value(QStringLiteral("clock")).toObject(), "median") > 0);
        QVERIFY(!point.contains(QStringLiteral("threads")));
    }
    QCOMPARE(run.left, 0);
}

void TestRace::gpu_isMissing()
{
    const ProbeRun run = runProbe(FakeNode(), raceOf("gemm-fp32", "gpu", "128"));
    QCOMPARE(run.exitCode, 0);
    QCOMPARE(run.state("race.lane"), QStringLiteral("skip"));
    QCOMPARE(run.text("race.lane", "lane"), QStringLiteral("gpu"));
    QCOMPARE(run.text("race.lane", "label"), QStringLiteral("GPU"));
    QVERIFY(run.text("race.lane", "why").contains(QStringLiteral("driver library")));
    QVERIFY(!run.text("race.lane", "fix").isEmpty());
    const ProbeRun none =
        runProbe(FakeNode().fake(QStringLiteral("cards=0")), raceOf("triad", "gpu", "128"));
    QVERIFY2(none.text("race.lane", "why").contains(QStringLiteral("shows no GPU")),
        none.out.constData());
}

void TestRace::gpu_wrongResult()
{
    const ProbeRun run = runProbe(card(QStringLiteral("wrong")), raceOf("gemm-fp32", "gpu", "128"));
    QCOMPARE(points(run).size(), 1);
    QCOMPARE(run.state("race.point"), QStringLiteral("fail"));
    QCOMPARE(points(run).first().value(QStringLiteral("verified")), QJsonValue(false));
    QCOMPARE(run.exitCode, 1);
}

void TestRace::gpu_stops_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("why");
    QTest::newRow("illegal address") << "launcherror=700"
                                     << "700";
    QTest::newRow("crash in a launch") << "segv=cuLaunchKernel"
                                       << "SIGSEGV";
    QTest::newRow("not compiled") << "jit=222"
                                  << "unsupported";
    QTest::newRow("refused") << "refuse=802"
                             << "802";
}

void TestRace::gpu_stops()
{
    QFETCH(QString, words);
    QFETCH(QString, why);
    const ProbeRun run = runProbe(card(words), raceOf("nbody", "gpu", "256"));
    QVERIFY2(run.text("race.lane", "why").contains(why), run.out.constData());
    QCOMPARE(run.state("race.lane"), QStringLiteral("skip"));
    QVERIFY(run.rows.contains(QStringLiteral("end")));
    QCOMPARE(run.left, 0);
}

void TestRace::sizes_thatTakeTooLong()
{
    const ProbeRun run = runProbe(FakeNode(), raceOf("nbody", "cpu-1", "128,4000000"));
    QCOMPARE(points(run).size(), 1);
    QCOMPARE(run.state("race.size"), QStringLiteral("skip"));
    QCOMPARE(number(run.rows.value(QStringLiteral("race.size")), "x"), 4000000.);
    QVERIFY(run.text("race.size", "why").contains(QStringLiteral("would take")));
}

void TestRace::arguments_data()
{
    QTest::addColumn<QStringList>("arguments");
    const QStringList good = raceOf("triad", "cpu", "64");
    QTest::newRow("no work") << QStringList{
        QStringLiteral("race"), QStringLiteral("--lane"), QStringLiteral("cpu")};
    QTest::newRow("no lane") << QStringList{
        QStringLiteral("race"), QStringLiteral("--work"), QStringLiteral("triad")};
    QTest::newRow("another lane") << raceOf("triad", "tpu", "64");
    QTest::newRow("another work") << raceOf("sort", "cpu", "64");
    QTest::newRow("no size") << raceOf("triad", "cpu", "64,");
    QTest::newRow("a size of 0") << raceOf("triad", "cpu", "0");
    QTest::newRow("a size beyond all") << raceOf("gemm-fp32", "cpu", "99999");
    QTest::newRow("something else")
        << good + QStringList{QStringLiteral("--fast"), QStringLiteral("1")};
}

void TestRace::arguments()
{
    QFETCH(QStringList, arguments);
    const ProbeRun run = runProbe(FakeNode(), arguments);
    QCOMPARE(run.exitCode, 2);
    QVERIFY(run.out.isEmpty());
    QVERIFY(run.error.contains("usage"));
}

void TestRace::log_hasTheCurve()
{
    FakeNode node;
    const QString file = node.folder() + QStringLiteral("/rows");
    const ProbeRun run = runProbe(node,
        raceOf("triad", "cpu-1", "1000")
            + QStringList{QStringLiteral("--rows"), file, QStringLiteral("--lane-label"),
                QStringLiteral("one of them")});
    QCOMPARE(run.exitCode, 0);
    QStringList samples;
    for (const QByteArray& line : run.out.split('\n')) {
        if (!line.startsWith("@slipway "))
            continue;
        const QJsonObject sample = QJsonDocument::fromJson(line.mid(9)).object();
        samples << sample.value(QStringLiteral("sample")).toString() + u' '
                + sample.value(QStringLiteral("unit")).toString();
        QCOMPARE(sample.value(QStringLiteral("lane")).toString(), QStringLiteral("one of them"));
        QCOMPARE(number(sample, "x"), 1000.);
        QVERIFY(number(sample, "low") <= number(sample, "y")
            && number(sample, "y") <= number(sample, "high") && number(sample, "low") > 0);
    }
    QCOMPARE(samples, (QStringList{QStringLiteral("bandwidth B/s"), QStringLiteral("seconds s")}));
    QFile rows(file);
    QVERIFY(rows.open(QIODevice::ReadOnly));
    QCOMPARE(rows.readAll().count('\n'), 3);
}

void TestRace::verify_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("text"); ///< in value or why
    QTest::newRow("right") << "cards=2"
                           << "ok"
                           << "exact on 2 GPUs";
    QTest::newRow("right, of Kepler's time") << "cards=1,capability=37"
                                             << "ok"
                                             << "exact on the GPU";
    QTest::newRow("wrong") << "cards=1,wrong"
                           << "fail"
                           << "came out wrong on NVIDIA H100";
    QTest::newRow("illegal address") << "cards=1,launcherror=700"
                                     << "fail"
                                     << "cuCtxSynchronize";
    QTest::newRow("hangs") << "cards=1,hang=cuCtxSynchronize"
                           << "fail"
                           << "did not answer within";
    QTest::newRow("crashes") << "cards=1,segv=cuLaunchKernel"
                             << "fail"
                             << "SIGSEGV";
    QTest::newRow("not compiled") << "cards=1,jit=222"
                                  << "fail"
                                  << "did not compile";
    QTest::newRow("no card") << "cards=0"
                             << "skip"
                             << "no card";
}

void TestRace::verify()
{
    QFETCH(QString, words);
    QFETCH(QString, state);
    QFETCH(QString, text);
    const ProbeRun run = runProbe(FakeNode().fake(words),
        {QStringLiteral("check"), QStringLiteral("--only"), QStringLiteral("compute.verify"),
            QStringLiteral("--deadline"),
            words.contains(QStringLiteral("hang")) ? QStringLiteral("2") : QStringLiteral("20")});
    QVERIFY2(run.state("compute.verify") == state, qPrintable(run.all("compute.verify")));
    const QString said =
        run.text("compute.verify", "value") + u' ' + run.text("compute.verify", "why");
    QVERIFY2(said.contains(text), qPrintable(run.all("compute.verify")));
    QCOMPARE(run.text("compute.verify", "fix").isEmpty(), state != QStringLiteral("fail"));
    QCOMPARE(run.left, 0);
}

namespace {

void isBenchmark(const ProbeRun& run, const char* id)
{
    const QJsonObject row = run.rows.value(QLatin1String(id)),
                      data = row.value(QStringLiteral("data")).toObject();
    QVERIFY2(!row.isEmpty(), id);
    QVERIFY2(run.state(id) == QStringLiteral("ok"), qPrintable(run.all(id)));
    QVERIFY2(number(data, "median") > 0 && number(data, "low") <= number(data, "median")
            && number(data, "median") <= number(data, "high"),
        qPrintable(run.all(id)));
    QVERIFY2(
        !data.value(QStringLiteral("unit")).toString().isEmpty() && number(data, "repeats") > 0,
        qPrintable(run.all(id)));
}

} // namespace

void TestRace::bench_onProcessorsAlone()
{
    const ProbeRun run = runProbe(
        FakeNode(), {QStringLiteral("check"), QStringLiteral("--level"), QStringLiteral("bench")});
    for (const char* id : {"bench.cpu.peak-fp32", "bench.cpu.peak-fp64", "bench.cpu.gemm-fp32",
             "bench.cpu.gemm-fp64", "bench.cpu.triad", "bench.cpu.nbody"})
        isBenchmark(run, id);
    QCOMPARE(run.state("bench.gpu"), QStringLiteral("skip"));
    const QJsonObject gemm = run.rows.value(QStringLiteral("bench.cpu.gemm-fp32"))
                                 .value(QStringLiteral("data"))
                                 .toObject();
    QVERIFY(gemm.value(QStringLiteral("verified")).toBool());
    QVERIFY(number(gemm, "percent") > 0 && number(gemm, "threads") >= 1);
    QVERIFY2(
        run.milliseconds < 45'000, "the level is to take 30 s on a machine that is not shared");
}

void TestRace::bench_withACard()
{
    const ProbeRun run = runProbe(
        card(), {QStringLiteral("check"), QStringLiteral("--level"), QStringLiteral("bench")});
    for (const char* id : {"bench.gpu.peak-fp32", "bench.gpu.peak-fp64", "bench.gpu.tensor-tf32",
             "bench.gpu.tensor-fp16", "bench.gpu.tensor-bf16", "bench.gpu.triad",
             "bench.gpu.gemm-fp32", "bench.gpu.gemm-fp64", "bench.gpu.h2d", "bench.gpu.d2h",
             "bench.gpu.h2d-pageable", "bench.gpu.d2h-pageable", "bench.gpu.d2d"})
        isBenchmark(run, id);
    QCOMPARE(run.left, 0);
}

/// What a card cannot do is said, and the rest is measured.
void TestRace::bench_withAnOldCard()
{
    const ProbeRun run = runProbe(FakeNode().fake(QStringLiteral("cards=1,capability=61")),
        {QStringLiteral("check"), QStringLiteral("--level"), QStringLiteral("bench"),
            QStringLiteral("--only"), QStringLiteral("bench.gpu")});
    for (const char* id :
        {"bench.gpu.tensor-tf32", "bench.gpu.tensor-fp16", "bench.gpu.tensor-bf16"}) {
        QCOMPARE(run.state(id), QStringLiteral("skip"));
        QCOMPARE(run.text(id, "why"),
            QStringLiteral("A card of compute capability 6.1 has no tensor cores."));
    }
    for (const char* id : {"bench.gpu.peak-fp32", "bench.gpu.peak-fp64", "bench.gpu.gemm-fp64"})
        isBenchmark(run, id);
    QCOMPARE(run.left, 0);
}

void TestRace::stress_comparesAndLooks()
{
    const ProbeRun run = runProbe(FakeNode(),
        {QStringLiteral("check"), QStringLiteral("--level"), QStringLiteral("stress"),
            QStringLiteral("--seconds"), QStringLiteral("1")});
    isBenchmark(run, "bench.stress.cpu");
    QCOMPARE(run.rows.value(QStringLiteral("bench.stress.cpu"))
                 .value(QStringLiteral("data"))
                 .toObject()
                 .value(QStringLiteral("differences"))
                 .toInt(-1),
        0);
    QCOMPARE(run.state("bench.stress.gpu"), QStringLiteral("skip"));
    const ProbeRun cards = runProbe(FakeNode().fake(QStringLiteral("cards=2")),
        {QStringLiteral("check"), QStringLiteral("--level"), QStringLiteral("stress"),
            QStringLiteral("--seconds"), QStringLiteral("1")});
    for (const char* id : {"bench.stress.gpu0", "bench.stress.gpu1", "bench.stress.cpu"})
        isBenchmark(cards, id);
    QVERIFY(number(cards.rows.value(QStringLiteral("bench.stress.gpu1"))
                       .value(QStringLiteral("data"))
                       .toObject(),
                "temperature")
        > 0);
    QCOMPARE(cards.left, 0);
}

SLIPWAY_TEST(TestRace, probe_race)
#include "tst_race.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runstore.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimeZone>
#include <QtTest>

using namespace slipway;

/// “slipway-cli compare” on stored runs: a fair race, one that violates a rule, one without a GPU,
/// and a training that only printed its times.
class TestCompare : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void fairRace_statesTheSpeedUp();
    void violatedRule_statesNoSpeedUp();
    void missingGpu_isReportedAndTheCpuLanesAreCompared();
    void training_isShownWithoutAVerdict();
    void lanesOfSeveralRuns();
    void json();
    void markdown();
    void csvAndPlot();
    void misuse_data();
    void misuse();

private:
    void keep(
        const QString& id, const QString& recipe, const QByteArray& rows, const QByteArray& log);
    int run(const QString& line);

    QTemporaryDir m_home;
    QString m_out, m_err;
};

namespace {

QByteArray times(double seconds, int count)
{
    QByteArrayList list;
    for (int i = 0; i < count; ++i)
        list << QByteArray::number(seconds * (1 + 0.005 * (i % 3)));
    return '[' + list.join(',') + ']';
}

QByteArray point(const QByteArray& lane, const QByteArray& label, int n, double seconds,
    const QByteArray& more, int repeats = 7)
{
    return "{\"id\":\"race.point\",\"work\":\"gemm-fp32\",\"lane\":\"" + lane + "\",\"label\":\""
        + label + "\",\"node\":\"c1\",\"x\":" + QByteArray::number(n) + ",\"operations\":"
        + QByteArray::number(2.0 * n * n * n) + ",\"seconds\":" + times(seconds, repeats)
        + ",\"warmups\":2,\"synchronised\":true,\"verified\":true,\"error\":3e-7,\"bound\":1e-5,"
        + more + "}\n";
}

QByteArray gpuRows(const QByteArray& throttle = "[]")
{
    const QByteArray more = "\"device\":\"gpu\",\"name\":\"NVIDIA L40S\",\"throttle\":" + throttle
        + ",\"seconds_with_transfers\":";
    return point("gpu", "GPU", 512, 1e-4, more + times(1e-3, 7))
        + point("gpu", "GPU", 4096, 4e-3, more + times(8e-3, 7));
}

QByteArray cpuRows()
{
    const QByteArray all = "\"device\":\"cpu\",\"name\":\"EPYC\",\"threads\":16,\"cpus\":16,"
                           "\"library\":\"own, AVX-512\"";
    const QByteArray one = "\"device\":\"cpu\",\"name\":\"EPYC\",\"threads\":1,\"cpus\":16,"
                           "\"library\":\"own, AVX-512\"";
    return point("cpu", "CPU, all threads", 512, 0.5e-3, all)
        + point("cpu", "CPU, all threads", 4096, 128e-3, all)
        + point("cpu-1", "CPU, 1 thread", 512, 6e-3, one)
        + point("cpu-1", "CPU, 1 thread", 4096, 1.5, one);
}

} // namespace

void TestCompare::keep(
    const QString& id, const QString& recipe, const QByteArray& rows, const QByteArray& log)
{
    const QString data = m_home.filePath(QStringLiteral("data/slipway"));
    const QString folder = data + u"/runs/" + id;
    QVERIFY(QDir().mkpath(folder + u"/results"));
    for (const auto& [name, bytes] : {std::pair(QStringLiteral("/results/race.ndjson"), rows),
             std::pair(QStringLiteral("/log.bin"), log)}) {
        QFile file(folder + name);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    RunStore store(data + u"/runs.sqlite");
    QVERIFY(store.open().ok());
    Run run;
    run.id = id;
    run.tag = id;
    run.spec.recipeId = recipe;
    run.spec.siteId = QStringLiteral("demo");
    run.title = QStringLiteral("GPU against CPU: the race");
    run.phase = RunPhase::Done;
    run.nodeList = QStringLiteral("c1");
    run.logBytes = log.size();
    run.created = run.started = run.ended =
        QDateTime(QDate(2026, 11, 21), QTime(12, 0), QTimeZone::utc());
    QVERIFY(store.insert(run).ok());
}

int TestCompare::run(const QString& line)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), m_home.path());
    for (const char* name : {"CONFIG", "DATA", "STATE"})
        environment.insert(QStringLiteral("XDG_%1_HOME").arg(QLatin1String(name)),
            m_home.filePath(QString::fromLatin1(name).toLower()));
    environment.insert(
        QStringLiteral("SLIPWAY_RESOURCES"), slipway::sourcePath(QStringLiteral("/resources")));
    process.setProcessEnvironment(environment);
    process.start(slipway::buildPath(QStringLiteral("/bin/slipway-cli")),
        line.split(u' ', Qt::SkipEmptyParts));
    if (!process.waitForFinished(60'000))
        return -1;
    m_out = QString::fromUtf8(process.readAllStandardOutput());
    m_err = QString::fromUtf8(process.readAllStandardError());
    return process.exitCode();
}

void TestCompare::initTestCase()
{
    const QString race = QStringLiteral("gpu-cpu-race");
    keep(QStringLiteral("fair"), race, gpuRows() + cpuRows(), "a line\n");
    keep(QStringLiteral("warm"), race, gpuRows("[\"temperature\"]") + cpuRows(), {});
    keep(QStringLiteral("nogp"), race,
        "{\"id\":\"race.lane\",\"state\":\"skip\",\"lane\":\"gpu\",\"label\":\"GPU\",\"why\":"
        "\"This node has no NVIDIA driver.\",\"fix\":\"Ask for a node with a GPU.\"}\n"
            + cpuRows(),
        {});
    keep(QStringLiteral("lone"), race,
        point("cpu", "CPU, all threads", 512, 1, "\"device\":\"cpu\",\"threads\":1,\"cpus\":1"),
        {});
    keep(QStringLiteral("mnst"), QStringLiteral("tf-mnist"), {},
        "@slipway "
        "{\"sample\":\"total_seconds\",\"lane\":\"GPU\",\"x\":10,\"x_name\":\"epochs\",\"y\":26.1,"
        "\"unit\":\"s\"}\n"
        "@slipway "
        "{\"sample\":\"total_seconds\",\"lane\":\"CPU\",\"x\":10,\"x_name\":\"epochs\",\"y\":252.4,"
        "\"unit\":\"s\"}\n");
    keep(QStringLiteral("none"), QStringLiteral("run-a-command"), {}, "hello\n");
}

void TestCompare::fairRace_statesTheSpeedUp()
{
    QCOMPARE(run(QStringLiteral("compare fair")), 0);
    QVERIFY2(m_out.startsWith(u"GPU against CPU, all threads: FP32 matrix product\n\nGPU is 32 × "
                              u"as fast as CPU, all threads.\nat n = 4096, compute only: "),
        qPrintable(m_out));
    QVERIFY2(m_out.contains(u"over 7 repeats (95 %) · with transfers 16 ×\n"), qPrintable(m_out));
    QVERIFY2(m_out.contains(u"From n ≈ 780 on, GPU takes less time, transfers counted.\n"),
        qPrintable(m_out));
    QVERIFY(m_out.contains(u"Was it fair?\n  ✓ the same work on both"));
    QVERIFY(m_out.contains(u"\n  ✓ CPU, all threads used all 16 CPUs of the job, own, AVX-512\n"));
    QVERIFY2(m_out.contains(u"How it was measured\n  GPU: NVIDIA L40S"), qPrintable(m_out));
    QVERIFY2(m_out.contains(u"TACC, MPI and GPU Containers"),
        "published results for the same work are listed");
    QVERIFY2(!m_out.contains(u"nan") && !m_out.contains(u"%1"), qPrintable(m_out));
}

void TestCompare::violatedRule_statesNoSpeedUp()
{
    QCOMPARE(run(QStringLiteral("compare warm")), 0);
    QVERIFY2(m_out.contains(u"No speed-up is stated: GPU was throttled at n = 512: temperature.\n"),
        qPrintable(m_out));
    QVERIFY(!m_out.contains(u"as fast as"));
    QVERIFY2(
        m_out.contains(u"4.02 ms") || m_out.contains(u"4.00 ms"), "the medians are still shown");
    QVERIFY2(!m_out.contains(u" × ("), qPrintable(m_out)); // but the ratios are not
}

void TestCompare::missingGpu_isReportedAndTheCpuLanesAreCompared()
{
    QCOMPARE(run(QStringLiteral("compare nogp")), 0);
    QVERIFY2(
        m_out.contains(u"CPU, all threads is 12 × as fast as CPU, 1 thread.\n"), qPrintable(m_out));
    QVERIFY2(m_out.contains(
                 u"GPU did not run: This node has no NVIDIA driver. Ask for a node with a GPU.\n"),
        qPrintable(m_out));
}

void TestCompare::training_isShownWithoutAVerdict()
{
    QCOMPARE(run(QStringLiteral("compare mnst")), 0);
    QVERIFY2(m_out.contains(
                 u"It is not known whether the comparison is fair, so no speed-up is stated: "),
        qPrintable(m_out));
    QVERIFY2(m_out.contains(u"26.1 s") && m_out.contains(u"252 s") && !m_out.contains(u"9.7 ×"),
        qPrintable(m_out));
    QVERIFY2(
        m_out.contains(u"Kestrel, one H100 (NREL, GPU containers on Kestrel)"), qPrintable(m_out));
}

void TestCompare::lanesOfSeveralRuns()
{
    QCOMPARE(run(QStringLiteral("compare fair:gpu warm:gpu nogp:cpu")), 0);
    QVERIFY2(m_out.startsWith(u"GPU · GPU against CPU: the race · fair against GPU · GPU against "
                              u"CPU: the race · warm: FP32"),
        qPrintable(m_out));
    QCOMPARE(run(QStringLiteral("compare fair:cpu-1 fair:cpu")), 0);
    QVERIFY2(m_out.contains(u"CPU, 1 thread takes 12 × as long as CPU, all threads.\n"),
        qPrintable(m_out));
    QCOMPARE(run(QStringLiteral("compare fair:gpu fair:cpu-1")), 0);
    QVERIFY2(
        m_out.contains(
            u"No speed-up is stated: CPU, 1 thread used 1 of 16 CPUs of the job, own, AVX-512.\n"),
        qPrintable(m_out));
}

void TestCompare::json()
{
    QCOMPARE(run(QStringLiteral("compare nogp --json")), 0);
    QCOMPARE(m_out.count(u'\n'), 1);
    const QJsonObject object = QJsonDocument::fromJson(m_out.toUtf8()).object();
    QCOMPARE(object.value(u"fair").toBool(), true);
    QCOMPARE(object.value(u"ratios").toArray().size(), 2);
    QCOMPARE(object.value(u"absent").toArray().at(0).toObject().value(u"lane").toString(),
        QStringLiteral("gpu"));
}

void TestCompare::markdown()
{
    QCOMPARE(run(QStringLiteral("compare fair --markdown")), 0);
    QVERIFY2(m_out.startsWith(u"# GPU against CPU, all threads: FP32 matrix product\n\n**GPU is 32 "
                              u"× as fast as CPU, all threads.**"),
        qPrintable(m_out));
    QVERIFY(m_out.contains(u"| 4096 | 4.02 ms, 34.2 TFLOP/s | 129 ms, 1.07 TFLOP/s | 32 × (")
        || m_out.contains(u"| 4096 | 4.00 ms"));
}

void TestCompare::csvAndPlot()
{
    const QString csv = m_home.filePath(QStringLiteral("race.csv")),
                  plot = m_home.filePath(QStringLiteral("race.svg"));
    QCOMPARE(run(QStringLiteral("compare fair --csv %1 --plot %2").arg(csv, plot)), 0);
    QFile numbers(csv), picture(plot);
    QVERIFY(numbers.open(QIODevice::ReadOnly) && picture.open(QIODevice::ReadOnly));
    QCOMPARE(numbers.readAll().count('\n'), 1 + 6 * 7);
    const QByteArray drawn = picture.readAll();
    QVERIFY(drawn.contains("<svg") && drawn.size() > 2000);
    QCOMPARE(run(QStringLiteral("compare fair --csv %1").arg(m_home.path())), 1);
    QVERIFY2(m_err.contains(u"cannot be written"), qPrintable(m_err));
}

void TestCompare::misuse_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("hint");
    QTest::newRow("compare") << 2 << QStringLiteral("Usage: slipway-cli compare RUN");
    QTest::newRow("compare zzzz") << 2 << QStringLiteral("There is no run “zzzz”");
    QTest::newRow("compare fair:tpu") << 2 << QStringLiteral("Available lanes: gpu, cpu, cpu-1.");
    QTest::newRow("compare none") << 2 << QStringLiteral("has no measurements to compare");
    QTest::newRow("compare lone") << 2
                                  << QStringLiteral("Only “CPU, all threads” has measurements.");
    QTest::newRow("compare fair:gpu") << 2 << QStringLiteral("Only “GPU” has measurements.");
    QTest::newRow("compare fair --plot race.txt") << 2 << QStringLiteral("must end with .png");
    QTest::newRow("compare fair --csv /nowhere/race.csv") << 2 << QStringLiteral("does not exist");
    QTest::newRow("compare fair --plot /nowhere/race.svg") << 2 << QStringLiteral("does not exist");
    QTest::newRow("compare fair --json --markdown") << 2 << QStringLiteral("mutually exclusive");
}

void TestCompare::misuse()
{
    QFETCH(int, code);
    QFETCH(QString, hint);
    QCOMPARE(run(QString::fromUtf8(QTest::currentDataTag())), code);
    const QString printed = m_err + m_out; // with --json an error is an object on stdout
    QVERIFY2(printed.contains(hint), qPrintable(printed));
}

SLIPWAY_TEST(TestCompare, cli_compare)
#include "tst_compare.moc"

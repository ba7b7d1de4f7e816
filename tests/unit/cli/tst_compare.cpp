// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "clihome.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
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
    void run_isNamedTaggedAndFound();
    void curves_ofTwoTrainings();
    void misuse_data();
    void misuse();

private:
    void keep(
        const QString& id, const QString& recipe, const QByteArray& rows, const QByteArray& log);
    /// A training that printed two losses; facts.json holds its batch size.
    void keepTraining(const QString& id, int batch, double loss);

    CliHome m_cli;
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
    Run run;
    run.id = id;
    run.tag = id;
    run.spec.recipeId = recipe;
    run.spec.siteId = QStringLiteral("demo");
    run.title = QStringLiteral("GPU against CPU: the race");
    run.phase = RunPhase::Done;
    run.nodeList = QStringLiteral("c1");
    run.imageDigest = u"sha256:0123456789ab" + QString(52, u'7');
    run.created = run.started = run.ended =
        QDateTime(QDate(2026, 11, 21), QTime(12, 0), QTimeZone::utc());
    m_cli.keep(run, rows, log);
}

void TestCompare::keepTraining(const QString& id, int batch, double loss)
{
    QByteArray log;
    for (int step = 1; step <= 3; ++step)
        for (const char* series : {"train_loss", "valid_loss"})
            log += QByteArray("@slipway {\"sample\":\"") + series
                + "\",\"x\":" + QByteArray::number(step)
                + ",\"x_name\":\"step\",\"y\":" + QByteArray::number(loss / step) + "}\n";
    keep(id, QStringLiteral("train-digits"), {}, log);
    m_cli.keepFile(id, QStringLiteral("facts.json"),
        "{\"site\":\"Demo cluster\",\"values\":{\"epochs\":\"3\",\"batch\":\""
            + QByteArray::number(batch) + "\"}}");
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
    keepTraining(QStringLiteral("trn1"), 32, 1.5);
    keepTraining(QStringLiteral("trn2"), 64, 0.75);
}

void TestCompare::fairRace_statesTheSpeedUp()
{
    QCOMPARE(m_cli.run(QStringLiteral("compare fair")), 0);
    QVERIFY2(
        m_cli.out.startsWith(u"GPU against CPU, all threads: FP32 matrix product\n\nGPU is 32 × "
                             u"as fast as CPU, all threads.\nat n = 4096, compute only: "),
        qPrintable(m_cli.out));
    QVERIFY2(m_cli.out.contains(u"over 7 repeats (95 %) · with transfers 16 ×\n"),
        qPrintable(m_cli.out));
    QVERIFY2(m_cli.out.contains(u"From n ≈ 780 on, GPU takes less time, transfers counted.\n"),
        qPrintable(m_cli.out));
    QVERIFY(m_cli.out.contains(u"Was it fair?\n  ✓ the same work on both"));
    QVERIFY(
        m_cli.out.contains(u"\n  ✓ CPU, all threads used all 16 CPUs of the job, own, AVX-512\n"));
    QVERIFY2(m_cli.out.contains(u"How it was measured\n  GPU: NVIDIA L40S"), qPrintable(m_cli.out));
    QVERIFY2(m_cli.out.contains(u"TACC, MPI and GPU Containers"),
        "published results for the same work are listed");
    QVERIFY2(!m_cli.out.contains(u"nan") && !m_cli.out.contains(u"%1"), qPrintable(m_cli.out));
}

void TestCompare::violatedRule_statesNoSpeedUp()
{
    QCOMPARE(m_cli.run(QStringLiteral("compare warm")), 0);
    QVERIFY2(
        m_cli.out.contains(u"No speed-up is stated: GPU was throttled at n = 512: temperature.\n"),
        qPrintable(m_cli.out));
    QVERIFY(!m_cli.out.contains(u"as fast as"));
    QVERIFY2(m_cli.out.contains(u"4.02 ms") || m_cli.out.contains(u"4.00 ms"),
        "the medians are still shown");
    QVERIFY2(!m_cli.out.contains(u" × ("), qPrintable(m_cli.out)); // but the ratios are not
}

void TestCompare::missingGpu_isReportedAndTheCpuLanesAreCompared()
{
    QCOMPARE(m_cli.run(QStringLiteral("compare nogp")), 0);
    QVERIFY2(m_cli.out.contains(u"CPU, all threads is 12 × as fast as CPU, 1 thread.\n"),
        qPrintable(m_cli.out));
    QVERIFY2(m_cli.out.contains(
                 u"GPU did not run: This node has no NVIDIA driver. Ask for a node with a GPU.\n"),
        qPrintable(m_cli.out));
}

void TestCompare::training_isShownWithoutAVerdict()
{
    QCOMPARE(m_cli.run(QStringLiteral("compare mnst")), 0);
    QVERIFY2(m_cli.out.contains(
                 u"It is not known whether the comparison is fair, so no speed-up is stated: "),
        qPrintable(m_cli.out));
    QVERIFY2(m_cli.out.contains(u"26.1 s") && m_cli.out.contains(u"252 s")
            && !m_cli.out.contains(u"9.7 ×"),
        qPrintable(m_cli.out));
    QVERIFY2(m_cli.out.contains(u"Kestrel, one H100 (NREL, GPU containers on Kestrel)"),
        qPrintable(m_cli.out));
}

void TestCompare::lanesOfSeveralRuns()
{
    QCOMPARE(m_cli.run(QStringLiteral("compare fair:gpu warm:gpu nogp:cpu")), 0);
    QVERIFY2(
        m_cli.out.startsWith(u"GPU · GPU against CPU: the race · fair against GPU · GPU against "
                             u"CPU: the race · warm: FP32"),
        qPrintable(m_cli.out));
    QCOMPARE(m_cli.run(QStringLiteral("compare fair:cpu-1 fair:cpu")), 0);
    QVERIFY2(m_cli.out.contains(u"CPU, 1 thread takes 12 × as long as CPU, all threads.\n"),
        qPrintable(m_cli.out));
    QCOMPARE(m_cli.run(QStringLiteral("compare fair:gpu fair:cpu-1")), 0);
    QVERIFY2(
        m_cli.out.contains(
            u"No speed-up is stated: CPU, 1 thread used 1 of 16 CPUs of the job, own, AVX-512.\n"),
        qPrintable(m_cli.out));
}

void TestCompare::json()
{
    QCOMPARE(m_cli.run(QStringLiteral("compare nogp --json")), 0);
    QCOMPARE(m_cli.out.count(u'\n'), 1);
    const QJsonObject object = QJsonDocument::fromJson(m_cli.out.toUtf8()).object();
    QCOMPARE(object.value(u"fair").toBool(), true);
    QCOMPARE(object.value(u"ratios").toArray().size(), 2);
    QCOMPARE(object.value(u"absent").toArray().at(0).toObject().value(u"lane").toString(),
        QStringLiteral("gpu"));
}

void TestCompare::markdown()
{
    QCOMPARE(m_cli.run(QStringLiteral("compare fair --markdown")), 0);
    QVERIFY2(
        m_cli.out.startsWith(u"# GPU against CPU, all threads: FP32 matrix product\n\n**GPU is 32 "
                             u"× as fast as CPU, all threads.**"),
        qPrintable(m_cli.out));
    QVERIFY(m_cli.out.contains(u"| 4096 | 4.02 ms, 34.2 TFLOP/s | 129 ms, 1.07 TFLOP/s | 32 × (")
        || m_cli.out.contains(u"| 4096 | 4.00 ms"));
}

void TestCompare::csvAndPlot()
{
    const QString csv = m_cli.path(QStringLiteral("race.csv")),
                  plot = m_cli.path(QStringLiteral("race.svg"));
    QCOMPARE(m_cli.run(QStringLiteral("compare fair --csv %1 --plot %2").arg(csv, plot)), 0);
    QFile numbers(csv), picture(plot);
    QVERIFY(numbers.open(QIODevice::ReadOnly) && picture.open(QIODevice::ReadOnly));
    QCOMPARE(numbers.readAll().count('\n'), 1 + 6 * 7);
    const QByteArray drawn = picture.readAll();
    QVERIFY(drawn.contains("<svg") && drawn.size() > 2000);
    QCOMPARE(m_cli.run(QStringLiteral("compare fair --csv %1").arg(m_cli.path())), 1);
    QVERIFY2(m_cli.err.contains(u"cannot be written"), qPrintable(m_cli.err));
}

/// The runs of this test are runs of the list as well.
void TestCompare::run_isNamedTaggedAndFound()
{
    QCOMPARE(
        m_cli.run(QStringLiteral("label lone --name Baseline --tag paper,old --note ours")), 0);
    QVERIFY2(
        m_cli.out.contains(u"Baseline") && m_cli.out.contains(u"old paper"), qPrintable(m_cli.out));
    QCOMPARE(m_cli.run(QStringLiteral("label lone --untag old")), 0);
    QCOMPARE(m_cli.run(QStringLiteral("runs --search tag:paper")), 0);
    QVERIFY2(m_cli.out.contains(u"Baseline #paper"), qPrintable(m_cli.out));
    QVERIFY2(!m_cli.out.contains(u"fair") && !m_cli.out.contains(u"old"), qPrintable(m_cli.out));
    QCOMPARE(m_cli.run(QStringLiteral("runs --search -is:done")), 0);
    QVERIFY2(m_cli.out.contains(u"None of the 8 runs matches"), qPrintable(m_cli.out));
    QCOMPARE(m_cli.run(QStringLiteral("label lone --tag a|b")), 2);
    QVERIFY2(m_cli.err.contains(u"cannot be a tag"), qPrintable(m_cli.err));
    QCOMPARE(m_cli.run(QStringLiteral("label lone --name= --untag paper --note=")), 0);
    QVERIFY2(
        !m_cli.out.contains(u"Baseline") && !m_cli.out.contains(u"paper"), qPrintable(m_cli.out));
}

void TestCompare::curves_ofTwoTrainings()
{
    const QString csv = m_cli.path(QStringLiteral("curves.csv")),
                  plot = m_cli.path(QStringLiteral("curves.svg"));
    QCOMPARE(m_cli.run(QStringLiteral("compare --curves trn1 trn2 --smooth 0.6 --csv %1 --plot %2")
                           .arg(csv, plot)),
        0);
    const QStringList lines = m_cli.out.split(u'\n');
    QVERIFY2(lines[0].contains(u"Batch") && lines[0].contains(u"train loss, best"),
        qPrintable(m_cli.out));
    QVERIFY2(!lines[0].contains(u"Epochs"), "fields that are equal are left out");
    QVERIFY2(
        lines[1].startsWith(u"trn1") && lines[1].contains(u"0.5 at step 3"), qPrintable(m_cli.out));
    QVERIFY2(lines[2].startsWith(u"trn2") && lines[2].contains(u"0.25 at step 3"),
        qPrintable(m_cli.out));
    QVERIFY2(lines[0].contains(u"Image digest") && lines[1].contains(u"0123456789ab")
            && !lines[1].contains(u"0123456789ab7"),
        qPrintable(m_cli.out));
    QVERIFY2(m_cli.err.contains(u"Other series (--series): valid_loss"), qPrintable(m_cli.err));
    QFile numbers(csv), picture(plot);
    QVERIFY(numbers.open(QIODevice::ReadOnly) && picture.open(QIODevice::ReadOnly));
    const QByteArray points = numbers.readAll(), drawn = picture.readAll();
    QCOMPARE(points.count('\n'), 1 + 2 * 3);
    QVERIFY2(points.contains("train_loss,Batch 32,step,1,1.5"), points.constData());
    QVERIFY(drawn.contains("<svg") && drawn.contains("Batch 64"));

    QCOMPARE(m_cli.run(
                 QStringLiteral("compare --curves trn1 trn2 --series valid_loss --x batch --json")),
        0);
    const QJsonObject first =
        QJsonDocument::fromJson(m_cli.out.section(u'\n', 0, 0).toUtf8()).object();
    QCOMPARE(first.value(u"fields").toObject().value(u"batch").toString(), QStringLiteral("32"));
    QCOMPARE(first.value(u"series").toObject().value(u"valid_loss").toObject().value(u"final"),
        QJsonValue(0.5));
    QCOMPARE(first.value(u"image_digest").toString(), u"sha256:0123456789ab" + QString(52, u'7'));
    QCOMPARE(m_cli.run(QStringLiteral("show trn1")), 0);
    QVERIFY2(m_cli.out.contains(u"\nImage digest sha256:0123456789ab77"), qPrintable(m_cli.out));
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
    QTest::newRow("compare fair --series flops") << 2 << QStringLiteral("--series needs --curves");
    QTest::newRow("compare --curves none") << 2 << QStringLiteral("no numbers to compare");
    QTest::newRow("compare --curves fair:gpu") << 2 << QStringLiteral("takes runs, not lanes");
    QTest::newRow("compare --curves trn1 --x time")
        << 2 << QStringLiteral("cannot be drawn by “time”");
    QTest::newRow("compare --curves trn1 --series lss")
        << 2 << QStringLiteral("Available series: train_loss, valid_loss");
    QTest::newRow("compare --curves trn1 --smooth 2") << 2 << QStringLiteral("from 0 to 0.99");
    QTest::newRow("compare --curves trn1 --sweep") << 2 << QStringLiteral("not part of a sweep");
}

void TestCompare::misuse()
{
    QFETCH(int, code);
    QFETCH(QString, hint);
    QCOMPARE(m_cli.run(QString::fromUtf8(QTest::currentDataTag())), code);
    const QString printed = m_cli.err + m_cli.out; // with --json an error is an object on stdout
    QVERIFY2(printed.contains(hint), qPrintable(printed));
}

SLIPWAY_TEST(TestCompare, cli_compare)
#include "tst_compare.moc"

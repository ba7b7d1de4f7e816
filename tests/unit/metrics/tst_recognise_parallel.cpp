// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "texts.h"

#include <QTest>

using namespace slipway;
using namespace slipway::test;

/// What programs over MPI and NCCL print: the estimate of pi, nccl-tests, TACC's launcher.
class TestRecogniseParallel : public QObject {
    Q_OBJECT

private slots:
    void pi_readsTheTutorial();
    void pi_saysThatMpiIsNotConnected_data();
    void pi_saysThatMpiIsNotConnected();
    void pi_keepsARunOfOneRankApart();
    void pi_readsTheSerialProgram();
    void pi_neverInvents_data();
    void pi_neverInvents();
    void ibrun_reportsTheExitCode();
    void nccl_readsGraceHopper();
    void nccl_readsAnOlderVersion();
    void nccl_decidesByTheHeader_data();
    void nccl_decidesByTheHeader();
    void nccl_takesTagsOutOfTheMiddle();
    void nccl_distinguishesTables();
    void nccl_saysThatMpiIsNotConnected();
    void nccl_reportsWrongValues();
    void nccl_neverInvents_data();
    void nccl_neverInvents();
    void nccl_readsRowsWithoutTheirHeader();
};

namespace {

const QByteArray parameters = "# nThread 1 nGpus 1 minBytes 8 maxBytes 8\n";
const QByteArray ncclHeader =
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong"
    "     time   algbw   busbw  #wrong\n";

} // namespace

void TestRecogniseParallel::pi_readsTheTutorial()
{
    const Reading reading = readWhole(readLog(QStringLiteral("pi-mpi-format-synthetic.txt")));
    QCOMPARE(texts(reading.samples),
        lines({"seconds/ @ ranks=8: 1.034 s", "pi_estimate/ @ ranks=8: 3.1416872",
            "pi_error/ @ ranks=8: 9.45464102069e-05"}));
    QCOMPARE(texts(reading.events),
        lines({"launcher: Starting up job 6000001", "launcher: Starting parallel tasks...",
            "running: ranks = 8", "placement: Ranks: 3, hosts: 1",
            "launcher: Shutdown complete. Exiting."}));
    QCOMPARE(reading.events[2].values.value(QStringLiteral("samples_per_rank")),
        QStringLiteral("1250000"));
    QCOMPARE(reading.events[3].values,
        (QMap<QString, QString>{
            {QStringLiteral("c196-011.frontera.tacc.utexas.edu"), QStringLiteral("0 1 3")}}));
    const Reading spelled = readWhole("Computing 5 samples on each of the 2 ranks\r\n"
                                      "Finished computing 10 samples in 0.5 seconds\r\n");
    QCOMPARE(texts(spelled.samples), lines({"seconds/ @ ranks=2: 0.5 s"}));
}

void TestRecogniseParallel::pi_saysThatMpiIsNotConnected_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<int>("events");
    const QByteArray alone = "Computing 10 samples on each of the 1 ranks\n";
    const QByteArray four = "Computing 10 samples on each of the 4 ranks\n";
    QTest::newRow("sample") << readLog(QStringLiteral("pi-mpi-not-connected-synthetic.txt")) << 1;
    QTest::newRow("labelled") << "0: " + alone + "1: " + alone + "2: " + alone << 1;
    QTest::newRow("one rank") << alone << 0;
    QTest::newRow("one, then four") << alone + four << 0;
    QTest::newRow("four, then one twice") << four + alone + alone << 0;
    QTest::newRow("cut") << alone + "Computing 10 samples on each of the 1" << 0;
}

void TestRecogniseParallel::pi_saysThatMpiIsNotConnected()
{
    QFETCH(QByteArray, log);
    const Reading reading = readWhole(log);
    int told = 0;
    for (const MetricEvent& event : reading.events)
        told += event.event == QLatin1String("mpi-not-connected");
    QTEST(told, "events");
}

void TestRecogniseParallel::pi_keepsARunOfOneRankApart()
{
    const Reading reading =
        readWhole(readLog(QStringLiteral("pi-mpi-not-connected-synthetic.txt")));
    QCOMPARE(texts(reading.samples, QStringLiteral("seconds")),
        lines({"seconds/ @ ranks=1: 0.812 s", "seconds/ @ ranks=1: 0.815 s"}));
    const Reading labelled = readWhole("0: Computing 5 samples on each of the 1 ranks\n"
                                       "3: Computing 5 samples on each of the 1 ranks\n"
                                       "3: Finished computing 5 samples in 2 secnods\n"
                                       "0: Finished computing 5 samples in 1 secnods\n");
    QCOMPARE(texts(labelled.samples),
        lines({"seconds/rank 3 @ ranks=1: 2 s", "seconds/ @ ranks=1: 1 s"}));
}

void TestRecogniseParallel::pi_readsTheSerialProgram()
{
    QCOMPARE(texts(readWhole("Final pi estimate from 1000000 attempts = 3.141032\n").samples),
        lines({"pi_estimate/ @ samples=1000000: 3.141032"}));
    QCOMPARE(texts(readWhole("Finished computing 100 samples in 2 seconds\n").samples),
        lines({"seconds/ @ samples=100: 2 s"}));
}

void TestRecogniseParallel::pi_neverInvents_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char* line :
        {"Finished computing 10000000 samples in 1.034 sec",
            "Finished computing 10000000 samples in nan seconds",
            "Finished computing 1e7 samples in 1 seconds",
            "Finished computing samples in 1 seconds",
            "Finished computing 99999999999999999999 samples in 1 seconds",
            "Finished computing 10 samples in 1.0\xe2\x80 seconds", "Final Estimate: 3.14",
            "Final Estimate: 3.14   Error: 0.0.1", "Final Estimate: nan   Error: nan",
            "Final pi estimate from x attempts = 3", "Final pi estimate from 10 attempts = 3 or so",
            "[host-03] Local Estimate: 3.14   Error: 0.1"})
        QTest::newRow(line) << QByteArray(line);
}

void TestRecogniseParallel::pi_neverInvents()
{
    QFETCH(QByteArray, line);
    const QByteArray start = "Computing 10 samples on each of the 2 ranks\n";
    QCOMPARE(texts(readWhole(start + line + '\n').samples), QStringList());
}

void TestRecogniseParallel::ibrun_reportsTheExitCode()
{
    const Reading reading = readWhole("TACC:  MPI job exited with code: 17\n"
                                      "TACC:  MPI job exited with code: 0\nTACC:  x\nTACC\n");
    QCOMPARE(texts(reading.events),
        lines({"failed: MPI job exited with code: 17", "launcher: MPI job exited with code: 0",
            "launcher: x"}));
    QCOMPARE(reading.events[0].values.value(QStringLiteral("code")), QStringLiteral("17"));
}

void TestRecogniseParallel::nccl_readsGraceHopper()
{
    const Reading reading =
        readWhole(readLog(QStringLiteral("nccl-all_reduce-gh200-2node-2.18.txt")));
    QCOMPARE(reading.samples.size(), size_t(8 * 6 + 1));
    QStringList seconds, algbw, inPlace;
    for (const QString& t : texts(reading.samples, QStringLiteral("seconds"))) {
        if (t.contains(QLatin1String("out-of")))
            seconds.append(t.mid(t.indexOf(u'=') + 1));
    }
    for (const QString& t : texts(reading.samples, QStringLiteral("busbw")))
        (t.contains(QLatin1String("out-of")) ? algbw : inPlace).append(t.mid(t.indexOf(u'=') + 1));
    QCOMPARE(seconds,
        lines({"1048576: 0.00033961 s", "2097152: 0.00035553 s", "4194304: 0.00047628 s",
            "8388608: 0.00055683 s", "16777216: 0.00084036 s", "33554432: 0.00153762 s",
            "67108864: 0.00298238 s", "134217728: 0.00587107 s"}));
    QCOMPARE(algbw,
        lines({"1048576: 3090000000 B/s", "2097152: 5900000000 B/s", "4194304: 8810000000 B/s",
            "8388608: 15060000000 B/s", "16777216: 19960000000 B/s", "33554432: 21820000000 B/s",
            "67108864: 22500000000 B/s", "134217728: 22860000000 B/s"}));
    QCOMPARE(inPlace,
        lines({"1048576: 3120000000 B/s", "2097152: 5800000000 B/s", "4194304: 8900000000 B/s",
            "8388608: 15000000000 B/s", "16777216: 19940000000 B/s", "33554432: 21810000000 B/s",
            "67108864: 22500000000 B/s", "134217728: 22880000000 B/s"}));
    QCOMPARE(text(reading.samples.front()),
        QStringLiteral("seconds/out-of-place @ size=1048576: 0.00033961 s"));
    QCOMPARE(
        text(reading.samples.back()), QStringLiteral("average_busbw/ @ ranks=2: 14996600000 B/s"));
    QCOMPARE(texts(reading.events),
        lines({"library: nccl-tests 2.18.2", "device: NVIDIA GH200 120GB",
            "device: NVIDIA GH200 120GB", "check: Out of bounds values : 0 OK"}));
    QCOMPARE(reading.events[2].values.value(QStringLiteral("host")), QStringLiteral("nid007109"));
    QCOMPARE(reading.events[2].values.value(QStringLiteral("rank")), QStringLiteral("1"));
}

void TestRecogniseParallel::nccl_readsAnOlderVersion()
{
    const Reading reading =
        readWhole(readLog(QStringLiteral("nccl-all_reduce-16xa100-2node-2.13.txt")));
    QCOMPARE(texts(reading.samples),
        lines({"seconds/out-of-place @ size=10737418240: 0.09033 s",
            "algbw/out-of-place @ size=10737418240: 118870000000 B/s",
            "busbw/out-of-place @ size=10737418240: 222880000000 B/s",
            "seconds/in-place @ size=10737418240: 0.091945 s",
            "algbw/in-place @ size=10737418240: 116780000000 B/s",
            "busbw/in-place @ size=10737418240: 218960000000 B/s",
            "average_busbw/ @ ranks=16: 220921000000 B/s"}));
    QVERIFY(readWhole(readLog(QStringLiteral("nccl-old-2.0-header.txt"))).samples.empty());
    const Reading oldest = readWhole(readLog(QStringLiteral("nccl-old-2.0-header.txt"))
        + "  1310720000     327680000     float     sum   1234.5  106.17  199.07  1e-06"
          "   1e+06  106.00  198.75    N/A\n");
    QCOMPARE(texts(oldest.samples),
        lines({"seconds/out-of-place @ size=1310720000: 0.0012345 s",
            "algbw/out-of-place @ size=1310720000: 106170000000 B/s",
            "busbw/out-of-place @ size=1310720000: 199070000000 B/s",
            "seconds/in-place @ size=1310720000: 1 s",
            "algbw/in-place @ size=1310720000: 106000000000 B/s",
            "busbw/in-place @ size=1310720000: 198750000000 B/s"}));
}

void TestRecogniseParallel::nccl_decidesByTheHeader_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArray>("row");
    QTest::addColumn<QStringList>("seconds");
    const QStringList both =
        lines({"seconds/out-of-place @ size=8: 5e-06 s", "seconds/in-place @ size=8: 6e-06 s"});
    QTest::newRow("time stamp at the end")
        << QByteArray("# size count type redop root time algbw busbw #wrong time algbw busbw "
                      "#wrong timestamp\n")
        << QByteArray("8 2 float sum -1 5.0 1 2 0 6.0 1 2 0 2026-11-21 10:02:11\n") << both;
    QTest::newRow("time stamp in front")
        << QByteArray("# size count type redop root timestamp time algbw busbw #wrong time algbw "
                      "busbw #wrong\n")
        << QByteArray("8 2 float sum -1 2026-11-21 10:02:11 5.0 1 2 N/A 6.0 1 2 N/A\n") << both;
    QTest::newRow("iterations") << QByteArray(
        "# size count type redop root time algbw busbw #wrong i_min i_max i_p99 i_cv% "
        "time algbw busbw #wrong i_min i_max i_p99 i_cv%\n")
                                << QByteArray(
                                       "8 2 float sum -1 5.0 1 2 0 4 7 6 1.5 6.0 1 2 0 5 8 7 1.5\n")
                                << both;
    QTest::newRow("a row with one column less")
        << QByteArray(
               "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n")
        << QByteArray("8 2 float sum 5.0 1 2 0 6.0 1 2 0\n") << QStringList();
    QTest::newRow("log of NCCL between")
        << QByteArray(
               "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n")
        << QByteArray("node01:417:430 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] step 3 loss 4\n"
                      "8 2 float sum -1 5.0 1 2 0 6.0 1 2 0\n")
        << both;
}

void TestRecogniseParallel::nccl_decidesByTheHeader()
{
    QFETCH(QByteArray, header);
    QFETCH(QByteArray, row);
    const Reading reading = readWhole(parameters + header + row);
    QTEST(texts(reading.samples, QStringLiteral("seconds")), "seconds");
    if (header.contains("i_min")) {
        QCOMPARE(reading.samples[0].low.value_or(0), 4e-6);
        QCOMPARE(reading.samples[0].high.value_or(0), 7e-6);
        QVERIFY(!reading.samples[1].low);
    }
    QByteArray host = header;
    host.replace(" time ", " cputime ");
    QCOMPARE(
        texts(readWhole(parameters + host + row).samples, QStringLiteral("cpu_seconds")).size(),
        texts(reading.samples, QStringLiteral("seconds")).size());
}

void TestRecogniseParallel::nccl_takesTagsOutOfTheMiddle()
{
    const QByteArray row =
        "     1048576        262144     float     sum      -1[0]    1626.5    0.64"
        "    0.64       0[1,0]<stdout>:   1e+06    0.65    0.65     N/A\n";
    QCOMPARE(texts(readWhole("[1,0]<stdout>:" + parameters + "[1,0]<stdout>:" + ncclHeader
                       + "[1,0]<stdout>:" + row)
                       .samples,
                 QStringLiteral("seconds")),
        lines({"seconds/out-of-place @ size=1048576: 0.0016265 s",
            "seconds/in-place @ size=1048576: 1 s"}));
}

void TestRecogniseParallel::nccl_distinguishesTables()
{
    const QByteArray row = "8 2 float sum -1 5.0 1 2 0 6.0 1 2 0\n";
    const auto devices = [](int ranks) {
        QByteArray text;
        for (int i = 0; i < ranks; ++i)
            text += "#  Rank  " + QByteArray::number(i)
                + " Group  0 Pid  1 on  node01 device  0 [0x17] NVIDIA A100\n";
        return text;
    };
    const auto test = [&](const char* name, int ranks) -> QByteArray {
        return QByteArray("# Collective test starting: ") + name + '\n' + parameters
            + devices(ranks) + ncclHeader + row;
    };
    const Reading reading = readWhole(test("all_reduce_perf", 2) + test("all_gather_perf", 2)
        + test("all_gather_perf_mpi", 4) + test("all_reduce_perf", 2));
    QStringList lanes;
    for (const Sample& sample : reading.samples) {
        if (sample.series == QLatin1String("busbw") && !sample.lane.contains(QLatin1String("out")))
            lanes.append(sample.lane);
    }
    QCOMPARE(lanes,
        lines({"in-place", "all_gather, in-place", "all_gather, 4 ranks, in-place",
            "table 4, in-place"}));
}

void TestRecogniseParallel::nccl_saysThatMpiIsNotConnected()
{
    const Reading reading = readWhole(readLog(QStringLiteral("nccl-not-connected-synthetic.txt")));
    QStringList told;
    for (const MetricEvent& event : reading.events) {
        if (event.event == QLatin1String("mpi-not-connected"))
            told.append(QString::number(event.line));
    }
    QCOMPARE(told, lines({"15"}));
    QCOMPARE(texts(reading.samples, QStringLiteral("average_busbw")),
        lines({"average_busbw/ @ ranks=1: 0 B/s", "average_busbw/table 2 @ ranks=1: 0 B/s"}));
    const QByteArray whole = readLog(QStringLiteral("nccl-all_reduce-gh200-2node-2.18.txt"));
    for (const MetricEvent& event : readWhole(whole + whole).events)
        QVERIFY(event.event != QLatin1String("mpi-not-connected"));
}

void TestRecogniseParallel::nccl_reportsWrongValues()
{
    const Reading reading = readWhole(parameters + ncclHeader
        + "8 2 float sum -1 5.0 1 2 0 6.0 1 2 3\n" + "# Out of bounds values : 3 FAILED\n"
        + "node01:417:430 [0] misc.cc:36 NCCL WARN Cuda failure\n");
    QCOMPARE(texts(reading.events),
        lines({"failed: Wrong values at 8 bytes, in-place: 3",
            "failed: Out of bounds values : 3 FAILED",
            "warning: node01:417:430 [0] misc.cc:36 NCCL WARN Cuda failure"}));
}

void TestRecogniseParallel::nccl_neverInvents_data()
{
    QTest::addColumn<QByteArray>("log");
    const QByteArray row = "8 2 float sum -1 5.0 1 2 0 6.0 1 2 0\n";
    QTest::newRow("no header") << parameters + row;
    QTest::newRow("header cut") << parameters + ncclHeader.left(100) + '\n' + row;
    QTest::newRow("row cut") << parameters + ncclHeader + row.left(30) + '\n';
    QTest::newRow("two rows in one") << parameters + ncclHeader + row.trimmed() + ' ' + row;
    QTest::newRow("nan") << parameters + ncclHeader + QByteArray(row).replace("5.0", "nan");
    QTest::newRow("inf") << parameters + ncclHeader + QByteArray(row).replace("5.0", "inf");
    QTest::newRow("negative") << parameters + ncclHeader + QByteArray(row).replace("5.0", "-5.0");
    QTest::newRow("huge size") << parameters + ncclHeader
            + QByteArray(row).replace("8 2", "99999999999999999999 2");
    QTest::newRow("of another rank") << parameters + ncclHeader + "1: " + row;
    QTest::newRow("half a character")
        << parameters + ncclHeader + QByteArray(row).replace("5.0", "5.\xe2\x94");
}

void TestRecogniseParallel::nccl_readsRowsWithoutTheirHeader()
{
    const QByteArray row = "8 2 float sum -1 5.0 1 2 0 6.0 1 2 0\n";
    const QStringList read = lines(
        {"seconds/out-of-place @ size=8: 5e-06 s", "algbw/out-of-place @ size=8: 1000000000 B/s",
            "busbw/out-of-place @ size=8: 2000000000 B/s", "seconds/in-place @ size=8: 6e-06 s",
            "algbw/in-place @ size=8: 1000000000 B/s", "busbw/in-place @ size=8: 2000000000 B/s"});
    QCOMPARE(texts(readWhole(row).samples), read);
    QCOMPARE(texts(readWhole(ncclHeader + row).samples), read);
    QCOMPARE(texts(readWhole(QByteArray(row).replace("sum", "sun")).samples), QStringList());
}

void TestRecogniseParallel::nccl_neverInvents()
{
    QFETCH(QByteArray, log);
    QCOMPARE(texts(readWhole(log).samples), QStringList());
}

SLIPWAY_TEST(TestRecogniseParallel, metrics_recognise_parallel)
#include "tst_recognise_parallel.moc"

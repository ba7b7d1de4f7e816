// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "texts.h"

#include <QTest>

using namespace slipway;
using namespace slipway::test;

using Values = QMap<QString, QString>;

/// What benchmarks of GPUs print: n-body, pt_bench, Caffe's device query; and that each recogniser
/// of a program keeps to its own.
class TestRecogniseDevices : public QObject {
    Q_OBJECT

private slots:
    void nbody_readsTheTutorial();
    void nbody_namesItsLanes();
    void nbody_saysThatThereIsNoGpu();
    void nbody_keepsRanksApart();
    void nbody_neverInvents_data();
    void nbody_neverInvents();
    void ptBench_readsTheTutorial();
    void ptBench_neverInvents_data();
    void ptBench_neverInvents();
    void deviceQuery_readsCaffe();
    void monitors_neverInvent_data();
    void monitors_neverInvent();
    void monitor_isNoPlaceOfTheTraining();
    void otherLogs_giveNothing_data();
    void otherLogs_giveNothing();
};

namespace {

QByteArray nbody(const QByteArray& header, const QByteArray& precision = "single")
{
    return header
        + "256000 bodies, total time for 10 iterations: 2000.000 ms\n"
          "= 327.680 billion interactions per second\n= 6553.600 "
        + precision + "-precision GFLOP/s at 20 flops per interaction\n";
}

} // namespace

void TestRecogniseDevices::nbody_readsTheTutorial()
{
    const Reading reading = readWhole(readLog(QStringLiteral("nbody-l40s.txt")));
    QCOMPARE(texts(reading.samples),
        lines({"seconds/ @ bodies=2000128: 21.772984 s",
            "interactions_per_second/ @ bodies=2000128: 1.837374e+12 interactions/s",
            "flops/ @ bodies=2000128: 3.6747484e+13 FLOP/s",
            "flops_by_gpus/2000128 bodies @ GPUs=1: 3.6747484e+13 FLOP/s"}));
    QCOMPARE(reading.samples[0].line, 10);
    QCOMPARE(reading.samples[1].line, 11);
    QCOMPARE(reading.samples[2].line, 12);
    QCOMPARE(texts(reading.events), lines({"device: NVIDIA L40S"}));
    QCOMPARE(reading.events[0].values.value(QStringLiteral("compute_capability")),
        QStringLiteral("8.9"));
}

void TestRecogniseDevices::nbody_namesItsLanes()
{
    const auto lanes = [](const QByteArray& log) {
        QStringList list;
        for (const Sample& sample : readWhole(log).samples) {
            if (sample.series.startsWith(QLatin1String("flops")))
                list.append(sample.lane);
        }
        return list;
    };
    QCOMPARE(lanes(nbody("> 4 Devices used for simulation\n")), lines({"4 GPUs", "256000 bodies"}));
    QCOMPARE(lanes(nbody("> 1 Devices used for simulation\n", "double")),
        lines({"double precision", "double precision, 256000 bodies"}));
    QCOMPARE(lanes(nbody("> Simulation with CPU\n")), lines({"cpu"}));
    QCOMPARE(lanes(nbody("")), lines({""}));
    // The next program in the same log starts from scratch.
    QCOMPARE(lanes(nbody("> Simulation with CPU\n")
                 + nbody("> Windowed mode\n> 2 Devices used for simulation\n")),
        lines({"cpu", "2 GPUs", "256000 bodies"}));
}

void TestRecogniseDevices::nbody_saysThatThereIsNoGpu()
{
    const Reading reading = readWhole(readLog(QStringLiteral("nbody-help-and-no-gpu.txt")));
    QVERIFY(reading.samples.empty());
    QCOMPARE(texts(reading.events),
        lines({"no_device: Error: only 0 Devices available, 1 requested.  Exiting."}));
    QCOMPARE(reading.events[0].values,
        (Values{{QStringLiteral("available"), QStringLiteral("0")},
            {QStringLiteral("requested"), QStringLiteral("1")}}));
    QCOMPARE(readWhole("Error: only 1 Devices available, 2 requested.  Exiting.\n").events[0].event,
        QStringLiteral("failed"));
    QVERIFY(readWhole("Error: only nan Devices available, 2 requested.\n").events.empty());
}

void TestRecogniseDevices::nbody_keepsRanksApart()
{
    const Reading reading =
        readWhole("0: 256 bodies, total time for 10 iterations: 1 ms\n"
                  "1: 512 bodies, total time for 10 iterations: 2 ms\n"
                  "0: = 3 single-precision GFLOP/s at 20 flops per interaction\r\n"
                  "1: \x1b[1m= 4 single-precision GFLOP/s at 20 flops per interaction\x1b[0m\n");
    QCOMPARE(texts(reading.samples),
        lines({"seconds/ @ bodies=256: 0.001 s", "flops/ @ bodies=256: 3000000000 FLOP/s",
            "seconds/rank 1 @ bodies=512: 0.002 s",
            "flops/rank 1 @ bodies=512: 4000000000 FLOP/s"}));
}

void TestRecogniseDevices::nbody_neverInvents_data()
{
    QTest::addColumn<QByteArray>("log");
    const QByteArray time = "256 bodies, total time for 10 iterations: 1 ms\n";
    const QByteArray speed = "= 3 single-precision GFLOP/s at 20 flops per interaction\n";
    QTest::newRow("no time") << speed;
    QTest::newRow("no speed") << time;
    QTest::newRow("time cut") << QByteArray(
        "256 bodies, total time for 10 iterations: 1\n" + speed);
    QTest::newRow("speed cut") << time + speed.left(40) + '\n';
    QTest::newRow("nan") << QByteArray(time).replace("1 ms", "nan ms") + speed;
    QTest::newRow("infinite") << time + QByteArray(speed).replace("= 3", "= inf");
    QTest::newRow("huge") << QByteArray(time).replace("256", "99999999999999999999") + speed;
    QTest::newRow("ranks mixed") << "0: " + time + "1: " + speed;
    QTest::newRow("half a character") << QByteArray(time).replace("1 ms", "1\xe2\x94 ms") + speed;
}

void TestRecogniseDevices::nbody_neverInvents()
{
    QFETCH(QByteArray, log);
    QCOMPARE(texts(readWhole(log).samples), QStringList());
}

void TestRecogniseDevices::ptBench_readsTheTutorial()
{
    const QByteArray log = readLog(QStringLiteral("pt_bench-format-synthetic.txt"));
    const Reading reading = readWhole(log);
    QCOMPARE(texts(reading.samples),
        lines({"seconds/mul_sum, warm-up @ call=1: 0.0096314 s",
            "seconds/mul_sum @ call=1: 0.009412 s", "seconds/bmm, warm-up @ call=1: 0.0051207 s",
            "seconds/bmm @ call=1: 0.0049803 s"}));
    QCOMPARE(reading.events.size(), size_t(1));
    QCOMPARE(reading.events[0].values.value(QStringLiteral("path")),
        QStringLiteral("/home/user/containers/python_dev/pt_bench/__init__.py"));
    QCOMPARE(texts(readWhole(log + log).samples).last(),
        QStringLiteral("seconds/bmm @ call=2: 0.0049803 s"));
}

void TestRecogniseDevices::ptBench_neverInvents_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char* line :
        {"bmm(x, x):      5120.7", "bmm(x, x):      5120.7 u", "bmm(x, x):      5120.7 us (warm",
            "bmm(x, x): nan us", "bmm(x, x): -1 us", "bmm(x, x: 5 us", "bmm: 5 us",
            "call f(x): 5 us", "bmm(x): 5 us and more", "bmm(x): 1e999 us", "bmm(x): 5\xe2\x94 us"})
        QTest::newRow(line) << QByteArray(line);
}

void TestRecogniseDevices::ptBench_neverInvents()
{
    QFETCH(QByteArray, line);
    QCOMPARE(texts(readWhole(line + '\n').samples), QStringList());
}

void TestRecogniseDevices::deviceQuery_readsCaffe()
{
    const QByteArray log = readLog(QStringLiteral("caffe-device-query-format-synthetic.txt"));
    const Reading reading = readWhole(log);
    QVERIFY(reading.samples.empty());
    QCOMPARE(texts(reading.events), lines({"device: Quadro RTX 5000"}));
    const Values& values = reading.events[0].values;
    QCOMPARE(values.value(QStringLiteral("compute_capability")), QStringLiteral("7.5"));
    QCOMPARE(values.value(QStringLiteral("memory_total_bytes")), QStringLiteral("16908615680"));
    QCOMPARE(values.value(QStringLiteral("multiprocessors")), QStringLiteral("48"));
    QCOMPARE(values.value(QStringLiteral("clock_khz")), QStringLiteral("1815000"));
    QCOMPARE(reading.events[0].line, 2);
    QCOMPARE(texts(readWhole(log + log).events).size(), 2);
    // Cut off before the last key, it is reported when the text ends; before the name, not at all.
    QCOMPARE(texts(readWhole(log.left(900)).events), lines({"device: Quadro RTX 5000"}));
    QVERIFY(readWhole(log.left(300)).events.empty());
}

void TestRecogniseDevices::monitors_neverInvent_data()
{
    QTest::addColumn<QByteArray>("log");
    const QByteArray heading = "12:00:00 AM     CPU      %usr      %sys     %idle\n";
    QTest::newRow("a heading alone") << heading + "Linux 6.1 (node01)\n";
    QTest::newRow("what never varies") << heading
            + "12:00:01 AM     all      5.00      1.00     94.00\n"
              "12:00:02 AM     all      5.00      1.00     94.00\n";
    QTest::newRow("the mean of all") << heading
            + "12:00:01 AM     all      5.00      1.00     94.00\n"
              "12:00:02 AM     all      5.00      1.00     94.00\n"
              "Average:        all      6.00      1.50     92.50\n";
    QTest::newRow("rows of something else")
        << heading + "1.5  2.5\nall of them  1.5  2.5\n1  1.5  2.5\n2  1.75  2.75\n";
    QTest::newRow("gpu-burn, cut") << QByteArray(
        "50.0%  proc'd: 636 (2085 Gflop/s) - 612 (20\n50.0%  proc'd: 636 (2085 Gflop/s)\n");
    QTest::newRow("iperf, the whole time") << QByteArray(
        "[ ID] Interval           Transfer     Bitrate         Retr\n"
        "[  5]   0.00-3.00   sec  46.2 MBytes   129 Mbits/sec   31             sender\n"
        "[  5]   0.00-3.02   sec  45.0 MBytes   125 Mbits/sec                  receiver\n");
    QTest::newRow("iperf, a device") << QByteArray(
        "[ ID] Interval           Transfer     Bitrate\n"
        "[ 12.5] sda: 1.5 MBytes\n[eth0] 0.00-1.00 sec  20.0 MBytes   168 Mbits/sec\n");
}

void TestRecogniseDevices::monitors_neverInvent()
{
    QFETCH(QByteArray, log);
    QCOMPARE(texts(readWhole(log).samples), QStringList());
}

/// A monitor that runs in the background of a training prints among its lines.
void TestRecogniseDevices::monitor_isNoPlaceOfTheTraining()
{
    const Reading reading = readWhole("12:00:00 AM     CPU      %usr      %sys     %idle\n"
                                      "epoch 1 loss 2.5\n"
                                      "12:00:10 AM     all      5.00      1.00     94.00\n"
                                      "valid loss: 2.75\n"
                                      "epoch 2 loss 1.5\n"
                                      "12:00:20 AM     all      7.00      1.00     92.00\n"
                                      "valid loss: 1.75\n");
    QCOMPARE(texts(reading.samples, QStringLiteral("valid_loss")),
        lines({"valid_loss/ @ epoch=1: 2.75", "valid_loss/ @ epoch=2: 1.75"}));
    QCOMPARE(texts(reading.samples, QStringLiteral("usr")),
        lines({"usr/ @ seconds=0: 5 %", "usr/ @ seconds=10: 7 %"}));
}

void TestRecogniseDevices::otherLogs_giveNothing_data()
{
    QTest::addColumn<QString>("recogniser");
    QTest::addColumn<QString>("own"); // what its own logs begin with
    const auto row = [](const char* recogniser, const char* own) {
        QTest::newRow(recogniser) << QString::fromLatin1(recogniser) << QString::fromLatin1(own);
    };
    row("torch-ddp", "pt_ddp|torchrun");
    row("classification-report", "bert");
    row("nccl-tests", "nccl");
    row("nbody", "nbody");
    row("pi", "pi-mpi");
    row("ibrun", "pi-mpi");
    row("pt-bench", "pt_bench");
    row("nvidia-smi", "nvidia-smi-l40s|nvidia-smi-v100");
    row("nvidia-csv", "nvidia-smi-query");
    row("device-query", "caffe-device");
    row("tensorflow", "tf|bert");
    row("timing", "family-wrf");
    row("value-table", "family-stable-baselines3|family-lightning-results");
}

/// Each recogniser is silent on the logs of all other families.
void TestRecogniseDevices::otherLogs_giveNothing()
{
    QFETCH(QString, recogniser);
    QFETCH(QString, own);
    int read = 0;
    for (const QString& name : logNames()) {
        bool isOwn = false;
        for (const QString& start : own.split(u'|'))
            isOwn = isOwn || name.startsWith(start);
        const Reading reading = readWhole(readLog(name), {recogniser});
        if (isOwn) {
            read += int(reading.samples.size() + reading.events.size());
            continue;
        }
        QVERIFY2(reading.samples.empty() && reading.events.empty(), qPrintable(name));
    }
    QVERIFY(read > 0);
}

SLIPWAY_TEST(TestRecogniseDevices, metrics_recognise_devices)
#include "tst_recognise_devices.moc"

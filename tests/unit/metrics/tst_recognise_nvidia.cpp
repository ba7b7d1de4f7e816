// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "texts.h"

#include <QTest>

using namespace slipway;
using namespace slipway::test;

using Values = QMap<QString, QString>;

/// What nvidia-smi prints: the table, its failures, and the CSV that becomes curves.
class TestRecogniseNvidia : public QObject {
    Q_OBJECT

private slots:
    void smi_readsTheTableOfADriver565();
    void smi_readsTheTableOfADriver418();
    void smi_leavesOutWhatIsNotMeasured();
    void smi_reportsFailures_data();
    void smi_reportsFailures();
    void csv_readsTheSample();
    void csv_readsUnitsWhereverTheyStand_data();
    void csv_readsUnitsWhereverTheyStand();
    void csv_keepsGpusAndRanksApart();
    void csv_neverInvents_data();
    void csv_neverInvents();
};

void TestRecogniseNvidia::smi_readsTheTableOfADriver565()
{
    const Reading reading = readWhole(readLog(QStringLiteral("nvidia-smi-l40s-565.txt")));
    QVERIFY(reading.samples.empty());
    QCOMPARE(texts(reading.events),
        lines({"driver: NVIDIA driver 565.57.01, CUDA up to 12.7", "device: NVIDIA L40S"}));
    QCOMPARE(reading.events[0].values,
        (Values{{QStringLiteral("driver"), QStringLiteral("565.57.01")},
            {QStringLiteral("cuda"), QStringLiteral("12.7")}}));
    QCOMPARE(reading.events[1].values,
        (Values{{QStringLiteral("name"), QStringLiteral("NVIDIA L40S")},
            {QStringLiteral("index"), QStringLiteral("0")},
            {QStringLiteral("bus_id"), QStringLiteral("00000000:41:00.0")},
            {QStringLiteral("temperature_celsius"), QStringLiteral("36")},
            {QStringLiteral("performance_state"), QStringLiteral("P8")},
            {QStringLiteral("power_watts"), QStringLiteral("35")},
            {QStringLiteral("power_limit_watts"), QStringLiteral("350")},
            {QStringLiteral("memory_used_bytes"), QStringLiteral("1048576")},
            {QStringLiteral("memory_total_bytes"), QStringLiteral("48305799168")},
            {QStringLiteral("utilization_percent"), QStringLiteral("0")}}));
    QCOMPARE(reading.events[1].line, 9);
}

void TestRecogniseNvidia::smi_readsTheTableOfADriver418()
{
    const Reading reading =
        readWhole(readLog(QStringLiteral("nvidia-smi-v100-418-via-singularity.txt")),
            {QStringLiteral("nvidia-smi")});
    QCOMPARE(texts(reading.events),
        lines({"driver: NVIDIA driver 418.116.00, CUDA up to 10.1", "device: Tesla V100-PCIE"}));
    const Values& values = reading.events[1].values;
    QCOMPARE(values.value(QStringLiteral("cut")), QStringLiteral("true"));
    QCOMPARE(values.value(QStringLiteral("power_watts")), QStringLiteral("41"));
    QCOMPARE(values.value(QStringLiteral("power_limit_watts")), QStringLiteral("250"));
    QCOMPARE(values.value(QStringLiteral("memory_used_bytes")), QStringLiteral("0"));
    QCOMPARE(values.value(QStringLiteral("memory_total_bytes")), QStringLiteral("34057748480"));
    QCOMPARE(values.value(QStringLiteral("temperature_celsius")), QStringLiteral("31"));
}

void TestRecogniseNvidia::smi_leavesOutWhatIsNotMeasured()
{
    const Reading reading = readWhole(
        "1: | NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: N/A |\n"
        "|   9  NVIDIA of another rank    Off | 00000000:41:00.0 Off |                    0 |\n"
        "1: |   3  NVIDIA A100-SXM4-80GB     On  | 00000000:41:00.0 Off |                    0 |\n"
        "1: | N/A   ERR!   P0    N/A /  N/A |   Not Supported |     N/A      Default |\n"
        "1: |   4  NVIDIA A100 cut in the mi\n"
        "1: | Processes: |\n"
        "1: |   5  NVIDIA after the table     On  | 00000000:41:00.0 Off |                    0 "
        "|\n");
    QCOMPARE(texts(reading.events),
        lines({"driver: NVIDIA driver 535.104.05", "device: NVIDIA A100-SXM4-80GB"}));
    QCOMPARE(reading.events[1].values,
        (Values{{QStringLiteral("name"), QStringLiteral("NVIDIA A100-SXM4-80GB")},
            {QStringLiteral("index"), QStringLiteral("3")},
            {QStringLiteral("bus_id"), QStringLiteral("00000000:41:00.0")},
            {QStringLiteral("performance_state"), QStringLiteral("P0")}}));
}

void TestRecogniseNvidia::smi_reportsFailures_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("event");
    QTest::newRow("not there") << QByteArray("bash: line 4: nvidia-smi: command not found")
                               << QStringLiteral("failed");
    QTest::newRow("not there, sh")
        << QByteArray("sh: 1: nvidia-smi: not found") << QStringLiteral("failed");
    QTest::newRow("no driver") << QByteArray(
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.")
                               << QStringLiteral("failed");
    QTest::newRow("none") << QByteArray("No devices were found") << QStringLiteral("no_device");
    QTest::newRow("versions") << QByteArray(
        "Failed to initialize NVML: Driver/library version mismatch")
                              << QStringLiteral("failed");
    QTest::newRow("of something else") << QByteArray("No devices were found by me") << QString();
}

void TestRecogniseNvidia::smi_reportsFailures()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, event);
    const Reading reading = readWhole(line + '\n');
    QCOMPARE(reading.events.size(), size_t(event.isEmpty() ? 0 : 1));
    if (!event.isEmpty()) {
        QCOMPARE(reading.events[0].event, event);
        QCOMPARE(reading.events[0].text, QString::fromUtf8(line));
    }
}

void TestRecogniseNvidia::csv_readsTheSample()
{
    const Reading reading = readWhole(readLog(QStringLiteral("nvidia-smi-query-csv.txt")));
    QCOMPARE(reading.samples.size(), size_t(8 * 5));
    QCOMPARE(texts(reading.samples, QStringLiteral("utilization_gpu")),
        lines({"utilization_gpu/GPU 0 @ seconds=0: 99 %",
            "utilization_gpu/GPU 0 @ seconds=5.003: 99 %",
            "utilization_gpu/GPU 0 @ seconds=10.005: 99 %",
            "utilization_gpu/GPU 0 @ seconds=15.007: 98 %",
            "utilization_gpu/GPU 0 @ seconds=20.012: 100 %",
            "utilization_gpu/GPU 0 @ seconds=25.015: 32 %",
            "utilization_gpu/GPU 0 @ seconds=30.016: 98 %",
            "utilization_gpu/GPU 0 @ seconds=35.023: 100 %"}));
    QCOMPARE(texts(reading.samples).mid(1, 4),
        lines({"utilization_memory/GPU 0 @ seconds=0: 52 %",
            "memory_total/GPU 0 @ seconds=0: 34057748480 B",
            "memory_used/GPU 0 @ seconds=0: 32499564544 B",
            "memory_free/GPU 0 @ seconds=0: 1558183936 B"}));
    QVERIFY(reading.events.empty());
}

void TestRecogniseNvidia::csv_readsUnitsWhereverTheyStand_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QStringList>("samples");
    QTest::newRow("nounits") << QByteArray("index, memory.used [MiB], power.draw [W]\n1, 2, 41.5\n")
                             << lines({"memory_used/GPU 1 @ row=1: 2097152 B",
                                    "power_draw/GPU 1 @ row=1: 41.5 W"});
    QTest::newRow("in the cells")
        << QByteArray("index, memory.used, clocks.sm\n0, 2 MiB, 1410 MHz\n0, 3 MiB, 1410 MHz\n")
        << lines({"memory_used/GPU 0 @ row=1: 2097152 B", "clocks_sm/GPU 0 @ row=1: 1410000000 Hz",
               "memory_used/GPU 0 @ row=2: 3145728 B", "clocks_sm/GPU 0 @ row=2: 1410000000 Hz"});
    QTest::newRow("temperature, text, missing") << QByteArray(
        "name, temperature.gpu, fan.speed [%], pstate, clocks_throttle_reasons.active\n"
        "NVIDIA L40S, 36, [N/A], P8, 0x0000000000000001\n")
                                                << lines({"temperature_gpu/ @ row=1: 36 \xc2\xb0"
                                                          "C"});
    QTest::newRow("old word for missing")
        << QByteArray("utilization.gpu [%], power.draw [W]\r\n[Not Supported], 30 W\r\n")
        << lines({"power_draw/ @ row=1: 30 W"});
    QTest::newRow("one column") << QByteArray("utilization.gpu [%]\n7 %\n")
                                << lines({"utilization_gpu/ @ row=1: 7 %"});
    QTest::newRow("day's end") << QByteArray(
        "timestamp, utilization.gpu [%]\n2024/02/29 23:59:59.900, 1 %\n"
        "2024/03/01 00:00:00.100, 2 %\n")
                               << lines({"utilization_gpu/ @ seconds=0: 1 %",
                                      "utilization_gpu/ @ seconds=0.2: 2 %"});
}

void TestRecogniseNvidia::csv_readsUnitsWhereverTheyStand()
{
    QFETCH(QByteArray, log);
    QTEST(texts(readWhole(log).samples), "samples");
}

void TestRecogniseNvidia::csv_keepsGpusAndRanksApart()
{
    const Reading reading = readWhole("0: index, timestamp, utilization.gpu [%]\n"
                                      "0: 0, 2020/11/12 13:48:11.000, 10 %\n"
                                      "0: 1, 2020/11/12 13:48:11.002, 20 %\n"
                                      "1: index, timestamp, utilization.gpu [%]\n"
                                      "1: 0, 2020/11/12 13:48:12.000, 30 %\n"
                                      "0: 0, 2020/11/12 13:48:16.000, 40 %\n");
    QCOMPARE(texts(reading.samples),
        lines({"utilization_gpu/GPU 0 @ seconds=0: 10 %",
            "utilization_gpu/GPU 1 @ seconds=0.002: 20 %",
            "utilization_gpu/rank 1, GPU 0 @ seconds=0: 30 %",
            "utilization_gpu/GPU 0 @ seconds=5: 40 %"}));
}

void TestRecogniseNvidia::csv_neverInvents_data()
{
    QTest::addColumn<QByteArray>("log");
    const QByteArray header = "index, timestamp, utilization.gpu [%]\n";
    QTest::newRow("no header") << QByteArray("0, 2020/11/12 13:48:11.412, 99 %\n");
    QTest::newRow("row cut") << header + "0, 2020/11/12 13:48:11.412\n";
    QTest::newRow("time cut") << header + "0, 2020/11/12 13:48, 99 %\n";
    QTest::newRow("no such month") << header + "0, 2020/13/12 13:48:11.412, 99 %\n";
    QTest::newRow("another unit") << header + "0, 2020/11/12 13:48:11.412, 99 W\n";
    QTest::newRow("nan") << header + "0, 2020/11/12 13:48:11.412, nan\n";
    QTest::newRow("huge") << header + "0, 2020/11/12 13:48:11.412, 1e999 %\n";
    QTest::newRow("half a character") << header + "0, 2020/11/12 13:48:11.412, 9\xe2\x94 %\n";
    QTest::newRow("one column without a unit") << QByteArray("utilization.gpu\n7\n");
    QTest::newRow("prose") << QByteArray("name, memory. And more, so\na, 5, 6\n");
    QTest::newRow("another CSV") << QByteArray("name, loss\na, 5\n");
    QTest::newRow("of another rank") << header + "1: 0, 2020/11/12 13:48:11.412, 99 %\n";
}

void TestRecogniseNvidia::csv_neverInvents()
{
    QFETCH(QByteArray, log);
    QCOMPARE(texts(readWhole(log).samples), QStringList());
}

SLIPWAY_TEST(TestRecogniseNvidia, metrics_recognise_nvidia)
#include "tst_recognise_nvidia.moc"

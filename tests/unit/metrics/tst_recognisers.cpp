// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/chartspec.h"
#include "plots/metrics/linefilter.h"
#include "plots/metrics/pipeline.h"
#include "plots/metrics/ranklabel.h"
#include "plots/metrics/recogniser.h"
#include "plots/metrics/seriesstore.h"
#include "plots/metrics/summary.h"
#include "tests/support/files.h"
#include "tests/support/testmain.h"

#include "texts.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>
#include <utility>
#include <vector>

using namespace slipway;
using namespace slipway::test;

namespace {

const QStringList cudaFlops = lines({"flops/cuda @ n=2048: 4.67e+12 FLOP/s",
    "flops/cuda @ n=4096: 4.78e+12 FLOP/s", "flops/cuda @ n=8192: 4.88e+12 FLOP/s"});
const QStringList cpuFlops = lines({"flops/cpu @ n=2048: 86130000000 FLOP/s",
    "flops/cpu @ n=4096: 88130000000 FLOP/s", "flops/cpu @ n=8192: 88400000000 FLOP/s"});

} // namespace

class TestRecognisers : public QObject {
    Q_OBJECT

private slots:
    void matmulTable_readsEveryShape_data();
    void matmulTable_readsEveryShape();
    void matmulTable_readsSecondsAndMemory();
    void matmulTable_reportsWhatHappens();
    void matmulTable_saysThatTheMemoryWasTooSmall();
    void matmulTable_ignoresHalfANumber();
    void epochs_readsTheMnistTutorial();
    void epochs_readsTheBertTutorial();
    void epochs_keepsRanksApart();
    void epochs_countsOnWhenStepsStartAnew();
    void slipway_readsSamplesAndEvents();
    void slipway_neverInvents_data();
    void slipway_neverInvents();
    void slipway_dropsDuplicates();
    void slipway_replacesWhatWasReadBefore();
    void silentLogs_drawNothing_data();
    void silentLogs_drawNothing();
    void pipeline_asksOnlyTheNamedRecognisers();
    void pipeline_asksAboutEveryLineThatCounts_data();
    void pipeline_asksAboutEveryLineThatCounts();
    void scaling_isAskedAboutEverySize_data();
    void scaling_isAskedAboutEverySize();
    void lineFilter_knowsMoreBytesThanItHasBits();
    void lineFilter_looksForWords();
    void pipeline_reportsProgress();
};

void TestRecognisers::matmulTable_readsEveryShape_data()
{
    QTest::addColumn<QString>("log");
    QTest::addColumn<QStringList>("flops");
    QTest::newRow("tutorial, CPU") << "matmul-tacc-cpu.txt" << cpuFlops;
    QTest::newRow("tutorial, GPU") << "matmul-tacc-rtx5000.txt" << cudaFlops;
    QTest::newRow("pipe, CPU") << "matmul-rich-cpu-pipe.txt" << cpuFlops;
    QTest::newRow("pipe, GPU") << "matmul-rich-cuda-pipe.txt" << cudaFlops;
    QTest::newRow("terminal, colours") << "matmul-rich-cuda-tty-ansi.txt" << cudaFlops;
    QTest::newRow("ASCII") << "matmul-ascii.txt" << cpuFlops.mid(0, 2);
    QTest::newRow("narrow, wrapped") << "matmul-narrow.txt" << cudaFlops;
}

void TestRecognisers::matmulTable_readsEveryShape()
{
    QFETCH(QString, log);
    const Reading reading = readWhole(readLog(log));
    QTEST(texts(reading.samples, QStringLiteral("flops")), "flops");
}

void TestRecognisers::matmulTable_readsSecondsAndMemory()
{
    const Reading reading = readWhole(readLog(QStringLiteral("matmul-tacc-rtx5000.txt")));
    QCOMPARE(reading.samples.size(), size_t(9));
    QCOMPARE(texts(reading.samples, QStringLiteral("seconds")),
        lines({"seconds/cuda @ n=2048: 0.0037 s", "seconds/cuda @ n=4096: 0.0288 s",
            "seconds/cuda @ n=8192: 0.2252 s"}));
    QCOMPARE(texts(reading.samples, QStringLiteral("memory")),
        lines({"memory/cuda @ n=2048: 0.03 GiB", "memory/cuda @ n=4096: 0.12 GiB",
            "memory/cuda @ n=8192: 0.5 GiB"}));
    QCOMPARE(reading.samples.front().line, 21);
}

void TestRecognisers::matmulTable_reportsWhatHappens()
{
    const Reading reading = readWhole(readLog(QStringLiteral("matmul-rich-cuda-tty-ansi.txt")));
    QCOMPARE(texts(reading.events),
        lines({"library: PyTorch 2.4.1+cu121", "device: cuda", "library: CUDA 12.1",
            "device: Quadro RTX 5000", "running: n = 2048", "running: n = 4096",
            "running: n = 8192", "artifact: Scaling plot saved as 'scaling_plot.png'"}));
    QCOMPARE(reading.events.back().values.value(QStringLiteral("path")),
        QStringLiteral("scaling_plot.png"));
}

void TestRecognisers::matmulTable_saysThatTheMemoryWasTooSmall()
{
    const Reading reading = readWhole(readLog(QStringLiteral("matmul-out-of-memory.txt")));
    QVERIFY(reading.samples.empty());
    QCOMPARE(reading.events.size(), size_t(6));
    QCOMPARE(reading.events[3].event, QStringLiteral("failed"));
    QVERIFY(reading.events[3].text.startsWith(QLatin1String("Error: CUDA out of memory.")));
    QCOMPARE(reading.events[4].values.value(QStringLiteral("n")), QStringLiteral("65536"));
    QCOMPARE(reading.events[5].text, QStringLiteral("No successful tests to plot."));
}

void TestRecognisers::matmulTable_ignoresHalfANumber()
{
    // The narrow terminal cut "0.2252" to "0.22…": two rows keep their seconds, the third has none.
    const Reading narrow = readWhole(readLog(QStringLiteral("matmul-narrow.txt")));
    QCOMPARE(texts(narrow.samples, QStringLiteral("seconds")),
        lines({"seconds/cuda @ n=2048: 0.0037 s", "seconds/cuda @ n=4096: 0.0288 s"}));
    const QByteArray rows =
        "| 2048x20... | 0.03 | 0.1 | 4 TFLOPS |\n| 2048x1024 | 0.03 | 0.1 | 4 TFLOPS |\n"
        "| 2048x2048 | a | b | 4 |\n| 2048x2048 | 0.03 | - | 4 QFLOPS |\n| a | b |\n||||\n";
    QVERIFY(readWhole(rows).samples.empty());
}

void TestRecognisers::epochs_readsTheMnistTutorial()
{
    const Reading reading = readWhole(readLog(QStringLiteral("tf-mnist-epochs.txt")));
    QCOMPARE(reading.samples.size(), size_t(20));
    QCOMPARE(texts(reading.samples).mid(0, 4),
        lines({"train_loss/ @ epoch=1: 0.134391516447",
            "train_accuracy/ @ epoch=1: 95.9883346558 %", "test_loss/ @ epoch=1: 0.0633050501347",
            "test_accuracy/ @ epoch=1: 98.0299987793 %"}));
    QCOMPARE(reading.samples[0].y, 0.13439151644706726);
    QCOMPARE(text(reading.samples[11]), QStringLiteral("test_accuracy/ @ epoch=3: 98.5 %"));
    QCOMPARE(reading.samples[16].y, 0.010033201426267624);
    QCOMPARE(reading.samples[16].line, 5);
}

void TestRecognisers::epochs_readsTheBertTutorial()
{
    const Reading reading = readWhole(readLog(QStringLiteral("bert-classifier-rtx5000.txt")));
    QCOMPARE(texts(reading.samples, QStringLiteral("train_loss")),
        lines({"train_loss/ @ step=16: 0.7057", "train_loss/ @ step=32: 0.5145",
            "train_loss/ @ step=48: 0.3584", "train_loss/ @ step=64: 0.2293",
            "train_loss/ @ step=80: 0.1833", "train_loss/ @ step=96: 0.1146",
            "train_loss/ @ step=112: 0.1379", "train_loss/ @ step=128: 0.0681",
            "train_loss/ @ step=144: 0.0378", "train_loss/ @ step=160: 0.018"}));
    QCOMPARE(texts(reading.samples, QStringLiteral("valid_loss")).size(), 10);
    QCOMPARE(texts(reading.samples, QStringLiteral("valid_loss")).back(),
        QStringLiteral("valid_loss/ @ step=160: 0.2925"));
    int saved = 0;
    for (const MetricEvent& event : reading.events)
        saved += event.event == QLatin1String("artifact")
            && event.values.value(QStringLiteral("path")) == QLatin1String("./model.pt");
    QCOMPARE(saved, 6);
    QCOMPARE(reading.events.back().values.value(QStringLiteral("path")),
        QStringLiteral("confusion_matrix.png"));
}

void TestRecognisers::epochs_keepsRanksApart()
{
    const Reading reading = readWhole(
        "0: Epoch 1, Loss: 0.5\n1: Epoch 1, Loss: 0.6\n[1,2]<stdout>:Epoch 1, Loss: 0.7\n");
    QCOMPARE(texts(reading.samples),
        lines({"train_loss/ @ epoch=1: 0.5", "train_loss/rank 1 @ epoch=1: 0.6",
            "train_loss/rank 2 @ epoch=1: 0.7"}));
}

void TestRecognisers::epochs_countsOnWhenStepsStartAnew()
{
    const Reading reading =
        readWhole("Epoch [1/3], Step [50/100], Loss: 3\nEpoch [1/3], Step [100/100], Loss: 2\n"
                  "Epoch [2/3], Step [50/100], Loss: 1\nEpoch [3/3], Step [100/100], Loss: 0\n");
    QCOMPARE(texts(reading.samples),
        lines({"train_loss/ @ step=50: 3", "train_loss/ @ step=100: 2", "train_loss/ @ step=150: 1",
            "train_loss/ @ step=300: 0"}));
}

void TestRecognisers::slipway_readsSamplesAndEvents()
{
    const QByteArray log(
        "@slipway {\"event\":\"device\",\"text\":\"Quadro RTX "
        "5000\",\"memory_gib\":15.74,\"driver\":\"535.1\",\"ecc\":true,\"x\":[1]}\n"
        "0: @slipway {\"sample\":\"flops\",\"lane\":\"cpu, 2 "
        "threads\",\"x\":2048,\"x_name\":\"n\",\"y\":1.2e11,\"unit\":\"FLOP/"
        "s\",\"low\":1.1e11,\"high\":1.3e11}\n"
        "@slipway {\"sample\":\"flops.repeat\",\"x\":2048,\"x_name\":\"n\",\"y\":5,\"repeat\":3}\n"
        "@slipway {\"sample\":\"loss\",\"x\":1,\"x_name\":\"step\",\"y\":\"nan\"}\n"
        "@slipway {\"sample\":\"alone\",\"y\":7}\n");
    const Reading reading = readWhole(log);
    QCOMPARE(reading.events.size(), size_t(1));
    const MetricEvent& device = reading.events.front();
    QCOMPARE(device.event, QStringLiteral("device"));
    QCOMPARE(device.text, QStringLiteral("Quadro RTX 5000"));
    QCOMPARE(device.values,
        (QMap<QString, QString>{{QStringLiteral("memory_gib"), QStringLiteral("15.74")},
            {QStringLiteral("driver"), QStringLiteral("535.1")},
            {QStringLiteral("ecc"), QStringLiteral("true")}}));
    QCOMPARE(reading.samples.size(), size_t(4));
    Sample expected{QStringLiteral("flops"), QStringLiteral("cpu, 2 threads"), 2048,
        QStringLiteral("n"), 1.2e11, QStringLiteral("FLOP/s"), 1.1e11, 1.3e11, 2};
    expected.source = SampleSource::Program;
    expected.place = log.indexOf('\n', log.indexOf('\n') + 1);
    QVERIFY2(reading.samples[0] == expected, QByteArray::number(reading.samples[0].place));
    QCOMPARE(reading.samples[1].series, QStringLiteral("flops.repeat"));
    QVERIFY(std::isnan(reading.samples[2].y));
    QCOMPARE(text(reading.samples[3]), QStringLiteral("alone/ @ line=5: 7"));
}

void TestRecognisers::slipway_neverInvents_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("cut") << QByteArray("@slipway {\"sample\":\"flops\",\"y\":1");
    QTest::newRow("no value") << QByteArray("@slipway {\"sample\":\"flops\",\"x\":1}");
    QTest::newRow("value is text")
        << QByteArray("@slipway {\"sample\":\"flops\",\"x\":1,\"y\":\"5\"}");
    QTest::newRow("x is text") << QByteArray("@slipway {\"sample\":\"flops\",\"x\":\"a\",\"y\":5}");
    QTest::newRow("no name") << QByteArray("@slipway {\"sample\":\"\",\"y\":5}");
    QTest::newRow("name is a number") << QByteArray("@slipway {\"sample\":5,\"y\":5}");
    QTest::newRow("array") << QByteArray("@slipway [1,2]");
    QTest::newRow("not on a line of its own")
        << QByteArray("see @slipway {\"sample\":\"a\",\"y\":5}");
    QTest::newRow("glued") << QByteArray("@slipway{\"sample\":\"a\",\"y\":5}");
    QTest::newRow("two objects") << QByteArray("@slipway {\"sample\":\"a\",\"y\":5} {}");
    QTest::newRow("deep") << QByteArray("@slipway ") + QByteArray(100'000, '[');
    QTest::newRow("bare NaN is no JSON") << QByteArray("@slipway {\"sample\":\"a\",\"y\":NaN}");
}

void TestRecognisers::slipway_neverInvents()
{
    QFETCH(QByteArray, line);
    const Reading reading = readWhole(line + '\n');
    QVERIFY(reading.samples.empty());
    QVERIFY(reading.events.empty());
}

void TestRecognisers::slipway_dropsDuplicates()
{
    const QByteArray own =
        "@slipway {\"event\":\"device\",\"text\":\"RTX\"}\n"
        "@slipway "
        "{\"sample\":\"flops\",\"lane\":\"cuda\",\"x\":2048,\"x_name\":\"n\",\"y\":4.67e12}\n";
    const Reading reading =
        readWhole(own + readLog(QStringLiteral("matmul-tacc-rtx5000.txt")) + "step 1 loss 0.5\n");
    // The table's flops are doubles; its times and another program's loss are not.
    QMap<QString, int> counts;
    for (const Sample& sample : reading.samples)
        ++counts[sample.series];
    QCOMPARE(counts.value(QStringLiteral("flops")), 1);
    QCOMPARE(counts.value(QStringLiteral("seconds")), 3);
    QCOMPARE(counts.value(QStringLiteral("loss")), 1);
    QStringList words;
    for (const MetricEvent& event : reading.events)
        words.append(event.event);
    QCOMPARE(words.count(QStringLiteral("device")), 1);
    QCOMPARE(words.count(QStringLiteral("running")), 3); // not sent by the program itself: kept
}

void TestRecognisers::slipway_replacesWhatWasReadBefore()
{
    SeriesStore store;
    MetricsPipeline pipeline;
    pipeline.feed("Epoch [1/5], Step [16/160], Train Loss: 2.2370, Valid Loss: 2.1460\n");
    store.add(pipeline.takeSamples());
    QVERIFY(store.find(QStringLiteral("train_loss"))); // until the program says it itself
    pipeline.feed(
        "@slipway {\"sample\":\"train_loss\",\"lane\":\"CPU\",\"x\":16,\"x_name\":\"step\","
        "\"y\":2.237}\n"
        "@slipway {\"sample\":\"valid_loss\",\"lane\":\"CPU\",\"x\":16,\"x_name\":\"step\","
        "\"y\":2.146}\n"
        "Epoch [1/5], Step [32/160], Train Loss: 1.9, Valid Loss: 1.8\n");
    store.add(pipeline.takeSamples());
    QCOMPARE(store.all().size(), size_t(2));
    ChartSpec spec;
    spec.title = QStringLiteral("Loss");
    spec.series = QStringLiteral("train_loss, valid_loss");
    QCOMPARE(chartSummary(spec, store),
        QStringLiteral("Loss: train loss, CPU 2.237 at step 16; valid loss, CPU 2.146 at step 16"));
}

void TestRecognisers::silentLogs_drawNothing_data()
{
    QTest::addColumn<QString>("log");
    for (const char* name :
        {"lightning-slurm-startup.txt", "apptainer-errors.txt", "apptainer-error-ansi-colour.txt",
            "slurm-salloc-srun-mpi-ring.txt", "ngc-banner-no-driver.txt"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

/// Families that have no recogniser yet, and output without curves: nothing may be made up from
/// them.
void TestRecognisers::silentLogs_drawNothing()
{
    QFETCH(QString, log);
    const QByteArray bytes = readLog(log);
    QVERIFY(!bytes.isEmpty());
    const QStringList drawn = texts(readWhole(bytes).samples);
    QCOMPARE(drawn, QStringList());
}

void TestRecognisers::pipeline_asksOnlyTheNamedRecognisers()
{
    const QByteArray log = "Epoch 1, Loss: 0.5\nstep 10 loss 0.4\n";
    QCOMPARE(readWhole(log, {QStringLiteral("epochs"), QStringLiteral("from-the-future")})
                 .samples.size(),
        size_t(1));
    QCOMPARE(readWhole(log).samples.size(), size_t(2));
    QVERIFY(readWhole(log, {QStringLiteral("matmul-table")}).samples.empty());
}

void TestRecognisers::pipeline_asksAboutEveryLineThatCounts_data()
{
    QTest::addColumn<QString>("name");
    for (const QString& name : recogniserNames())
        QTest::newRow(qPrintable(name)) << name;
}

/// The logs, the outputs of programs and the texts written for a rule, by their paths.
static const std::vector<std::pair<QString, QByteArray>>& everyText()
{
    static const auto texts = [] {
        std::vector<std::pair<QString, QByteArray>> all;
        for (const QString& log : logNames())
            all.emplace_back(log, readLog(log));
        for (const char* path : {"/tests/data/outputs", "/tests/data/forms"}) {
            const QDir folder(sourcePath(QLatin1String(path)));
            for (const QString& name : folder.entryList({QStringLiteral("*.txt")}, QDir::Files))
                all.emplace_back(name, contentOf(folder.filePath(name)));
        }
        return all;
    }();
    return texts;
}

/// The pipeline leaves out lines that show none of a recogniser's signs. One that gets all lines
/// must find the same.
void TestRecognisers::pipeline_asksAboutEveryLineThatCounts()
{
    QFETCH(QString, name);
    for (const auto& [path, bytes] : everyText()) {
        MetricsPipeline pipeline({name});
        pipeline.askAboutEveryLine();
        pipeline.feed(bytes);
        pipeline.finish();
        const Reading reading = readWhole(bytes, {name});
        QVERIFY2(texts(reading.samples) == texts(pipeline.takeSamples()), qPrintable(path));
        QVERIFY2(reading.events == pipeline.takeEvents(), qPrintable(path));
    }
}

void TestRecognisers::scaling_isAskedAboutEverySize_data()
{
    QTest::addColumn<QString>("name");
    const QByteArray file = contentOf(sourcePath(QStringLiteral("/resources/metric-names.json")));
    const QJsonArray counters =
        QJsonDocument::fromJson(file).object().value(QLatin1String("counters")).toArray();
    for (const QJsonValue& counter : counters) {
        if (counter[QLatin1String("only")].toString() != QLatin1String("first"))
            continue;
        for (const QJsonValue& name : counter[QLatin1String("names")].toArray())
            QTest::newRow(qPrintable(name.toString())) << name.toString().replace(u'_', u' ');
    }
}

/// From the second line of a shape on, only those recognisers get it one of whose words is in it.
void TestRecognisers::scaling_isAskedAboutEverySize()
{
    QFETCH(QString, name);
    QString log;
    for (int size = 1; size < 9; size *= 2)
        log += QStringLiteral("%1 = %2: 0.%2 sec\n").arg(name).arg(size);
    QCOMPARE(readWhole(log.toUtf8(), {QStringLiteral("scaling")}).samples.size(), size_t(4));
}

void TestRecognisers::lineFilter_knowsMoreBytesThanItHasBits()
{
    LineFilter filter;
    filter.add({.holds = "abcdefgh"});
    filter.add({.holds = "ix"}); // beyond the bits: it is asked about every line
    filter.add({.first = "i"});
    filter.add({.last = "x"});
    filter.add({});
    QCOMPARE(filter.candidates(" \t"), LineFilter::Set(0b10000));
    QCOMPARE(filter.candidates("zzz"), LineFilter::Set(0b10010));
    QCOMPARE(filter.candidates(" i x\t"), LineFilter::Set(0b11110));
    QCOMPARE(filter.candidates("hgfedcba"), LineFilter::Set(0b10011));
    QCOMPARE(filter.candidates("hgfedcb"), LineFilter::Set(0b10010));
}

void TestRecognisers::lineFilter_looksForWords()
{
    LineFilter filter;
    filter.add({.first = "t0", .words = {"time: ", "00:00"}});
    filter.add({.first = "t"});
    const auto candidates = [&](std::string_view line) {
        return filter.withWords(line, filter.candidates(line));
    };
    QCOMPARE(candidates("the Time: 12"), LineFilter::Set(0b11));
    QCOMPARE(candidates("the time 12"), LineFilter::Set(0b10));
    QCOMPARE(candidates("00:00"), LineFilter::Set(0b01));
    QCOMPARE(candidates("a time: 12"), LineFilter::Set(0));
    QCOMPARE(candidates(""), LineFilter::Set(0));
}

void TestRecognisers::pipeline_reportsProgress()
{
    MetricsPipeline pipeline;
    QVERIFY(!pipeline.progress());
    pipeline.feed("Epoch [4/5], Step [112/160], Train Loss: 0.1379, Valid Loss: 0.2406\n");
    QVERIFY(pipeline.progress().has_value());
    QCOMPARE(pipeline.progress()->name, QStringLiteral("step"));
    QCOMPARE(pipeline.progress()->done, 112.0);
    QCOMPARE(pipeline.progress()->total, 160.0);
}

SLIPWAY_TEST(TestRecognisers, metrics_recognisers)
#include "tst_recognisers.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "texts.h"

#include <QTest>

using namespace slipway;
using namespace slipway::test;

using namespace Qt::StringLiterals;

/// DLLogger: what it prints for people, what it writes to raport.json, and the speech form.
class TestDLLogger : public QObject {
    Q_OBJECT

private slots:
    void stdout_ofResnet();
    void stdout_reportsParametersAndSummary();
    void report_ofResnet();
    void report_andStdout_areNotDoubled();
    void stdout_ofTensorFlowAndSpeech();
    void speech_withoutPrefix();
    void iterations_becomeEpochs_whenTheNumberIsKnown();
    void iterations_countOn_whenItIsNot();
    void ranks_areLanes();
    void values_withSeveralWords();
    void neverInvents_data();
    void neverInvents();
};

namespace {

Reading readDll(const char* log)
{
    return readWhole(log, {u"dllogger"_s});
}

} // namespace

void TestDLLogger::stdout_ofResnet()
{
    const Reading reading = readWhole(readLog(u"dllogger-resnet50-generated-stdout.txt"_s));
    QCOMPARE(texts(reading.samples),
        lines({"train_loss/ @ iteration=0: 7.04321",
            "train_compute_ips/ @ iteration=0: 781.5 images/s",
            "train_total_ips/ @ iteration=0: 779.2 images/s", "train_lr/ @ iteration=0: 0",
            "train_loss/ @ iteration=100: 6.91234",
            "train_compute_ips/ @ iteration=100: 782.5 images/s",
            "train_total_ips/ @ iteration=100: 780.2 images/s", "train_lr/ @ iteration=100: 0.1",
            "train_loss/ @ iteration=200: 6.70011",
            "train_compute_ips/ @ iteration=200: 783.5 images/s",
            "train_total_ips/ @ iteration=200: 781.2 images/s", "train_lr/ @ iteration=200: 0.2",
            "batch_valid_top1/ @ validation_batch=0: 12.11 %",
            "batch_valid_top5/ @ validation_batch=0: 29.69 %",
            "batch_valid_loss/ @ validation_batch=0: 4.98765",
            "batch_valid_compute_ips/ @ validation_batch=0: 1900.12 images/s",
            "batch_valid_total_ips/ @ validation_batch=0: 1850.34 images/s",
            "epoch_train_loss/ @ epoch=0: 6.1",
            "epoch_train_compute_ips/ @ epoch=0: 781.9 images/s",
            "epoch_train_total_ips/ @ epoch=0: 779.7 images/s", "epoch_train_lr/ @ epoch=0: 0.256",
            "valid_top1/ @ epoch=0: 13.02 %", "valid_top5/ @ epoch=0: 31.5 %",
            "valid_loss/ @ epoch=0: 4.9", "valid_compute_ips/ @ epoch=0: 1901 images/s",
            "valid_total_ips/ @ epoch=0: 1851 images/s"}));
}

void TestDLLogger::stdout_reportsParametersAndSummary()
{
    const Reading reading = readWhole(readLog(u"dllogger-resnet50-generated-stdout.txt"_s));
    QCOMPARE(texts(reading.events),
        lines({"parameters: data /data/imagenet, data_backend dali-cpu, arch resnet50, workers 16, "
               "epochs 90, batch_size 256, optimizer_batch_size 2048, lr 2.048",
            "summary: train.compute_ips 781.90 images/s, train.total_ips 779.70 images/s, "
            "val.top1 76.51 %, val.top5 93.10 %, val.loss 1.89000"}));
    QCOMPARE(reading.events[0].values.value(u"arch"_s), u"resnet50"_s);
    QCOMPARE(reading.events[1].values.value(u"valid_top1"_s), u"76.51"_s);
    QVERIFY(!reading.events[1].values.contains(u"train_loss"_s)); // "None"
}

void TestDLLogger::report_ofResnet()
{
    const Reading reading = readWhole(readLog(u"dllogger-resnet50-generated-raport.json"_s));
    QCOMPARE(texts(reading.samples).mid(0, 6),
        lines({"train_compute_ips/ @ iteration=0: 781.5 images/s",
            "train_loss/ @ iteration=0: 7.04321", "train_lr/ @ iteration=0: 0",
            "train_total_ips/ @ iteration=0: 779.2 images/s",
            "train_compute_time/ @ iteration=0: 0.32811 s",
            "train_data_time/ @ iteration=0: 0.00123 s"}));
    QCOMPARE(texts(reading.samples, u"train_data_time"_s),
        lines({"train_data_time/ @ iteration=0: 0.00123 s",
            "train_data_time/ @ iteration=100: 0.00123 s",
            "train_data_time/ @ iteration=200: 0.00123 s"}));
    QCOMPARE(texts(reading.samples, u"valid_top1"_s), lines({"valid_top1/ @ epoch=0: 13.02 %"}));
    QCOMPARE(texts(reading.samples, u"batch_valid_top1"_s),
        lines({"batch_valid_top1/ @ validation_batch=0: 12.1094 %"}));
    QCOMPARE(
        texts(reading.samples, u"epoch_train_loss"_s), lines({"epoch_train_loss/ @ epoch=0: 6.1"}));
    QCOMPARE(reading.samples.size(), size_t(3 * 6 + 5 + 9));
    QCOMPARE(reading.events.size(), size_t(2));
    QCOMPARE(reading.events[0].event, u"parameters"_s);
    QCOMPARE(reading.events[0].values.value(u"batch_size"_s), u"256"_s);
    QCOMPARE(reading.events[1].event, u"summary"_s);
    QCOMPARE(reading.events[1].values.value(u"valid_top1"_s), u"76.51"_s);
    QVERIFY(!reading.events[1].values.contains(u"train_loss"_s)); // null
}

void TestDLLogger::report_andStdout_areNotDoubled()
{
    const QByteArray log = readLog(u"dllogger-resnet50-generated-stdout.txt"_s) + '\n'
        + readLog(u"dllogger-resnet50-generated-raport.json"_s);
    const Reading reading = readWhole(log);
    QCOMPARE(texts(reading.samples, u"train_loss"_s),
        lines({"train_loss/ @ iteration=0: 7.04321", "train_loss/ @ iteration=100: 6.91234",
            "train_loss/ @ iteration=200: 6.70011"}));
    QCOMPARE(texts(reading.samples, u"train_data_time"_s).size(), 3); // only in the report
}

void TestDLLogger::stdout_ofTensorFlowAndSpeech()
{
    const Reading reading = readWhole(readLog(u"dllogger-tf-resnet-stdout.txt"_s));
    QCOMPARE(texts(reading.samples),
        lines({"total_ips/ @ iteration=120: 2879.14297819",
            "total_ips/ @ iteration=121: 2888.23507386",
            "total_ips/ @ iteration=122: 2894.29203258",
            "total_ips/ @ iteration=123: 2881.94812856", "loss/ @ epoch=1.02083333333: 40.97",
            "mel_loss/ @ epoch=1.02083333333: 35.04", "kl_loss/ @ epoch=1.02083333333: 0.0224",
            "kl_weight/ @ epoch=1.02083333333: 0.01",
            "frames_per_second/ @ epoch=1.02083333333: 5730.98 frames/s",
            "took/ @ epoch=1.02083333333: 24.54 s", "lrate/ @ epoch=1.02083333333: 3.16e-06",
            "train_time/ @ epoch=26: 9.88957619667", "eval_time/ @ epoch=26: 0.67418718338",
            "hr@10/ @ epoch=26: 0.952632985061", "ndcg/ @ epoch=26: 0.744871581957"}));
}

void TestDLLogger::speech_withoutPrefix()
{
    QCOMPARE(texts(readDll(" epoch 1 | iter 1/48 | loss 40.97 | took 250 ms\n"
                           "epoch 1 | iter 48/48 | loss nan |\n")
                       .samples),
        lines({"loss/ @ epoch=1.02083333333: 40.97", "took/ @ epoch=1.02083333333: 0.25 s",
            "loss/ @ epoch=2: nan"}));
    QVERIFY(readDll("epoch 1 | finished | took 3 s\n").samples.empty()); // whose words are these?
}

void TestDLLogger::iterations_becomeEpochs_whenTheNumberIsKnown()
{
    const char* const parameters =
        "DLL 2026-11-20 21:01:31.5 - PARAMETER steps_per_epoch : 100  epochs : 4 \n";
    QCOMPARE(texts(readWhole(QByteArray(parameters)
                 + "DLL 2026-11-20 21:01:31.5 - (0, 50) loss : 3 \n"
                   "DLL 2026-11-20 21:01:31.5 - (1, 0) loss : 2 \n"
                   "DLL 2026-11-20 21:01:31.5 - (1, 50) loss : 1 \n")
                       .samples),
        lines({"loss/ @ epoch=0.5: 3", "loss/ @ epoch=1: 2", "loss/ @ epoch=1.5: 1"}));
    QCOMPARE(texts(readWhole(QByteArray(parameters)
                 + "DLL 2026-11-20 21:01:31.5 - (0, 50) loss : 3 \n"
                   "DLL 2026-11-20 21:01:31.5 - (1, 100) loss : 2 \n"
                   "DLL 2026-11-20 21:01:31.5 - (1, 150) loss : 1 \n")
                       .samples),
        lines({"loss/ @ epoch=0.5: 3", "loss/ @ epoch=1: 2", "loss/ @ epoch=1.5: 1"}));
    MetricsPipeline pipeline;
    pipeline.feed(parameters);
    pipeline.feed("DLL 2026-11-20 21:01:31.5 - (1, 50) loss : 3 \n");
    QVERIFY(pipeline.progress().has_value());
    QCOMPARE(pipeline.progress()->name, u"epoch"_s);
    QCOMPARE(pipeline.progress()->done, 1.5);
    QCOMPARE(pipeline.progress()->total, 4.0);
}

void TestDLLogger::iterations_countOn_whenItIsNot()
{
    QCOMPARE(texts(readDll("DLL 2026-11-20 21:01:31.5 - Epoch: 0 Iteration: 100 loss : 3 None\n"
                           "DLL 2026-11-20 21:01:31.5 - Epoch: 1 Iteration: 50 loss : 2 None\n"
                           "DLLL 2026-11-20 21:01:31.5 - Epoch: 1 Iteration: 100 loss : 1 None\n")
                       .samples),
        lines(
            {"loss/ @ iteration=100: 3", "loss/ @ iteration=150: 2", "loss/ @ iteration=200: 1"}));
}

void TestDLLogger::ranks_areLanes()
{
    QCOMPARE(texts(readDll("0: DLL 2026-11-20 21:01:31.5 - (0, 1) loss : 3 \n"
                           "1: DLL 2026-11-20 21:01:31.5 - (0, 1) loss : 4 \n"
                           "1: DLL 2026-11-20 21:01:31.6 - (0, 1) loss : 4  time : 20 ms\n")
                       .samples),
        lines({"loss/ @ iteration=1: 3", "loss/rank 1 @ iteration=1: 4",
            "time/rank 1 @ iteration=1: 0.02 s"})); // the second line of the step adds to the first
}

void TestDLLogger::values_withSeveralWords()
{
    const Reading reading = readDll("DLL 2026-11-20 21:01:31.5 - PARAMETER steps : [30, 60, 80]  "
                                    "name : a b c  lr : 0.5 \n");
    QCOMPARE(reading.events.size(), size_t(1));
    QCOMPARE(reading.events[0].values,
        (QMap<QString, QString>{
            {u"steps"_s, u"[30, 60, 80]"_s}, {u"name"_s, u"a b c"_s}, {u"lr"_s, u"0.5"_s}}));
    // Four words between two colons, and no telling which is the name.
    QCOMPARE(texts(readDll("DLL 2026-11-20 21:01:31.5 - (0, 1) a : 3 s b c : 4 \n").samples),
        QStringList());
}

void TestDLLogger::neverInvents_data()
{
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char* name, const char* line) {
        QTest::newRow(name) << QByteArray(line);
    };
    row("not its prefix", "DLLX 2026-11-20 21:01:31.5 - (0, 1) loss : 3");
    row("a file name", "DLL not found: kernel32.dll");
    row("no time", "DLL - (0, 1) loss : 3");
    row("no step", "DLL 2026-11-20 21:01:31.5 - loss : 3");
    row("cut step", "DLL 2026-11-20 21:01:31.5 - (0, 1 loss : 3");
    row("negative step", "DLL 2026-11-20 21:01:31.5 - (0, -1) loss : 3");
    row("four steps", "DLL 2026-11-20 21:01:31.5 - (0, 1, 2, 3) loss : 3");
    row("None", "DLL 2026-11-20 21:01:31.5 - (0, 1) loss : None None");
    row("a word", "DLL 2026-11-20 21:01:31.5 - (0, 1) loss : low");
    row("a version", "DLL 2026-11-20 21:01:31.5 - (0, 1) release : 2.4.1");
    row("run summary has no x", "DLL 2026-11-20 21:01:31.5 - () loss : 3");
    row("json, cut", "DLLL {\"type\": \"LOG\", \"step\": [0, 1], \"data\": {\"loss\": 3");
    row("json, other type",
        "DLLL {\"type\": \"OTHER\", \"step\": [0, 1], \"data\": {\"loss\": 3}}");
    row("json, words", "DLLL {\"type\": \"LOG\", \"step\": [0, 1], \"data\": {\"loss\": \"3\"}}");
    row("json, no step", "DLLL {\"type\": \"LOG\", \"data\": {\"loss\": 3}}");
    row("json, negative", "DLLL {\"type\": \"LOG\", \"step\": [-1], \"data\": {\"loss\": 3}}");
    row("json, step of words",
        "DLLL {\"type\": \"LOG\", \"step\": [\"a\"], \"data\": {\"loss\": 3}}");
    row("json, no prefix", "{\"type\": \"LOG\", \"step\": [0, 1], \"data\": {\"loss\": 3}}");
}

void TestDLLogger::neverInvents()
{
    QFETCH(QByteArray, line);
    QCOMPARE(texts(readWhole(line + '\n').samples), QStringList());
}

SLIPWAY_TEST(TestDLLogger, metrics_dllogger)
#include "tst_dllogger.moc"

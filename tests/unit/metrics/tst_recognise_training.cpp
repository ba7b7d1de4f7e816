// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "texts.h"

#include <QRegularExpression>
#include <QTest>

using namespace slipway;
using namespace slipway::test;

/// What training programs print: TensorFlow, the BERT classifier with its report, DDP of PyTorch.
class TestRecogniseTraining : public QObject {
    Q_OBJECT

private slots:
    void tensorflow_reportsDevicesAndKeepsItsLogApart();
    void tensorflow_readsTfTest();
    void tensorflow_countsDevices_data();
    void tensorflow_countsDevices();
    void tensorflow_takesABareListOnlyFromTensorflow();
    void epochs_readTheTotalTime_data();
    void epochs_readTheTotalTime();
    void epochs_readTheMnistTutorialWhole();
    void epochs_reportPhasesAndTheBestModel();
    void epochs_saveOfAWorseModelIsNotTheBest();
    void report_readsTheBertTutorial();
    void report_readsTwoDigitsSpacesAndAverages();
    void report_countsReports();
    void report_keepsRanksApart();
    void report_neverInvents_data();
    void report_neverInvents();
    void report_readsAPrintedConfusionMatrix();
    void report_leavesOtherMatricesAlone();
    void ddp_readsTheTutorial();
    void ddp_readsItsSiblings();
    void ddp_reportsFailures();
    void ddp_neverInvents_data();
    void ddp_neverInvents();
};

void TestRecogniseTraining::tensorflow_reportsDevicesAndKeepsItsLogApart()
{
    const Reading reading = readWhole(readLog(QStringLiteral("tf-stderr-mixed-synthetic.txt")));
    QCOMPARE(texts(reading.events),
        lines({"log: TensorRT is not here", "log: cuDNN was registered twice",
            "device: Quadro RTX 5000", "device: 1 GPU"}));
    QCOMPARE(reading.events[0].values,
        (QMap<QString, QString>{{QStringLiteral("level"), QStringLiteral("W")},
            {QStringLiteral("source"),
                QStringLiteral("tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38")}}));
    QCOMPARE(reading.events[1].values.value(QStringLiteral("level")), QStringLiteral("E"));
    QCOMPARE(texts(reading.samples),
        lines({"train_loss/ @ epoch=1: 0.13", "train_accuracy/ @ epoch=1: 95.5 %",
            "test_loss/ @ epoch=1: 0.0633", "test_accuracy/ @ epoch=1: 98 %",
            "train_loss/ @ epoch=2: 0.04", "train_accuracy/ @ epoch=2: 98.625 %",
            "test_loss/ @ epoch=2: 0.07", "test_accuracy/ @ epoch=2: 97.5 %",
            "total_seconds/ @ epoch=2: 5.25 s"}));
}

void TestRecogniseTraining::tensorflow_readsTfTest()
{
    const Reading reading = readWhole(readLog(QStringLiteral("tf_test-tacc.txt")));
    QVERIFY(reading.samples.empty()); // the tensors in print are no measurement
    QCOMPARE(texts(reading.events),
        lines({"library: TensorFlow 2.17.0", "device: GPU available: True", "device: GPU:0",
            "device: GPU:1", "device: GPU:2", "device: GPU:3"}));
    QCOMPARE(reading.events[0].values.value(QStringLiteral("version")), QStringLiteral("2.17.0"));
    QCOMPARE(reading.events[1].values.value(QStringLiteral("available")), QStringLiteral("true"));
    QCOMPARE(reading.events[5].values.value(QStringLiteral("count")), QStringLiteral("4"));
}

void TestRecogniseTraining::tensorflow_countsDevices_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QStringList>("events");
    const QByteArray gpu = "PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')";
    const QByteArray cpu = "PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')";
    QTest::newRow("one") << "[" + gpu + "]\n" << lines({"device: 1 GPU"});
    QTest::newRow("two and the CPU") << "[" + cpu + ", " + gpu + ", " + gpu + "]\n"
                                     << lines({"device: 2 GPUs"});
    QTest::newRow("cut") << "[" + gpu + ", Phys\n" << QStringList();
    QTest::newRow("none, then one") << "[]\n[" + gpu + "]\n"
                                    << lines({"no_device: No GPU", "device: 1 GPU"});
    QTest::newRow("rank, colour, carriage return") << "3: \x1b[1m[" + gpu + "]\x1b[0m\r\n"
                                                   << lines({"device: 1 GPU"});
    QTest::newRow("counted") << QByteArray("Num GPUs Available:  4\n") << lines({"device: 4 GPUs"});
    QTest::newRow("counted none") << QByteArray("Num GPUs Available:  0\n")
                                  << lines({"no_device: No GPU"});
    QTest::newRow("not available")
        << QByteArray("Tensorflow version: 2.15.0\nGPU available: False\n")
        << lines({"library: TensorFlow 2.15.0", "no_device: GPU available: False"});
    QTest::newRow("of another library")
        << QByteArray("GPU available: True (cuda), used: True\nGPU available: True\n")
        << QStringList();
    QTest::newRow("described") << QByteArray(
        "physical_device_desc: \"device: 0, name: Tesla K40m, pci bus id: 0000\"\n")
                               << lines({"device: Tesla K40m"});
}

void TestRecogniseTraining::tensorflow_countsDevices()
{
    QFETCH(QByteArray, log);
    const Reading reading = readWhole(log, {QStringLiteral("tensorflow")});
    QTEST(texts(reading.events), "events");
    QVERIFY(reading.samples.empty());
}

void TestRecogniseTraining::tensorflow_takesABareListOnlyFromTensorflow()
{
    QVERIFY(readWhole("[]\nhello\n[]\n").events.empty());
    QCOMPARE(texts(readWhole("2026-11-21 10:02:11.412345: I tensorflow/a.cc:182] b\n[]\n").events),
        lines({"no_device: No GPU"}));
    // The log of another program that looks alike is not claimed: its numbers are read.
    QCOMPARE(
        texts(readWhole("I1121 10:15:02.100234    31 solver.cpp:239] Iteration 100, loss = 0.5\n"
                        "Iteration 200, loss = 0.4\n")
                  .samples),
        lines({"loss/ @ iteration=100: 0.5", "loss/ @ iteration=200: 0.4"}));
}

void TestRecogniseTraining::epochs_readTheTotalTime_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QStringList>("samples");
    QTest::newRow("tutorial") << QByteArray("A total of 10 epochs took 26.1 seconds")
                              << lines({"total_seconds/ @ epoch=10: 26.1 s"});
    QTest::newRow("rank") << QByteArray("2: A total of 10 epochs took 252 seconds")
                          << lines({"total_seconds/rank 2 @ epoch=10: 252 s"});
    QTest::newRow("cut") << QByteArray("A total of 10 epochs took 26.1 sec") << QStringList();
    QTest::newRow("nan") << QByteArray("A total of 10 epochs took nan seconds") << QStringList();
    QTest::newRow("too large") << QByteArray(
        "A total of 99999999999999999999 epochs took 1 seconds")
                               << QStringList();
    QTest::newRow("words") << QByteArray("A total of ten epochs took 26.1 seconds")
                           << QStringList();
}

void TestRecogniseTraining::epochs_readTheTotalTime()
{
    QFETCH(QByteArray, line);
    QTEST(texts(readWhole(line + '\n').samples), "samples");
}

void TestRecogniseTraining::epochs_readTheMnistTutorialWhole()
{
    const Reading reading = readWhole(readLog(QStringLiteral("tf-mnist-epochs.txt")));
    QCOMPARE(texts(reading.samples, QStringLiteral("train_accuracy")),
        lines({"train_accuracy/ @ epoch=1: 95.9883346558 %",
            "train_accuracy/ @ epoch=2: 98.6316680908 %",
            "train_accuracy/ @ epoch=3: 99.186668396 %",
            "train_accuracy/ @ epoch=4: 99.5149993896 %",
            "train_accuracy/ @ epoch=5: 99.6699981689 %"}));
    QCOMPARE(texts(reading.samples, QStringLiteral("test_loss")),
        lines({"test_loss/ @ epoch=1: 0.0633050501347", "test_loss/ @ epoch=2: 0.0737706869841",
            "test_loss/ @ epoch=3: 0.0491303689778", "test_loss/ @ epoch=4: 0.0643440335989",
            "test_loss/ @ epoch=5: 0.0742941945791"}));
    QVERIFY(reading.events.empty());
}

void TestRecogniseTraining::epochs_reportPhasesAndTheBestModel()
{
    const Reading reading = readWhole(readLog(QStringLiteral("bert-classifier-rtx5000.txt")));
    QStringList phases, best;
    for (const MetricEvent& event : reading.events) {
        if (event.event == QLatin1String("phase"))
            phases.append(event.text);
        if (event.event == QLatin1String("best"))
            best.append(event.values.value(QStringLiteral("x")) + u'='
                + event.values.value(QStringLiteral("value")) + u' '
                + event.values.value(QStringLiteral("path")));
    }
    QCOMPARE(phases,
        lines({"Building tokenizer from 'bert-base-uncased'", "Creating tabular datasets",
            "Building iterators", "Creating BERT model", "Start Training...", "Finished Training!",
            "Evaluating the model"}));
    QCOMPARE(best,
        lines({"16=0.6338 ./model.pt", "32=0.5349 ./model.pt", "48=0.327 ./model.pt",
            "64=0.2806 ./model.pt", "112=0.2406 ./model.pt", "128=0.2019 ./model.pt"}));
    const QStringList events = texts(reading.events);
    QVERIFY(events.contains(QStringLiteral("loaded: Model loaded from <== ./metrics.pt")));
    QVERIFY(events.contains(QStringLiteral(
        "artifact: Plot of loss vs. global steps saved as loss_v_global_steps.png")));
    QCOMPARE(events.filter(QRegularExpression(QStringLiteral("^artifact"))).size(), 6 + 7 + 2);
}

void TestRecogniseTraining::epochs_saveOfAWorseModelIsNotTheBest()
{
    const Reading reading = readWhole(
        "Epoch 1, Valid Loss: 0.5\nEpoch 2, Valid Loss: 0.6\nModel saved to ==> ./last.pt\n"
        "Epoch 3, Valid Loss: nan\nModel saved to ==> ./last.pt\n");
    QCOMPARE(texts(reading.events),
        lines(
            {"artifact: Model saved to ==> ./last.pt", "artifact: Model saved to ==> ./last.pt"}));
}

void TestRecogniseTraining::report_readsTheBertTutorial()
{
    const Reading reading = readWhole(readLog(QStringLiteral("bert-classifier-rtx5000.txt")),
        {QStringLiteral("classification-report")});
    QCOMPARE(texts(reading.samples),
        lines({"precision/1 @ report=1: 0.959", "recall/1 @ report=1: 0.881",
            "f1/1 @ report=1: 0.9184", "support/1 @ report=1: 2816",
            "precision/0 @ report=1: 0.8913", "recall/0 @ report=1: 0.9629",
            "f1/0 @ report=1: 0.9257", "support/0 @ report=1: 2854", "accuracy/ @ report=1: 0.9222",
            "precision/macro avg @ report=1: 0.9252", "recall/macro avg @ report=1: 0.9219",
            "f1/macro avg @ report=1: 0.922", "support/macro avg @ report=1: 5670",
            "precision/weighted avg @ report=1: 0.925", "recall/weighted avg @ report=1: 0.9222",
            "f1/weighted avg @ report=1: 0.9221", "support/weighted avg @ report=1: 5670"}));
    QCOMPARE(reading.samples.front().line, 37);
    // All recognisers together find the same.
    const Reading all = readWhole(readLog(QStringLiteral("bert-classifier-rtx5000.txt")));
    QCOMPARE(all.samples.size(), size_t(20 + 17));
}

void TestRecogniseTraining::report_readsTwoDigitsSpacesAndAverages()
{
    const QByteArray log = "                  precision    recall  f1-score   support\n"
                           "\n"
                           "golden retriever       0.67      1.00      0.80         2\n"
                           "       caf\xc3\xa9 noir       0.00      0.00      0.00         1\n"
                           "\n"
                           "       micro avg       0.67      0.67      0.67         3\n"
                           "     samples avg       0.50      0.50      0.50         3\n\n";
    const Reading reading = readWhole(log);
    QCOMPARE(texts(reading.samples, QStringLiteral("f1")),
        lines({"f1/golden retriever @ report=1: 0.8", "f1/caf\xc3\xa9 noir @ report=1: 0",
            "f1/micro avg @ report=1: 0.67", "f1/samples avg @ report=1: 0.5"}));
    QCOMPARE(reading.samples.size(), size_t(16));
}

void TestRecogniseTraining::report_countsReports()
{
    const QByteArray one = "              precision    recall  f1-score   support\n\n"
                           "    accuracy                         0.9222      5670\n\n";
    const Reading reading = readWhole(one + "between\n" + one);
    QCOMPARE(texts(reading.samples),
        lines({"accuracy/ @ report=1: 0.9222", "accuracy/ @ report=2: 0.9222"}));
}

void TestRecogniseTraining::report_keepsRanksApart()
{
    const QByteArray head = "              precision    recall  f1-score   support\n";
    const QByteArray a = "           1     0.9590    0.8810    0.9184      2816\n";
    const QByteArray b = "           1     0.5000    0.5000    0.5000      2816\n";
    const Reading reading = readWhole("0: " + head + "1: " + head + "1: " + b + "0: " + a);
    QCOMPARE(texts(reading.samples, QStringLiteral("recall")),
        lines({"recall/rank 1, 1 @ report=1: 0.5", "recall/1 @ report=1: 0.881"}));
}

void TestRecogniseTraining::report_neverInvents_data()
{
    QTest::addColumn<QByteArray>("row");
    QTest::newRow("cut at the end")
        << QByteArray("           1     0.9590    0.8810    0.9184      28");
    QTest::newRow("cut at the front") << QByteArray("0.9590    0.8810    0.9184      2816");
    QTest::newRow("more than one")
        << QByteArray("           1     1.9590    0.8810    0.9184      2816");
    QTest::newRow("nan") << QByteArray("           1        nan       nan       nan      2816");
    QTest::newRow("a column less")
        << QByteArray("           1               0.8810    0.9184      2816");
    QTest::newRow("negative") << QByteArray(
        "           1     0.9590    0.8810    0.9184     -2816");
    QTest::newRow("huge") << QByteArray(
        "           1     0.9590    0.8810    0.9184 99999999999999999999");
    QTest::newRow("half a character")
        << QByteArray("          \xc3     0.9590    0.8810   0.9184       2816x");
}

void TestRecogniseTraining::report_neverInvents()
{
    QFETCH(QByteArray, row);
    const QByteArray head = "              precision    recall  f1-score   support\n\n";
    QCOMPARE(texts(readWhole(head + row + '\n').samples), QStringList());
    QCOMPARE(texts(readWhole(row + '\n').samples), QStringList());
}

void TestRecogniseTraining::report_readsAPrintedConfusionMatrix()
{
    const QByteArray matrix = "[[2481  335]\n [ 106 2748]]\n";
    const Reading after =
        readWhole(readLog(QStringLiteral("bert-classifier-rtx5000.txt")) + matrix);
    const MetricEvent& event = after.events.back();
    QCOMPARE(event.event, QStringLiteral("confusion_matrix"));
    QCOMPARE(event.text, QStringLiteral("Confusion matrix: 5229 of 5670 right"));
    QCOMPARE(event.values.value(QStringLiteral("rows")), QStringLiteral("2481 335; 106 2748"));
    QCOMPARE(event.line, 45);
    QCOMPARE(texts(readWhole("Confusion Matrix:\n[[1 0\n  0]\n [0 2 0]\n [0 1 3]]\n").events),
        lines({"confusion_matrix: Confusion matrix: 6 of 7 right"}));
}

void TestRecogniseTraining::report_leavesOtherMatricesAlone()
{
    const QByteArray bert = readLog(QStringLiteral("bert-classifier-rtx5000.txt"));
    const size_t events = readWhole(bert).events.size();
    for (const char* matrix : {"[[1 2]\n [3 4]]\n", "[[2481  335]\n [ 106\n", "[[2481  335]]\n",
             "[[2481. 335.]\n [106. 2748.]]\n", "[[2481 335]\n [106 ... 2748]]\n"})
        QCOMPARE(readWhole(bert + matrix).events.size(), events);
    QVERIFY(readWhole("[[2481  335]\n [ 106 2748]]\n").events.empty());
}

void TestRecogniseTraining::ddp_readsTheTutorial()
{
    const Reading reading = readWhole(readLog(QStringLiteral("pt_ddp-format-synthetic.txt")));
    QCOMPARE(texts(reading.samples),
        lines({"steps/ @ epoch=0: 64", "steps/rank 2 @ epoch=0: 64", "steps/rank 3 @ epoch=0: 64",
            "steps/rank 1 @ epoch=0: 64", "epoch_seconds/ @ epoch=0: 5.12 s",
            "items_per_second/ @ epoch=0: 25600 items/s", "steps/ @ epoch=1: 64",
            "epoch_seconds/ @ epoch=1: 2.31 s",
            "items_per_second/ @ epoch=1: 56741.1255411 items/s"}));
    QCOMPARE(texts(reading.events),
        lines({"world: Launching on 2 nodes", "world: Launching 1 tasks per node",
            "world: Using 2 GPUs per task", "world: Training on 4 GPUs - node01:12345",
            "world: Dataset has 131072 items"}));
    QCOMPARE(reading.events[3].values,
        (QMap<QString, QString>{{QStringLiteral("gpus"), QStringLiteral("4")},
            {QStringLiteral("rendezvous"), QStringLiteral("node01:12345")}}));
}

void TestRecogniseTraining::ddp_readsItsSiblings()
{
    const Reading reading = readWhole(readLog(QStringLiteral("torchrun-ddp-lines.txt")));
    QCOMPARE(texts(reading.samples),
        lines({"steps/ @ epoch=0: 32", "steps/rank 1 @ epoch=0: 32", "steps/rank 1 @ epoch=1: 32",
            "steps/ @ epoch=1: 32", "steps/rank 3 @ epoch=49: 8", "steps/ @ epoch=49: 16",
            "average_loss/ @ epoch=49: 0.1019"}));
    QCOMPARE(reading.events.size(), size_t(2));
    QCOMPARE(reading.events[0].values.value(QStringLiteral("path")), QStringLiteral("snapshot.pt"));
    QCOMPARE(reading.events[1].event, QStringLiteral("failed"));
    QVERIFY(reading.events[1].text.contains(QLatin1String("EADDRINUSE")));
}

void TestRecogniseTraining::ddp_reportsFailures()
{
    const Reading reading =
        readWhole("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
                  "  exitcode  : 1 (pid: 4711)\n"
                  "[rank3]:[E1121 10:15:02.1 x.cpp:6] [Rank 3] Watchdog caught collective "
                  "operation timeout: a\n"
                  "exitcode is 1\n[rank3]: fine\nRuntimeError: 5\n");
    QCOMPARE(reading.events.size(), size_t(3));
    for (const MetricEvent& event : reading.events)
        QCOMPARE(event.event, QStringLiteral("failed"));
    QVERIFY(reading.samples.empty());
}

void TestRecogniseTraining::ddp_neverInvents_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char* line : {"[GPU3] Epoch 0 | Batchsize: 512 | Ste", "[GPUx] Epoch 0 | Steps: 4",
             "[GPU3 Epoch 0 | Steps: 4", "[GPU3] Epoch nan | Steps: 4",
             "[GPU3] Epoch 0 | Steps: -4", "[GPU3] Epoch 0 | Steps: 1e3",
             "[GPU99999999999999] Epoch 0 | Steps: 4", "Finished epoch 0 in 5.12 sec",
             "Finished epoch 0 in nan seconds", "Finished epoch 0 in -1 seconds",
             "Finished epoch x in 5 seconds", "Finished epoch 99999999999999999999 in 5 seconds",
             "Finished epoch 0 in 5.12\xe2 seconds"})
        QTest::newRow(line) << QByteArray(line);
}

void TestRecogniseTraining::ddp_neverInvents()
{
    QFETCH(QByteArray, line);
    QCOMPARE(texts(readWhole(line + '\n').samples), QStringList());
}

SLIPWAY_TEST(TestRecogniseTraining, metrics_recognise_training)
#include "tst_recognise_training.moc"

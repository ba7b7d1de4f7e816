// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "texts.h"

#include <QTest>

using namespace slipway;
using namespace slipway::test;

using namespace Qt::StringLiterals;

/// The bars of tqdm, and Lightning, which draws its own with them.
class TestBars : public QObject {
    Q_OBJECT

private slots:
    void tqdm_readsTheSample();
    void tqdm_readsOneBar_data();
    void tqdm_readsOneBar();
    void tqdm_countsOnWhenABarBeginsAnew();
    void tqdm_countsOnWhenOnlyCompleteBarsArePrinted();
    void tqdm_putsAnEvaluationWhereTheTrainingIs();
    void tqdm_readsWhatIsBehindABar();
    void tqdm_takesTheLastFrameOfAStep();
    void tqdm_readsBarsGluedToOtherText();
    void tqdm_reportsProgress();
    void tqdm_neverInvents_data();
    void tqdm_neverInvents();
    void lightning_readsTheSample();
    void lightning_countsItsRanks();
    void lightning_reportsWhatItDid();
    void lightning_aConstantLossIsDrawnAsItIs();
    void lightning_neverInvents_data();
    void lightning_neverInvents();
};

namespace {

QStringList samplesOf(const QByteArray& log)
{
    return texts(readWhole(log).samples);
}

} // namespace

void TestBars::tqdm_readsTheSample()
{
    const Reading reading = readWhole(readLog(u"tqdm-cr-raw.txt"_s));
    QCOMPARE(texts(reading.samples, u"rate"_s),
        lines({"rate/ @ step=4: 32.85 it/s", "rate/ @ step=8: 32.95 it/s",
            "rate/ @ step=12: 33.01 it/s", "rate/ @ step=16: 32.99 it/s",
            "rate/ @ step=20: 32.98 it/s", "rate/ @ step=24: 33 it/s",
            "rate/ @ step=28: 33.03 it/s", "rate/ @ step=32: 32.98 it/s",
            "rate/ @ step=36: 32.93 it/s", "rate/ @ step=40: 32.95 it/s",
            "rate/ @ step=44: 32.18 it/s", "rate/ @ step=48: 32.62 it/s",
            "rate/ @ step=52: 32.78 it/s", "rate/ @ step=56: 32.72 it/s",
            "rate/ @ step=60: 32.75 it/s", "rate/ @ step=64: 32.67 it/s",
            "rate/ @ step=68: 32.74 it/s", "rate/ @ step=72: 32.56 it/s",
            "rate/ @ step=76: 32.1 it/s", "rate/ @ step=80: 32.52 it/s"}));
    QCOMPARE(texts(reading.samples, u"train_loss"_s),
        lines({"train_loss/ @ step=4: 0.383", "train_loss/ @ step=8: 0.209",
            "train_loss/ @ step=12: 0.144", "train_loss/ @ step=16: 0.128",
            "train_loss/ @ step=20: 0.1", "train_loss/ @ step=24: 0.082",
            "train_loss/ @ step=28: 0.077", "train_loss/ @ step=32: 0.066",
            "train_loss/ @ step=36: 0.057", "train_loss/ @ step=40: 0.057",
            "train_loss/ @ step=44: 0.05", "train_loss/ @ step=48: 0.045",
            "train_loss/ @ step=52: 0.041", "train_loss/ @ step=56: 0.04",
            "train_loss/ @ step=60: 0.037", "train_loss/ @ step=64: 0.034",
            "train_loss/ @ step=68: 0.033", "train_loss/ @ step=72: 0.031",
            "train_loss/ @ step=76: 0.029", "train_loss/ @ step=80: 0.029"}));
    QCOMPARE(reading.samples.size(), size_t(40)); // the number of the version is no measurement
}

void TestBars::tqdm_readsOneBar_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QStringList>("samples");
    const auto row = [](const char* name, const char* line,
                         std::initializer_list<const char*> samples) {
        QTest::newRow(name) << QByteArray(line) << lines(samples);
    };
    row("Lightning", "Epoch 4: 100%|████| 512/512 [00:03<00:00, 129.19it/s, v_num=2, train_loss=-]",
        {"rate/ @ step=2560: 129.19 it/s"});
    row("seconds a step", "Epoch 0:  50%|█| 2/4 [00:10<00:10,  5.00s/it, train_loss=-0.000]",
        {"rate/ @ step=2: 0.2 it/s", "train_loss/ @ step=2: 0"});
    row("no rate yet, no number", "Epoch 0:  25%|█| 1/4 [00:00<?, ?it/s, loss=nan, acc=0.5]",
        {"loss/ @ step=1: nan", "accuracy/ @ step=1: 0.5"});
    row("epoch of epochs counts from 1",
        "Epoch 2/3: 100%|##########| 10/10 [1:02:03<00:00, 2.5it/s]",
        {"rate/ @ step=20: 2.5 it/s"});
    row("no description", " 10%|█         | 50/500 [00:10<01:30,  5.00it/s]",
        {"rate/ @ step=50: 5 it/s"});
    row("ASCII bar", " 35%|###5      | 35/100 [00:10<01:30, 5.00it/s]",
        {"rate/ @ step=35: 5 it/s"});
    row("a name is a lane", "Validation DataLoader 0: 100%|█| 8/8 [00:01<00:00, 8.00it/s]",
        {"rate/Validation DataLoader 0 @ step=8: 8 it/s"});
    row("epoch with a name", "Train Epoch 1:  50%|█| 4/8 [00:01<00:00, 8.00it/s]",
        {"rate/Train @ step=4: 8 it/s"});
    row("its numbers in a dictionary, with units",
        "epoch 1: 100%|█| 8/8 [00:01<00:00, 8.00it/s, loss=0.5, metrics={'acc': 0.75, 'auc': "
        "0.25}, mem=2.5GB, seen=12K, done=3/8]",
        {"rate/ @ step=8: 8 it/s", "loss/ @ step=8: 0.5", "accuracy/ @ step=8: 0.75",
            "auc/ @ step=8: 0.25", "mem/ @ step=8: 2500000000 B"});
    row("its numbers behind colons", " 50%|█| 4/8 [00:01<00:00, 8.00it/s, loss: 0.5 acc: 91.5%]",
        {"rate/ @ step=4: 8 it/s", "loss/ @ step=4: 0.5", "accuracy/ @ step=4: 91.5 %"});
    row("a unit of its own", "Map: 100%|█| 1000/1000 [00:00<00:00, 5123.11 examples/s]",
        {"rate/Map @ step=1000: 5123.11 examples/s"});
    row("thousands", " 50%|█| 1.50k/3.00k [00:01<00:01, 1.50kit/s]",
        {"rate/ @ step=1500: 1500 it/s"});
    row("rank", "3: Epoch 0:  50%|█| 2/4 [00:10<00:10, 5.00it/s]",
        {"rate/rank 3 @ step=2: 5 it/s"});
    row("rank and name", "3: Testing:  50%|█| 2/4 [00:10<00:10, 5.00it/s]",
        {"rate/rank 3, Testing @ step=2: 5 it/s"});
}

void TestBars::tqdm_readsOneBar()
{
    QFETCH(QByteArray, line);
    QTEST(samplesOf(line + '\n'), "samples");
}

void TestBars::tqdm_countsOnWhenABarBeginsAnew()
{
    QCOMPARE(samplesOf("Training: 100%|█| 8/8 [00:01<00:00, 8.00it/s]\n"
                       "Testing: 100%|█| 2/2 [00:01<00:00, 2.00it/s]\n"
                       "Training:  50%|█| 4/8 [00:01<00:00, 7.00it/s]\n"
                       "Training: 100%|█| 8/8 [00:01<00:00, 6.00it/s]\n"),
        lines({"rate/Training @ step=8: 8 it/s", "rate/Testing @ step=2: 2 it/s",
            "rate/Training @ step=12: 7 it/s", "rate/Training @ step=16: 6 it/s"}));
}

void TestBars::tqdm_countsOnWhenOnlyCompleteBarsArePrinted()
{
    const QByteArray bar = "100%|█| 8/8 [00:04<00:00, 2.00it/s, loss=0.5]\n";
    QCOMPARE(samplesOf(bar + "Epoch 1 done\n" + bar + bar
                 + "100%|█| 8/8 [00:06<00:00, "
                   "1.50it/s, loss=0.25]\n"),
        lines({"rate/ @ step=8: 2 it/s", "loss/ @ step=8: 0.5", "rate/ @ step=16: 2 it/s",
            "loss/ @ step=16: 0.5", "rate/ @ step=24: 1.5 it/s", "loss/ @ step=24: 0.25"}));
}

void TestBars::tqdm_putsAnEvaluationWhereTheTrainingIs()
{
    QCOMPARE(samplesOf("epoch 1: 100%|█| 8/8 [00:01<00:00, 8.00it/s, loss=0.5]\n"
                       "valid:  50%|█| 1/2 [00:01<00:00, 2.00it/s, loss=0.9]\n"
                       "valid: 100%|█| 2/2 [00:01<00:00, 2.00it/s, loss=0.75]\n"
                       "epoch 2: 100%|█| 8/8 [00:01<00:00, 8.00it/s, loss=0.25]\n"
                       "Validating: 100%|█| 2/2 [00:01<00:00, 2.00it/s, val_loss=0.5]\n"),
        lines({"rate/ @ step=8: 8 it/s", "loss/ @ step=8: 0.5", "rate/valid @ step=1: 2 it/s",
            "rate/valid @ step=2: 2 it/s", "valid_loss/ @ step=8: 0.75", "rate/ @ step=16: 8 it/s",
            "loss/ @ step=16: 0.25", "rate/Validating @ step=2: 2 it/s",
            "valid_loss/ @ step=16: 0.5"}));
}

void TestBars::tqdm_readsWhatIsBehindABar()
{
    QCOMPARE(samplesOf("eval:   0%|          | 0/34 [00:00<?, ?it/s]Epoch 1, Loss: 0.5\n"
                       "eval:   0%|          | 0/34 [00:00<?, ?it/s]Epoch 2, Loss: 0.25\n"),
        lines({"train_loss/ @ epoch=1: 0.5", "train_loss/ @ epoch=2: 0.25"}));
}

void TestBars::tqdm_takesTheLastFrameOfAStep()
{
    const QByteArray frame = "\rEpoch 0:  50%|█████     | 2/4 [00:10<00:10, 5.00it/s, loss=0.9]";
    const QByteArray newer = QByteArray(frame).replace("0.9", "0.8");
    const QByteArray next = QByteArray(frame).replace("2/4", "3/4");
    // Of the frames one in four is read, as many bytes as they have.
    QCOMPARE(samplesOf(frame.repeated(4) + newer.repeated(8) + next.repeated(8)
                 + QByteArray(next).replace("0.9", "0.7") + "\n"),
        lines({"rate/ @ step=2: 5 it/s", "loss/ @ step=2: 0.8", "rate/ @ step=3: 5 it/s",
            "loss/ @ step=3: 0.7"}));
}

void TestBars::tqdm_readsBarsGluedToOtherText()
{
    const QByteArray bar = "Epoch 0:  50%|█| 2/4 [00:10<00:10, 5.00it/s]";
    QCOMPARE(samplesOf(bar + "/usr/lib/python3/x.py:3: UserWarning: 100% of it\n"),
        lines({"rate/ @ step=2: 5 it/s"}));
    QCOMPARE(
        samplesOf("The dataloader does not have many workers, which may be slow." + bar + "\n"),
        lines({"rate/ @ step=2: 5 it/s"}));
    QCOMPARE(samplesOf(bar + "Epoch 0:  75%|█| 3/4 [00:10<00:10, 6.00it/s]\n"),
        lines({"rate/ @ step=2: 5 it/s", "rate/ @ step=3: 6 it/s"}));
    // A long text glued to a bar that names no epoch: its name is unknown.
    QCOMPARE(
        samplesOf(QByteArray(50, 'x') + " 50%|█| 2/4 [00:10<00:10, 5.00it/s]\n"), QStringList());
    // Cut by another program's line.
    QCOMPARE(samplesOf("Epoch 0:  50%|█ 2026-11-20 21:01:31: I tensorflow/x.cc:3] loss=3\n"),
        QStringList());
}

void TestBars::tqdm_reportsProgress()
{
    MetricsPipeline pipeline;
    pipeline.feed("Epoch 2/4:  50%|█| 5/10 [00:10<00:10, 5.00it/s]\n");
    QCOMPARE(pipeline.progress()->done, 15.0);
    QCOMPARE(pipeline.progress()->total, 40.0);
    pipeline.feed("model.bin:  25%|█| 110M/440M [00:10<00:10, 42.0MB/s]\n");
    QCOMPARE(pipeline.progress()->name, u"download"_s);
    QCOMPARE(pipeline.progress()->done, 110e6);
    QCOMPARE(pipeline.progress()->total, 440e6);
}

void TestBars::tqdm_neverInvents_data()
{
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char* name, const char* line) {
        QTest::newRow(name) << QByteArray(line);
    };
    row("download", "model.bin: 100%|█| 440M/440M [00:10<00:00, 42.0MB/s]");
    row("sanity check", "Sanity Checking DataLoader 0: 100%|█| 2/2 [00:00<00:00, 2.00it/s]");
    row("nothing done", "Epoch 0:   0%|          | 0/40 [00:00<?, ?it/s, loss=2.3]");
    row("no counts", "Epoch 0:  50%|█████| [00:10<00:10, 5.00it/s]");
    row("more than there is", "Epoch 0:  50%|█| 5/4 [00:10<00:10, 5.00it/s]");
    row("no times", "Epoch 0:  50%|█| 2/4 [5.00it/s]");
    row("cut", "Epoch 0:  50%|█| 2/4 [00:10<00:10, 5.00it/s, loss=0.5");
    row("words in the bar", "Epoch 0:  50%|half| 2/4 [00:10<00:10, 5.00it/s]");
    row("negative rate", "Epoch 0:  50%|█| 2/4 [00:10<00:10, -5.00it/s]");
    row("a table", "| usage | 50%| 2/4 [full] |");
    row("percent alone", "disk 50%|");
}

void TestBars::tqdm_neverInvents()
{
    QFETCH(QByteArray, line);
    QCOMPARE(samplesOf(line + '\n'), QStringList());
}

void TestBars::lightning_readsTheSample()
{
    const Reading reading = readWhole(readLog(u"lightning-slurm-startup.txt"_s));
    QCOMPARE(texts(reading.events),
        lines({"device: GPU available: True (cuda), used: True",
            "rank: Initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/2",
            "rank: Initializing distributed: GLOBAL_RANK: 1, MEMBER: 2/2",
            "backend: distributed_backend=nccl",
            "ranks: All distributed processes registered. Starting with 2 processes",
            "devices: LOCAL_RANK: 1 - CUDA_VISIBLE_DEVICES: [0,1]",
            "devices: LOCAL_RANK: 0 - CUDA_VISIBLE_DEVICES: [0,1]",
            "requeue: SLURM auto-requeueing enabled. Setting signal handlers."}));
    QVERIFY(reading.samples.empty());
    QCOMPARE(reading.events[2].values,
        (QMap<QString, QString>{
            {u"rank"_s, u"1"_s}, {u"registered"_s, u"2"_s}, {u"ranks"_s, u"2"_s}}));
    QCOMPARE(reading.events[5].values.value(u"devices"_s), u"[0,1]"_s);
}

void TestBars::lightning_countsItsRanks()
{
    MetricsPipeline pipeline;
    for (const char* member : {"1", "3", "3", "16"})
        pipeline.feed(QByteArray("Initializing distributed: GLOBAL_RANK: 0, MEMBER: ")
                          .append(member)
                          .append("/16\n"));
    QCOMPARE(pipeline.progress()->name, u"ranks"_s);
    QCOMPARE(pipeline.progress()->done, 3.0);
    QCOMPARE(pipeline.progress()->total, 16.0);
    pipeline.feed("All distributed processes registered. Starting with 16 processes\n");
    QCOMPARE(pipeline.progress()->done, 16.0);
}

void TestBars::lightning_reportsWhatItDid()
{
    const Reading reading = readWhole("  | Name  | Type       | Params\n"
                                      "-------------------------------------\n"
                                      "0 | model | Sequential | 55.6 M\n"
                                      "1 | head  | Linear     | 7.9 K  | train\n"
                                      "55.6 M    Trainable params\n"
                                      "0         Non-trainable params\n"
                                      "55.6 M    Total params\n"
                                      "222.464   Total estimated model params size (MB)\n"
                                      "`Trainer.fit` stopped: `max_epochs=5` reached.\n"
                                      "GPU available: False, used: False\n");
    QStringList words;
    for (const MetricEvent& event : reading.events)
        words.append(event.event);
    QCOMPARE(words,
        lines({"module", "module", "model", "model", "model", "model", "done", "no_device"}));
    QCOMPARE(reading.events[0].values.value(u"parameters"_s), u"55600000"_s);
    QCOMPARE(reading.events[1].values.value(u"type"_s), u"Linear"_s);
    QCOMPARE(reading.events[2].values.value(u"trainable_parameters"_s), u"55600000"_s);
    QCOMPARE(reading.events[3].values.value(u"fixed_parameters"_s), u"0"_s);
    QCOMPARE(reading.events[5].values.value(u"bytes"_s), u"222464000"_s);
    QCOMPARE(reading.events[6].values.value(u"reason"_s), u"max_epochs=5"_s);
    QVERIFY(reading.samples.empty());
}

/// The lesson's loss is that of a single class: zero from the start, which is not a failure.
void TestBars::lightning_aConstantLossIsDrawnAsItIs()
{
    const Reading reading = readWhole(
        "Epoch 0: 100%|█| 512/512 [00:03<00:00, 128.00it/s, v_num=7, train_loss=0.000]\n"
        "Epoch 1: 100%|█| 512/512 [00:03<00:00, 130.00it/s, v_num=7, train_loss=-0.00]\n");
    QCOMPARE(texts(reading.samples),
        lines({"rate/ @ step=512: 128 it/s", "train_loss/ @ step=512: 0",
            "rate/ @ step=1024: 130 it/s", "train_loss/ @ step=1024: 0"}));
    QVERIFY(reading.events.empty());
}

void TestBars::lightning_neverInvents_data()
{
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char* name, const char* line) {
        QTest::newRow(name) << QByteArray(line);
    };
    row("another program's words", "GPU available: True");
    row("neither true nor false", "GPU available: maybe, used: True");
    row("member 0", "Initializing distributed: GLOBAL_RANK: 0, MEMBER: 0/2");
    row("member beyond", "Initializing distributed: GLOBAL_RANK: 0, MEMBER: 3/2");
    row("no member", "Initializing distributed: GLOBAL_RANK: 0");
    row("not that table", "0 | model | Sequential | many");
    row("short row", "0 | model | 55.6 M");
    row("prose", "55.6 M of the Trainable params");
    row("backend in prose", "distributed_backend=nccl was chosen");
}

void TestBars::lightning_neverInvents()
{
    QFETCH(QByteArray, line);
    const Reading reading = readWhole(line + '\n', {u"lightning"_s});
    QCOMPARE(texts(reading.events), QStringList());
}

SLIPWAY_TEST(TestBars, metrics_bars)
#include "tst_bars.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "texts.h"

#include <QTest>

using namespace slipway;
using namespace slipway::test;

using namespace Qt::StringLiterals;

/// The training loops of Keras and of Hugging Face.
class TestTrainers : public QObject {
    Q_OBJECT

private slots:
    void keras2_readsTheSample();
    void keras2_withBackspaces_drawsOnlyTheLastBar();
    void keras3_withColours_drawsOnlyTheLastBar();
    void keras_withoutATerminal_readsLines();
    void keras_verbose2_data();
    void keras_verbose2();
    void keras_timesOfAStep_data();
    void keras_timesOfAStep();
    void keras_drawsNothingWithoutAnEpoch_data();
    void keras_drawsNothingWithoutAnEpoch();
    void keras_reportsProgress();
    void keras_keepsRanksApart();
    void keras_saysWhichModelWasSaved();
    void trainer_readsDictionaries();
    void trainer_readsQuotedNumbersAndNan();
    void trainer_readsWhatIsGluedToABar();
    void trainer_neverInvents_data();
    void trainer_neverInvents();
};

namespace {

Reading readTrainer(const QByteArray& log)
{
    return readWhole(log);
}

/// A frame as Keras writes it: what stood there is taken back, then comes the next.
QByteArray frame(const QByteArray& before, const QByteArray& text)
{
    return QByteArray(before.size(), '\b') + '\r' + text;
}

} // namespace

void TestTrainers::keras2_readsTheSample()
{
    const Reading reading = readTrainer(readLog(u"keras2-progress.txt"_s));
    QCOMPARE(texts(reading.samples),
        lines({"train_loss/ @ epoch=1: 0.2118", "train_accuracy/ @ epoch=1: 0.9166",
            "valid_loss/ @ epoch=1: 0.0951", "valid_accuracy/ @ epoch=1: 0.9664",
            "lr/ @ epoch=1: 0.001", "step_time/ @ epoch=1: 0.5 s", "epoch_time/ @ epoch=1: 62 s",
            "train_loss/ @ epoch=2: 0.0696", "train_accuracy/ @ epoch=2: 0.9827",
            "valid_loss/ @ epoch=2: 0.0608", "valid_accuracy/ @ epoch=2: 0.9813",
            "lr/ @ epoch=2: 0.001", "step_time/ @ epoch=2: 0.41 s",
            "epoch_time/ @ epoch=2: 49 s"}));
    QCOMPARE(reading.samples.back().line, 5);
}

void TestTrainers::keras2_withBackspaces_drawsOnlyTheLastBar()
{
    QByteArray log = "Epoch 1/2\n";
    QByteArray before;
    for (int i = 1; i <= 40; ++i) {
        const QByteArray text = QByteArray::number(i).rightJustified(2)
            + "/40 [=>.........] - ETA: " + QByteArray::number(40 - i) + "s - loss: 0.9"
            + QByteArray::number(i);
        log += frame(before, text);
        before = text;
    }
    log += frame(before, "40/40 [==========] - 3s 80ms/step - loss: 0.5000 - val_loss: 0.4000\n");
    const Reading reading = readTrainer(log);
    QCOMPARE(texts(reading.samples),
        lines({"train_loss/ @ epoch=1: 0.5", "valid_loss/ @ epoch=1: 0.4",
            "step_time/ @ epoch=1: 0.08 s", "epoch_time/ @ epoch=1: 3 s"}));
    // The same bytes one by one.
    QVERIFY(readInChunks(log, [] { return 1; }) == reading);
    // Cut off in the middle, it has said how far it is, but nothing to draw.
    MetricsPipeline pipeline;
    pipeline.feed(log.left(1800));
    QVERIFY(pipeline.progress().has_value());
    QCOMPARE(pipeline.progress()->total, 80.0);
    QVERIFY(pipeline.progress()->done > 4 && pipeline.progress()->done < 40);
    QVERIFY(pipeline.takeSamples().empty());
}

void TestTrainers::keras3_withColours_drawsOnlyTheLastBar()
{
    const QByteArray part = "\r\x1b[1m211/422\x1b[0m \x1b[32m━━━━━━━━━━\x1b[0m"
                            "\x1b[37m━━━━━━━━━━\x1b[0m "
                            "\x1b[1m22s\x1b[0m 105ms/step - accuracy: 0.5000 - loss: 0.9000";
    const QByteArray last =
        "\r\x1b[1m422/422\x1b[0m \x1b[32m━━━━━━━━━━"
        "━━━━━━━━━━\x1b[0m\x1b[37m\x1b[0m "
        "\x1b[1m47s\x1b[0m 108ms/step - accuracy: 0.8659 - loss: 0.4917 - "
        "val_accuracy: 0.9842 - val_loss: 0.0581 - learning_rate: 9.3199e-04   \n";
    const Reading reading = readTrainer("Epoch 3/15\n" + part.repeated(9) + last);
    QCOMPARE(texts(reading.samples),
        lines({"train_accuracy/ @ epoch=3: 0.8659", "train_loss/ @ epoch=3: 0.4917",
            "valid_accuracy/ @ epoch=3: 0.9842", "valid_loss/ @ epoch=3: 0.0581",
            "lr/ @ epoch=3: 0.00093199", "step_time/ @ epoch=3: 0.108 s",
            "epoch_time/ @ epoch=3: 47 s"}));
}

void TestTrainers::keras_withoutATerminal_readsLines()
{
    // Each frame on a line of its own: only the last is the epoch's.
    const Reading reading =
        readTrainer("Epoch 1/5\n"
                    " 1/43 [..............................] - ETA: 10s - loss: 2.5\n"
                    "42/43 [============================>.] - ETA: 0s - loss: 0.6\n"
                    "43/43 [==============================] - ETA: 0s - loss: 0.5\n"
                    "43/43 [==============================] - 2s 40ms/step - loss: 0.5\n");
    QCOMPARE(texts(reading.samples),
        lines({"train_loss/ @ epoch=1: 0.5", "step_time/ @ epoch=1: 0.04 s",
            "epoch_time/ @ epoch=1: 2 s"}));
}

void TestTrainers::keras_verbose2_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QStringList>("samples");
    QTest::newRow("Keras 3") << QByteArray("43/43 - 0s - 5ms/step - loss: 0.42")
                             << lines({"train_loss/ @ epoch=1: 0.42",
                                    "step_time/ @ epoch=1: 0.005 s", "epoch_time/ @ epoch=1: 0 s"});
    QTest::newRow("Keras 2")
        << QByteArray("43/43 - 3s - loss: 0.42 - acc: 0.5 - 3210ms/epoch - 75ms/step")
        << lines({"train_loss/ @ epoch=1: 0.42", "train_accuracy/ @ epoch=1: 0.5",
               "step_time/ @ epoch=1: 0.075 s", "epoch_time/ @ epoch=1: 3.21 s"});
    QTest::newRow("a loss that is not a number")
        << QByteArray("43/43 - 1s - 5ms/step - loss: nan")
        << lines({"train_loss/ @ epoch=1: nan", "step_time/ @ epoch=1: 0.005 s",
               "epoch_time/ @ epoch=1: 1 s"});
}

void TestTrainers::keras_verbose2()
{
    QFETCH(QByteArray, line);
    QTEST(texts(readTrainer("Epoch 1/5\n" + line + "\n").samples), "samples");
}

void TestTrainers::keras_timesOfAStep_data()
{
    QTest::addColumn<double>("seconds");
    QTest::newRow("750us") << 750e-6;
    QTest::newRow("12ms") << 12e-3;
    QTest::newRow("2s") << 2.0;
}

void TestTrainers::keras_timesOfAStep()
{
    const QByteArray time = QTest::currentDataTag();
    const Reading reading = readTrainer("Epoch 1/1\n9/9 [====] - 1s " + time + "/step - loss: 1\n");
    QCOMPARE(reading.samples.size(), size_t(3));
    QCOMPARE(reading.samples[1].series, u"step_time"_s);
    QTEST(reading.samples[1].y, "seconds");
}

void TestTrainers::keras_drawsNothingWithoutAnEpoch_data()
{
    QTest::addColumn<QByteArray>("log");
    const auto row = [](const char* name, const char* log) {
        QTest::newRow(name) << QByteArray(log);
    };
    row("download",
        "11490434/11490434 ━━━━━━━━━━"
        "━━━━━━━━━━ 0s 0us/step\n");
    row("old download", "11490434/11490434 [==============================] - 0s 0us/step\n");
    row("evaluation",
        "313/313 ━━━━━━━━━━ 1s 2ms/step"
        " - accuracy: 0.97 - loss: 0.08\n");
    row("header cut", "Epoch 1/\n43/43 - 0s - 5ms/step - loss: 0.42\n");
    row("header with more", "Epoch 1/5 begins\n43/43 - 0s - 5ms/step - loss: 0.42\n");
    row("no such epoch", "Epoch 6/5\n43/43 - 0s - 5ms/step - loss: 0.42\n");
    row("not the end", "Epoch 1/5\n42/43 [===>.] - ETA: 0s - loss: 0.42\n");
    row("no bar", "Epoch 1/5\n43/43 tests passed - loss: 0.42\n");
    row("more done than there is", "Epoch 1/5\n44/43 [====] - 0s 5ms/step - loss: 0.42\n");
    row("no time", "Epoch 1/5\n43/43 [====] - loss: 0.42\n");
    row("time of something else", "Epoch 1/5\n43/43 [====] - 0s 5ms/sample - loss: 0.42\n");
    row("a date", "Epoch 1/5\n11/21/2026 - 0s - loss: 0.42\n");
}

void TestTrainers::keras_drawsNothingWithoutAnEpoch()
{
    QFETCH(QByteArray, log);
    QCOMPARE(texts(readTrainer(log).samples), QStringList());
}

void TestTrainers::keras_reportsProgress()
{
    MetricsPipeline pipeline;
    pipeline.feed("100/100 ━━━━ 0s 0us/step\n");
    QVERIFY(!pipeline.progress()); // a download is not how far the training has come
    pipeline.feed("Epoch 2/4\n50/100 [==>...] - ETA: 5s - loss: 1\n");
    QVERIFY(pipeline.progress().has_value());
    QCOMPARE(pipeline.progress()->done, 150.0);
    QCOMPARE(pipeline.progress()->total, 400.0);
    // What evaluate() prints after the last epoch belongs to no epoch.
    pipeline.feed(
        "100/100 [====] - 5s 50ms/step - loss: 1\n100/100 [====] - 1s 10ms/step - loss: 7\n");
    QCOMPARE(texts(pipeline.takeSamples(), u"train_loss"_s), lines({"train_loss/ @ epoch=2: 1"}));
}

void TestTrainers::keras_keepsRanksApart()
{
    QCOMPARE(texts(readTrainer("0: Epoch 1/2\n1: Epoch 1/2\n1: 9/9 - 1s - 5ms/step - loss: 3\n"
                               "0: 9/9 - 1s - 5ms/step - loss: 2\n0: Epoch 2/2\n")
                       .samples,
                 u"train_loss"_s),
        lines({"train_loss/rank 1 @ epoch=1: 3", "train_loss/ @ epoch=1: 2"}));
}

void TestTrainers::keras_saysWhichModelWasSaved()
{
    const Reading reading = readTrainer(
        "Epoch 3: val_loss improved from 0.31000 to 0.30000, saving model to best.keras\n"
        "Epoch 4: val_loss did not improve from 0.30000\n");
    QCOMPARE(reading.events.size(), size_t(1));
    QCOMPARE(reading.events[0].event, u"artifact"_s);
    QCOMPARE(reading.events[0].values.value(u"path"_s), u"best.keras"_s);
}

void TestTrainers::trainer_readsDictionaries()
{
    const Reading reading = readTrainer(
        "{'loss': 2.6495, 'grad_norm': 1.14, 'learning_rate': 5e-06, 'epoch': 0.04}   \n"
        "{'eval_loss': 1.5, 'eval_accuracy': 0.45, 'eval_runtime': 7.031, "
        "'eval_samples_per_second': 142.2, 'eval_steps_per_second': 17.8,'epoch': 3.0}\n"
        "{'train_runtime': 214.2777, 'train_samples_per_second': 38.231, "
        "'train_steps_per_second': 4.79, 'train_loss': 1.89, 'epoch': 3.0}\n");
    QCOMPARE(texts(reading.samples),
        lines({"loss/ @ epoch=0.04: 2.6495", "grad_norm/ @ epoch=0.04: 1.14",
            "lr/ @ epoch=0.04: 5e-06", "eval_loss/ @ epoch=3: 1.5",
            "eval_accuracy/ @ epoch=3: 0.45", "eval_runtime/ @ epoch=3: 7.031 s",
            "eval_samples_per_second/ @ epoch=3: 142.2 samples/s",
            "eval_steps_per_second/ @ epoch=3: 17.8 steps/s",
            "train_runtime/ @ epoch=3: 214.2777 s",
            "train_samples_per_second/ @ epoch=3: 38.231 samples/s",
            "train_steps_per_second/ @ epoch=3: 4.79 steps/s", "train_loss/ @ epoch=3: 1.89"}));
}

void TestTrainers::trainer_readsQuotedNumbersAndNan()
{
    QCOMPARE(texts(readTrainer(
                 "{'loss': '2.649', 'grad_norm': nan, 'learning_rate': '5e-06', 'note': None, "
                 "'epoch': '0.04'}\n"
                 "1: {'loss': inf, 'epoch': 1}\n")
                       .samples),
        lines({"loss/ @ epoch=0.04: 2.649", "grad_norm/ @ epoch=0.04: nan",
            "lr/ @ epoch=0.04: 5e-06", "loss/rank 1 @ epoch=1: inf"}));
}

void TestTrainers::trainer_readsWhatIsGluedToABar()
{
    const QByteArray bar = " 50%|█████     | 10/20 [00:05<00:05,  2.00it/s]";
    QCOMPARE(texts(readTrainer("\r" + bar + "{'loss': 2.5, 'epoch': 0.5}\n").samples),
        lines({"loss/ @ epoch=0.5: 2.5", "rate/ @ step=10: 2 it/s"}));
    // The bar of the next line overwrites the spaces, the dictionary stays behind it.
    QCOMPARE(
        texts(
            readTrainer("\r" + bar + "\r                 \r{'loss': 2.5, 'epoch': 0.5}\n").samples),
        lines({"loss/ @ epoch=0.5: 2.5", "rate/ @ step=10: 2 it/s"}));
    QCOMPARE(
        texts(readTrainer("{'loss': 2.5, 'epoch': 0.5}{'loss': 2.25, 'epoch': 1.0}\n").samples),
        lines({"loss/ @ epoch=0.5: 2.5", "loss/ @ epoch=1: 2.25"}));
}

void TestTrainers::trainer_neverInvents_data()
{
    QTest::addColumn<QByteArray>("line");
    const auto row = [](const char* name, const char* line) {
        QTest::newRow(name) << QByteArray(line);
    };
    row("cut", "{'loss': 2.6495, 'epoch': 0.0");
    row("cut in a name", "{'loss': 2.6495, 'epo");
    row("no epoch", "{'loss': 2.6495, 'grad_norm': 1.14}");
    row("epoch is a word", "{'loss': 2.6495, 'epoch': 'first'}");
    row("epoch is no number", "{'loss': 2.6495, 'epoch': nan}");
    row("nested", "{'loss': {'a': 1}, 'epoch': 1.0}");
    row("nothing of the trainer", "{'lr_scheduler': 'linear', 'seed': 42}");
    row("a set", "{'loss', 'epoch'}");
}

void TestTrainers::trainer_neverInvents()
{
    QFETCH(QByteArray, line);
    QCOMPARE(texts(readWhole(line + '\n', {u"hf-trainer"_s}).samples), QStringList());
}

SLIPWAY_TEST(TestTrainers, metrics_trainers)
#include "tst_trainers.moc"

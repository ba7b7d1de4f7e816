// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/fields.h"
#include "plots/metrics/scan.h"
#include "tests/support/testmain.h"

#include <QTest>

#include <bit>
#include <charconv>
#include <cmath>
#include <random>

using namespace slipway;

namespace {

std::string_view view(const QByteArray& bytes)
{
    return {bytes.constData(), size_t(bytes.size())};
}

/// "step 10: loss=0.5 lr=0.001", or "" when the line is none.
QString describe(const QByteArray& line)
{
    LineFields fields;
    if (!readFields(view(line), fields))
        return {};
    QString text;
    if (fields.epoch)
        text += QStringLiteral("epoch %1 ").arg(fields.epoch->done);
    if (fields.step)
        text += QStringLiteral("step %1 ").arg(fields.step->done);
    text = text.trimmed() + u':';
    for (size_t i = 0; i < fields.pairCount; ++i) {
        const QString name = seriesName(fields.pairs[i].name);
        text += QStringLiteral(" %1=%2%3")
                    .arg(name)
                    .arg(fields.pairs[i].value)
                    .arg(seriesUnit(name, fields.pairs[i]));
    }
    return text;
}

} // namespace

class TestFields : public QObject {
    Q_OBJECT

private slots:
    void numbers_areTheNearestDoubles();
    void number_isReadStrictly_data();
    void number_isReadStrictly();
    void fields_readNamesWithNumbers_data();
    void fields_readNamesWithNumbers();
    void fields_refuseProse_data();
    void fields_refuseProse();
};

void TestFields::number_isReadStrictly_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<double>("value");
    QTest::addColumn<QByteArray>("rest");
    const double none = -12345;
    QTest::newRow("integer") << QByteArray("42") << 42.0 << QByteArray();
    QTest::newRow("exponent") << QByteArray("1e-05 x") << 1e-5 << QByteArray(" x");
    QTest::newRow("sign") << QByteArray("+1.5,") << 1.5 << QByteArray(",");
    QTest::newRow("minus zero") << QByteArray("-0.000") << 0.0 << QByteArray();
    QTest::newRow("end of a sentence") << QByteArray("0.5.") << 0.5 << QByteArray(".");
    QTest::newRow("infinity") << QByteArray("-inf") << double(-INFINITY) << QByteArray();
    QTest::newRow("percent") << QByteArray("95%") << 95.0 << QByteArray("%");
    QTest::newRow("info is a word") << QByteArray("info") << none << QByteArray("info");
    QTest::newRow("hexadecimal") << QByteArray("0x1f") << none << QByteArray("0x1f");
    QTest::newRow("time") << QByteArray("12:30") << none << QByteArray("12:30");
    QTest::newRow("version") << QByteArray("2.4.1") << none << QByteArray("2.4.1");
    QTest::newRow("date") << QByteArray("2024-03-12") << none << QByteArray("2024-03-12");
    QTest::newRow("thousands") << QByteArray("1,234") << none << QByteArray("1,234");
    QTest::newRow("no double holds it") << QByteArray("1e999") << none << QByteArray("1e999");
    QTest::newRow("two signs") << QByteArray("+-1") << none << QByteArray("+-1");
    QTest::newRow("empty") << QByteArray("") << none << QByteArray("");
}

void TestFields::number_isReadStrictly()
{
    QFETCH(QByteArray, text);
    std::string_view rest = view(text);
    QTEST(takeNumber(rest).value_or(-12345), "value");
    QTEST(QByteArray(rest.data(), qsizetype(rest.size())), "rest");
}

void TestFields::fields_readNamesWithNumbers_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("read");
    const auto row = [](const char* line, const char* read) {
        QTest::newRow(line) << QByteArray(line) << QString::fromUtf8(read);
    };
    row("step 10 loss 0.5", "step 10: loss=0.5");
    row("step: 10, loss: 0.5", "step 10: loss=0.5");
    row("iter=200 | lr=1e-4 | loss=2.31", "step 200: lr=0.0001 loss=2.31");
    row("loss=0.5 step=10", "step 10: loss=0.5");
    row("[2024-03-12 08:22:45,549] INFO Step 3/10 - train/loss: 0.25 - val_acc: 91.5",
        "step 3: train_loss=0.25 valid_accuracy=91.5%");
    row("2024-03-12 08:22:45 INFO: iteration 5: loss = nan", "step 5: loss=nan");
    row("Epoch [1/5], Step [16/160], Train Loss: 0.7057, Valid Loss: 0.6338",
        "epoch 1 step 16: train_loss=0.7057 valid_loss=0.6338");
    row("Epoch: [0][ 10/5005]\tTime  0.254 ( 0.512)\tLoss 6.9e+00 (7.0e+00)\tAcc@1   0.39 (  0.12)",
        "epoch 0 step 10: time=0.254 loss=6.9 acc@1=0.39");
    row("{'loss': 2.6495, 'grad_norm': 1.14, 'learning_rate': 5e-06, 'epoch': 0.04}",
        "epoch 0.04: loss=2.6495 grad_norm=1.14 lr=5e-06");
    row("{\"step\": 10, \"loss\": 0.5}", "step 10: loss=0.5");
    row("[GPU0] Epoch 49 | Batchsize: 32 | Steps: 16 | Average Loss: 0.1019",
        "epoch 49: average_loss=0.1019");
    row("Epoch 1, Loss: tf.Tensor(0.13, shape=(), dtype=float32), Accuracy: 0.95",
        "epoch 1: loss=0.13 accuracy=0.95");
    row("step 10 loss: 0.5 throughput: 812.5 img/s", "step 10: loss=0.5 throughput=812.5img/s");
    row("Epoch 3/10 | loss 0.5 | ETA 0:05:11 | acc 91.2%", "epoch 3: loss=0.5 accuracy=91.2%");
    row("Epoch 2 - loss: -0.5", "epoch 2: loss=-0.5");
}

void TestFields::fields_readNamesWithNumbers()
{
    QFETCH(QByteArray, line);
    QTEST(describe(line), "read");
}

void TestFields::fields_refuseProse_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char* line : {"Error: 3", "GPU Memory: 15.74 GB", "12:30:01 all is well",
             "Step 2 of the guide: 5 minutes", "Step 3 failed with code: 5",
             "Epoch 1 took 26.1 seconds", "A total of 10 epochs took 26.1 seconds", "Loss: 0.5",
             "Starting step 10", "step 1,234 loss 0.5",
             "Epoch 4: 100%|###| 512/512 [00:03<00:00, 129.19it/s, loss=0.1]",
             "Epoch 0 | Training snapshot saved at snapshot.pt", "http://x/step=10&loss=3x",
             "step 10 loss 0.5abc", "step ten loss 0.5", "Batch job 123 submitted", "iteration",
             "epoch 3", "step -1 loss 0.5", "step nan loss 0.5", "Finished epoch 0 in 5.12 seconds",
             "Steps: 64", "step 10 loss 10.0.0.1", ""})
        QTest::newRow(line) << QByteArray(line);
    QTest::newRow("very long") << "step 1 loss 2 " + QByteArray(5000, ' ') + "acc 3";
}

void TestFields::fields_refuseProse()
{
    QFETCH(QByteArray, line);
    QCOMPARE(describe(line), QString());
}

/// Short ones are read in another way than long ones.
void TestFields::numbers_areTheNearestDoubles()
{
    std::mt19937_64 random(3);
    const auto digits = [&](size_t most) {
        std::string text;
        for (size_t i = 0, n = random() % (most + 1); i < n; ++i)
            text += char('0' + random() % 10);
        return text;
    };
    for (int i = 0; i < 20'000; ++i) {
        std::string text = (random() % 4 == 0 ? "-" : "") + std::to_string(random() % 10);
        text += digits(random() % 8 == 0 ? 18 : 6);
        if (random() % 2)
            text += '.' + digits(random() % 8 == 0 ? 18 : 6);
        if (random() % 8 == 0)
            text += "e-" + std::to_string(random() % 30);
        std::string_view rest = text;
        const auto read = takeNumber(rest);
        QVERIFY2(read.has_value() && rest.empty(), text.c_str());
        double expected = 0;
        std::from_chars(text.data(), text.data() + text.size(), expected);
        QVERIFY2(std::bit_cast<uint64_t>(*read) == std::bit_cast<uint64_t>(expected), text.c_str());
    }
}

SLIPWAY_TEST(TestFields, metrics_fields)
#include "tst_fields.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/decimalcomma.h"
#include "plots/metrics/translation.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace slipway;

namespace {

std::string translated(std::string_view text)
{
    std::string out;
    return Translation::builtIn().apply(text, out) ? out : std::string(text);
}

} // namespace

class TestTranslation : public QObject {
    Q_OBJECT

private slots:
    void everyWord_isReplaced();
    void text_isTranslated_data();
    void text_isTranslated();
    void otherText_isLeft_data();
    void otherText_isLeft();
    void comma_isPoint_data();
    void comma_isPoint();
    void comma_needsProof();
};

void TestTranslation::everyWord_isReplaced()
{
    QFile file(sourcePath(QStringLiteral("/resources/translations.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray entries = QJsonDocument::fromJson(file.readAll())
                                   .object()
                                   .value(QLatin1String("translations"))
                                   .toArray();
    QVERIFY(entries.size() > 20);
    for (const QJsonValue& entry : entries) {
        const QString means = entry[QLatin1String("means")].toString();
        for (const QJsonValue& word : entry[QLatin1String("words")].toArray()) {
            const QByteArray text = word.toString().toUtf8();
            QVERIFY2(Translation::mayApply(text.toStdString()), text);
            QCOMPARE(word.toString(), word.toString().toLower());
            QCOMPARE(QString::fromStdString(translated(text.toStdString() + ": 0.5")),
                means + QStringLiteral(": 0.5"));
        }
    }
}

void TestTranslation::text_isTranslated_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("english");
    const auto row = [](const char* text, const char* english) {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(english);
    };
    row("第3轮：验证损失 0.5", "epoch 3: valid loss 0.5");
    row("第 12 步，训练准确率=0.81（最佳）", "step 12, train accuracy=0.81 (best) ");
    row("学习率：0.001", "learning rate: 0.001");
    row("耗时3.2秒", "elapsed time 3.2 s");
    row("ÉPOCA 3: Pérdida 0.5", "epoch 3: loss 0.5");
    row("loss值: 0.5", "loss value: 0.5");
    row("样本数：500", "样本数: 500");
}

void TestTranslation::text_isTranslated()
{
    QFETCH(QString, text);
    QFETCH(QString, english);
    QCOMPARE(QString::fromStdString(translated(text.toStdString())), english);
}

void TestTranslation::otherText_isLeft_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("ASCII") << QByteArray("epoch 1 loss 0.5");
    QTest::newRow("a bar") << QByteArray("100%|█████| 3/3 ━━━ µ ± 0.5");
    QTest::newRow("a word that is part of another") << QByteArray("Épocas: 20");
    QTest::newRow("half a character") << QByteArray("loss \xe6\x8d");
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe \xc3 \xe9poca 1");
}

void TestTranslation::otherText_isLeft()
{
    QFETCH(QByteArray, text);
    const std::string bytes = text.toStdString();
    QCOMPARE(translated(bytes), bytes);
}

void TestTranslation::comma_isPoint_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("pointed");
    QTest::newRow("less than one")
        << QByteArray("time: 0,166139 s") << QByteArray("time: 0.166139 s");
    QTest::newRow("groups") << QByteArray("cpu = 123.526,57 msec")
                            << QByteArray("cpu = 123526.57 msec");
    QTest::newRow("four digits") << QByteArray("loss -1,5123") << QByteArray("loss -1.5123");
    QTest::newRow("the same line shows it")
        << QByteArray("loss: 1,512 lr: 0,001") << QByteArray("loss: 1.512 lr: 0.001");
    QTest::newRow("a list of such")
        << QByteArray("errors: 0,512, 0,256, 1,5") << QByteArray("errors: 0.512, 0.256, 1.5");
}

void TestTranslation::comma_isPoint()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, pointed);
    DecimalComma comma;
    std::string out;
    QVERIFY(comma.apply(text.toStdString(), out));
    QCOMPARE(QByteArray::fromStdString(out), pointed);
}

void TestTranslation::comma_needsProof()
{
    DecimalComma comma;
    std::string out;
    for (const char* const text : {"tokens: 1,512", "1,0,5", "0,12", "foo,0,12", "shape (0,512)",
             "epoch 1, loss 0.5", "sizes: 1,2,3", "v0,12", ",", "0,", "a: ,5"})
        QVERIFY2(!comma.apply(text, out), text);
    QVERIFY(comma.apply("time: 0,166139 s", out));
    QVERIFY(comma.apply("tokens: 1,512", out));
    QCOMPARE(QByteArray::fromStdString(out), QByteArray("tokens: 1.512"));
    QVERIFY(!comma.apply("sizes: 1,2,3", out));
}

SLIPWAY_TEST(TestTranslation, metrics_translation)
#include "tst_translation.moc"

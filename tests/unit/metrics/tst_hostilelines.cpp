// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "logs.h"

#include "tests/support/cputime.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;
using namespace slipway::test;

/// Lines on which a reader that goes back over them would need minutes. The time of the processor
/// is measured, so this runs alone.
class TestHostileLines : public QObject {
    Q_OBJECT

private slots:
    void pipeline_staysFast_data();
    void pipeline_staysFast();
};

void TestHostileLines::pipeline_staysFast_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::newRow("a megabyte of bars") << QByteArray(1 << 20, '|');
    QTest::newRow("a megabyte of names") << QByteArray("step a: ").repeated(1 << 17);
    QTest::newRow("a megabyte of tensors")
        << "step 1 loss " + QByteArray("tensor(").repeated(1 << 17);
    QTest::newRow("backspaces") << QByteArray(1 << 19, 'a') + QByteArray(1 << 19, '\b');
    QTest::newRow("carriage returns") << QByteArray("Epoch 1, Loss: 2\r").repeated(1 << 16);
    QTest::newRow("open brackets") << QByteArray(1 << 20, '[');
    QTest::newRow("escapes") << QByteArray("\x1b[1").repeated(1 << 18);
    QTest::newRow("own line, deep") << "@slipway " + QByteArray("{\"a\":").repeated(1 << 17);
    QTest::newRow("words that a pattern goes back over")
        << QByteArray("a pattern tries each way to cut these words in two again and again\n")
               .repeated(1 << 14);
    QTest::newRow("clocks that go back")
        << QByteArray("top - 12:00:02 up\ntop - 12:00:01 up\n").repeated(1 << 17);
    QTest::newRow("lines of a thousand fields")
        << QByteArray("step 1 " + QByteArray("x=1,").repeated(1000) + "\n").repeated(200);
}

void TestHostileLines::pipeline_staysFast()
{
    QFETCH(QByteArray, log);
    const std::vector<PatternSpec> patterns = {
        {QStringLiteral("Step \\[(?<step>\\d+)/\\d+\\].*Loss: (?<pattern_loss>\\S+)"),
            QStringLiteral("step")},
        {QStringLiteral("\\[(?<lane>[^\\]]*)\\].*?(?<time>[0-9.e+-]+) *us"), {},
            {{QStringLiteral("time"), QStringLiteral("us")}}, QStringLiteral("lane")},
        {QStringLiteral("^(?<a>(\\w+ ?)+)!$")}, // a costly one
    };
    const CpuTime timer; // of work that grows with the square of the text, it would be minutes
    readWhole(log, {}, patterns);
    QVERIFY2(timer.elapsed() < 2000 * sanitizersTake,
        qPrintable(QString::number(timer.elapsed()) + QStringLiteral(" ms")));
}

SLIPWAY_TEST(TestHostileLines, metrics_hostilelines)
#include "tst_hostilelines.moc"

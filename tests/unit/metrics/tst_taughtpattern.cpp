// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "logs.h"
#include "texts.h"

#include "plots/metrics/taughtpattern.h"
#include "tests/support/testmain.h"

#include <QRegularExpression>
#include <QTest>

using namespace slipway;
using namespace slipway::test;

using namespace Qt::StringLiterals;

/// A number that a person marks in a log: which pattern finds it in the other lines.
class TestTaughtPattern : public QObject {
    Q_OBJECT

private slots:
    void number_isFoundInLinesLikeIt_data();
    void number_isFoundInLinesLikeIt();
    void marking_growsToTheNumber();
    void marking_withoutOneNumber_isRefused_data();
    void marking_withoutOneNumber_isRefused();
    void everyNumberOfEveryLog_findsItself();
    void linesThatEndOtherwise_costLittle();
    void hostileLines_areLiteral_data();
    void hostileLines_areLiteral();
};

namespace {

/// The number that is written there, marked as a whole.
Result<TaughtNumber> marked(const QString& line, const QString& number)
{
    return taughtNumber(line, line.lastIndexOf(number), number.size());
}

/// Reads with that pattern alone.
Reading readTaught(const QByteArray& log, const PatternSpec& pattern)
{
    return readWhole(log, noRecognisers(), {pattern});
}

} // namespace

void TestTaughtPattern::number_isFoundInLinesLikeIt_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("number");
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QStringList>("found");
    const auto row = [](const char* name, const char* line, const char* number, const char* log,
                         const QStringList& found) {
        QTest::newRow(name) << QString::fromUtf8(line) << QString::fromUtf8(number)
                            << QByteArray(log) << found;
    };
    row("name and step", "step 10 | flux = 0.25 W", "0.25",
        "step 10 | flux = 0.25 W\nstep  200 | flux = -1e-3 W\nnothing here 7\n",
        {u"flux/ @ step=10: 0.25 W"_s, u"flux/ @ step=200: -0.001 W"_s});
    row("behind what a logger writes", "2024-03-12 08:22:45,549 INFO [trainer] Epoch 3: drift 0.5",
        "0.5",
        "2024-03-12 08:22:45,549 INFO [trainer] Epoch 3: drift 0.5\n"
        "2025-01-01 00:00:00,001 WARNING [other] Epoch 4: drift 0.75\n",
        {u"drift/ @ epoch=3: 0.5"_s, u"drift/ @ epoch=4: 0.75"_s});
    row("the counter behind it", "residue 1.5e-3 at iteration 40", "1.5e-3",
        "residue 1.5e-3 at iteration 40\nresidue 7.5e-4 at iteration 50\n",
        {u"residue/ @ iteration=40: 0.0015"_s, u"residue/ @ iteration=50: 0.00075"_s});
    row("a step counts more than an epoch", "Epoch [1/5], Step [ 16/160], gap: 2.5", "2.5",
        "Epoch [1/5], Step [ 16/160], gap: 2.5\nEpoch [2/5], Step [160/160], gap: 1.5\n",
        {u"gap/ @ step=16: 2.5"_s, u"gap/ @ step=160: 1.5"_s});
    row("wider than on other lines", "Ep [0][1000/5005] gap 10.5 (10.75)", "10.5",
        "Ep [0][  10/5005] gap  0.5 ( 0.75)\nEp [0][1000/5005] gap 10.5 (10.75)\n",
        {u"gap/ @ ep=0: 0.5"_s, u"gap/ @ ep=0: 10.5"_s});
    row("nan in another number", "gap 1.5 at 2.5 rad", "2.5",
        "gap 1.5 at 2.5 rad\ngap nan at inf rad\n",
        {u"at/ @ line=1: 2.5"_s, u"at/ @ line=2: inf"_s});
    row("a separator in another number", "seen 1,234 items, skew 0.5", "0.5",
        "seen 1,234 items, skew 0.5\nseen 12,345,678 items, skew 0.25\n",
        {u"skew/ @ line=1: 0.5"_s, u"skew/ @ line=2: 0.25"_s});
    row("no counter", "Energy drift per atom: 3.5", "3.5",
        "Energy drift per atom: 3.5\nother\nEnergy drift per atom: 4.5\n",
        {u"drift_per_atom/ @ line=1: 3.5"_s, u"drift_per_atom/ @ line=3: 4.5"_s});
    row("no name", "7 0.125 9", "0.125", "7 0.125 9\n8 0.25 9\n",
        {u"value/ @ line=1: 0.125"_s, u"value/ @ line=2: 0.25"_s});
    row("the counter itself", "step 12 done", "12", "step 12 done\nstep 13 done\n",
        {u"step/ @ line=1: 12"_s, u"step/ @ line=2: 13"_s});
    row("of a rank", "3: step 5 skew 0.5", "0.5", "3: step 5 skew 0.5\n1: step 5 skew 0.25\n",
        {u"skew/rank 3 @ step=5: 0.5"_s, u"skew/rank 1 @ step=5: 0.25"_s});
    row("words with digits stay words", "top1 0.5 top5 0.75", "0.75",
        "top1 0.5 top5 0.75\ntop1 0.5 top9 0.25\n", {u"top5/ @ line=1: 0.75"_s});
}

void TestTaughtPattern::number_isFoundInLinesLikeIt()
{
    QFETCH(QString, line);
    QFETCH(QString, number);
    QFETCH(QByteArray, log);
    QFETCH(QStringList, found);
    const auto taught = marked(line, number);
    QVERIFY2(taught.ok(), qPrintable(taught.ok() ? QString() : taught.error().text()));
    QCOMPARE(patternProblem(taught->pattern), QString());
    const QStringList seen = texts(readTaught(log, taught->pattern).samples);
    QVERIFY2(seen == found, qPrintable(seen.join(u'\n') + u"\nby " + taught->pattern.match));
}

void TestTaughtPattern::marking_growsToTheNumber()
{
    const QString line = u"loss: -0.125e-3, lr 0.5"_s;
    const QString whole = taughtNumber(line, 6, 9)->pattern.match;
    QCOMPARE(taughtNumber(line, 8, 2)->pattern.match, whole);
    QCOMPARE(taughtNumber(line, 0, 8)->pattern.match, whole); // with its name
    QCOMPARE(taughtNumber(line, 10, 0)->pattern.match, whole); // a cursor in it
    QVERIFY(taughtNumber(line, 20, 3)->pattern.match != whole);
}

void TestTaughtPattern::marking_withoutOneNumber_isRefused_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("begin");
    QTest::addColumn<int>("length");
    QTest::addColumn<QString>("words");
    QTest::newRow("a word") << u"loss 0.5"_s << 0 << 4 << u"no number"_s;
    QTest::newRow("nothing") << QString() << 0 << 0 << u"no number"_s;
    QTest::newRow("two") << u"loss 0.5 1.5"_s << 0 << 12 << u"More than one"_s;
    QTest::newRow("beyond the end") << u"loss 0.5"_s << 50 << 3 << u"no number"_s;
    QTest::newRow("before the beginning") << u"loss 0.5"_s << -9 << 3 << u"no number"_s;
    QTest::newRow("thousands") << u"flux 1,234.5 W"_s << 7 << 3 << u"are not read"_s;
    QTest::newRow("hexadecimal") << u"at 0x1f"_s << 3 << 1 << u"are not read"_s;
    QTest::newRow("a version") << u"CUDA 12.4.1 loaded"_s << 5 << 6 << u"no number"_s;
    QTest::newRow("an endless line") << u"a 0.5 "_s.repeated(2000) << 2 << 3 << u"longer than"_s;
}

void TestTaughtPattern::marking_withoutOneNumber_isRefused()
{
    QFETCH(QString, line);
    QFETCH(int, begin);
    QFETCH(int, length);
    QFETCH(QString, words);
    const auto taught = taughtNumber(line, begin, length);
    QVERIFY(!taught.ok());
    QVERIFY2(taught.error().summary.contains(words), qPrintable(taught.error().text()));
}

/// Whatever a person marks in a log is drawn from its own line at least, with the value that stands
/// there.
void TestTaughtPattern::everyNumberOfEveryLog_findsItself()
{
    static const QRegularExpression number(u"(?<![\\w.+-])-?\\d+(?:\\.\\d+)?(?![\\w.])"_s);
    int asked = 0;
    for (const QString& name : logNames()) {
        int ofFile = 0;
        LineAssembler assembler;
        QStringList all;
        const LineAssembler::Sink keep = [&all](const LogLine& line) {
            if (!line.progress)
                all << QString::fromUtf8(line.text.data(), qsizetype(line.text.size()));
        };
        assembler.feed(readLog(name), keep);
        assembler.finish(keep);
        for (const QString& line : std::as_const(all)) {
            const auto found = number.match(line, line.size() / 3);
            if (!found.hasMatch() || ++ofFile > 25)
                continue;
            const auto taught = taughtNumber(line, found.capturedStart(), found.capturedLength());
            if (!taught.ok()) // a part of a version, or of a longer word
                continue;
            const auto samples = readTaught(line.toUtf8() + '\n', taught->pattern).samples;
            const QString story = line + u"\n" + taught->pattern.match;
            QVERIFY2(samples.size() == 1 && samples[0].series == taught->series, qPrintable(story));
            if (taught->unit.isEmpty())
                QVERIFY2(samples[0].y == found.captured().toDouble(), qPrintable(story));
            ++asked;
        }
    }
    QVERIFY2(asked > 500, qPrintable(QString::number(asked)));
}

/// A pattern that needs too many steps is given up after fifty such lines.
void TestTaughtPattern::linesThatEndOtherwise_costLittle()
{
    QByteArray words("rows");
    for (int i = 0; i < 8; ++i)
        words += " w= 123456";
    const auto taught = marked(QString::fromUtf8(words + " flux 0.5"), u"0.5"_s);
    QVERIFY(taught.ok());
    const QByteArray log = QByteArray(words + " max 0.25\n").repeated(60) + words + " flux 0.5\n";
    const Reading reading = readTaught(log, taught->pattern);
    QCOMPARE(reading.samples.size(), size_t(1));
    QCOMPARE(reading.events.size(), size_t(0));
}

void TestTaughtPattern::hostileLines_areLiteral_data()
{
    QTest::addColumn<QString>("line");
    QTest::newRow("an expression") << u"(?<a>.*)+$ \\Q[^x]{3,} 0.5"_s;
    QTest::newRow("brackets") << QString(u"([{"_s.repeated(30) + u" 0.5"_s);
    QTest::newRow("other blanks") << u"a\u00a0\u2003b\u202e loss 0.5"_s;
    QTest::newRow("half a character") << QString(QChar(0xd83d)) + u" loss 0.5"_s;
    QTest::newRow("blanks") << QString(u" "_s.repeated(3000) + u"0.5"_s);
    QTest::newRow("words") << QString(u"word "_s.repeated(700) + u"0.5"_s);
    QTest::newRow("numbers") << QString(u"1 "_s.repeated(1500) + u"0.5"_s);
    QTest::newRow("digits") << QString(u"1"_s.repeated(3000) + u" 0.5"_s);
    QTest::newRow("a name that is no capture") << u"0größe§%&/ = 0.5"_s;
    QTest::newRow("a long name") << QString(u"n"_s.repeated(500) + u"=0.5"_s);
}

void TestTaughtPattern::hostileLines_areLiteral()
{
    QFETCH(QString, line);
    const auto taught = marked(line, u"0.5"_s);
    QVERIFY2(taught.ok(), qPrintable(taught.ok() ? QString() : taught.error().text()));
    const auto samples = readTaught(line.toUtf8() + '\n', taught->pattern).samples;
    QVERIFY2(samples.size() == 1 && samples[0].y == 0.5, qPrintable(taught->pattern.match));
}

SLIPWAY_TEST(TestTaughtPattern, metrics_taughtpattern)
#include "tst_taughtpattern.moc"

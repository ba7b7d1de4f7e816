// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "texts.h"

#include "plots/metrics/baseunit.h"
#include "tests/support/cputime.h"
#include "tests/support/testmain.h"

#include <QTest>

#include <cmath>

using namespace slipway;
using namespace slipway::test;

using namespace Qt::StringLiterals;

/// What a recipe's own patterns read, and what they are refused for.
class TestPatterns : public QObject {
    Q_OBJECT

private slots:
    void pattern_drawsEachNamedCapture();
    void pattern_takesTheLaneFromItsCapture();
    void pattern_withoutX_countsLines();
    void pattern_leavesWordsAlone();
    void pattern_isAskedFirst();
    void pattern_isKeptBesideTheProgramsOwnLines();
    void pattern_readsOnlyTheLastFrameOfABar();
    void pattern_turnsUnitsIntoBaseUnits();
    void pattern_isGivenUpWhenItBacktracks();
    void pattern_isNotAskedAboutEndlessLines();
    void problem_namesThePattern_data();
    void problem_namesThePattern();
    void baseUnit_dropsThePrefix_data();
    void baseUnit_dropsThePrefix();
};

void TestPatterns::pattern_drawsEachNamedCapture()
{
    const PatternSpec spec{uR"(^it (?<step>\d+): (?<throughput>\S+) img/s, loss (?<loss>\S+)$)"_s,
        u"step"_s, {{u"throughput"_s, u"img/s"_s}}, {}};
    QCOMPARE(patternProblem(spec), QString());
    const Reading reading = readWhole(
        "it 10: 812.5 img/s, loss 2.25\nit 20: 790 img/s, loss nan\nit 30: fast\n", {}, {spec});
    QCOMPARE(texts(reading.samples),
        lines({"throughput/ @ step=10: 812.5 img/s", "loss/ @ step=10: 2.25",
            "throughput/ @ step=20: 790 img/s", "loss/ @ step=20: nan"}));
    QCOMPARE(reading.samples.back().line, 2);
}

void TestPatterns::pattern_takesTheLaneFromItsCapture()
{
    const PatternSpec spec{
        uR"(\[(?<gpu>GPU\d)?\] epoch (?<epoch>\d+) (?<seconds>\S+))"_s, u"epoch"_s, {}, u"gpu"_s};
    const Reading reading =
        readWhole("[GPU1] epoch 1 2.5\n2: [GPU0] epoch 1 2.25\n2: [] epoch 1 2\n", {}, {spec});
    QCOMPARE(texts(reading.samples),
        lines({"seconds/GPU1 @ epoch=1: 2.5", "seconds/GPU0 @ epoch=1: 2.25",
            "seconds/rank 2 @ epoch=1: 2"}));
}

void TestPatterns::pattern_withoutX_countsLines()
{
    const PatternSpec spec{u"took (?<seconds>[0-9.]+) s"_s};
    const Reading reading = readWhole("hello\nit took 1.5 s\n\n3: it took 2 s\n", {}, {spec});
    QCOMPARE(
        texts(reading.samples), lines({"seconds/ @ line=2: 1.5", "seconds/rank 3 @ line=4: 2"}));
}

void TestPatterns::pattern_leavesWordsAlone()
{
    const PatternSpec spec{u"x=(?<x>\\S+) a=(?<a>\\S+)( b=(?<b>\\S+))?"_s, u"x"_s};
    const Reading reading =
        readWhole("x=1 a=fast b=2\nx=two a=1 b=2\nx=nan a=1\nx=3 a=1,234\nx=4 a=0x10\nx=5 a=1.5\n",
            {}, {spec});
    QCOMPARE(texts(reading.samples), lines({"b/ @ x=1: 2", "a/ @ x=5: 1.5"}));
}

void TestPatterns::pattern_isAskedFirst()
{
    const PatternSpec spec{u"^Epoch (?<epoch>\\d+), Loss: (?<mine>\\S+)"_s, u"epoch"_s};
    const QByteArray log = "Epoch 1, Loss: 0.5\nstep 7 loss 0.25\n";
    QCOMPARE(texts(readWhole(log, {}, {spec}).samples),
        lines({"mine/ @ epoch=1: 0.5", "loss/ @ step=7: 0.25"}));
    QCOMPARE(
        texts(readWhole(log, {u"slipway"_s}, {spec}).samples), lines({"mine/ @ epoch=1: 0.5"}));
    // One that cannot be used is left out; the others work.
    QCOMPARE(texts(readWhole(log, {u"slipway"_s}, {PatternSpec{u"(?<a"_s}, spec}).samples),
        lines({"mine/ @ epoch=1: 0.5"}));
}

void TestPatterns::pattern_isKeptBesideTheProgramsOwnLines()
{
    const PatternSpec spec{u"^took (?<seconds>\\S+) s"_s};
    const Reading reading =
        readWhole("@slipway {\"sample\":\"flops\",\"x\":1,\"x_name\":\"n\",\"y\":2}\n"
                  "took 3 s\nstep 1 loss 0.5\n",
            {}, {spec});
    QCOMPARE(texts(reading.samples),
        lines({"flops/ @ n=1: 2", "seconds/ @ line=2: 3", "loss/ @ step=1: 0.5"}));
}

void TestPatterns::pattern_readsOnlyTheLastFrameOfABar()
{
    const PatternSpec spec{u"done (?<done>\\d+)"_s};
    QByteArray log;
    for (int i = 0; i < 100; ++i)
        log += "done " + QByteArray::number(i) + " of a hundred, and some more words\r";
    QCOMPARE(texts(readWhole(log + "\n", {}, {spec}).samples), lines({"done/ @ line=1: 99"}));
}

void TestPatterns::pattern_turnsUnitsIntoBaseUnits()
{
    const PatternSpec spec{u"(?<a>\\S+) ms (?<b>\\S+) GB/s (?<c>\\S+) TFLOPS (?<d>\\S+) img/s"_s,
        {}, {{u"a"_s, u"ms"_s}, {u"b"_s, u"GB/s"_s}, {u"c"_s, u"TFLOPS"_s}, {u"d"_s, u"img/s"_s}}};
    QCOMPARE(texts(readWhole("250 ms 1.5 GB/s 4.5 TFLOPS 812 img/s\n", {}, {spec}).samples),
        lines({"a/ @ line=1: 0.25 s", "b/ @ line=1: 1500000000 B/s", "c/ @ line=1: 4.5e+12 FLOP/s",
            "d/ @ line=1: 812 img/s"}));
}

void TestPatterns::pattern_isGivenUpWhenItBacktracks()
{
    const PatternSpec spec{u"^(?<a>(x+x+)+)[yz]"_s};
    QCOMPARE(patternProblem(spec), QString());
    const QByteArray log = QByteArray(QByteArray(3000, 'x') + '\n').repeated(2000);
    const CpuTime timer;
    const Reading reading = readWhole(log, {u"slipway"_s}, {spec});
    QVERIFY2(timer.elapsed() < 2000 * sanitizersTake, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(reading.samples.empty());
    QCOMPARE(texts(reading.events),
        lines({"warning: the pattern “^(?<a>(x+x+)+)[yz]” is too slow and is not used any more"}));
    QCOMPARE(reading.events.front().line, 50);
}

void TestPatterns::pattern_isNotAskedAboutEndlessLines()
{
    const PatternSpec spec{u"took (?<seconds>\\S+) s"_s};
    QVERIFY(readWhole(QByteArray(4096, '.') + "took 3 s\n", {}, {spec}).samples.empty());
    QCOMPARE(readWhole(QByteArray(4000, '.') + "took 3 s\n", {}, {spec}).samples.size(), size_t(1));
}

void TestPatterns::problem_namesThePattern_data()
{
    QTest::addColumn<PatternSpec>("spec");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, const PatternSpec& spec, const QString& problem) {
        QTest::newRow(name) << spec << problem;
    };
    row("empty", {}, u"a pattern is empty"_s);
    row("no regular expression", {u"(?<a>x"_s},
        u"the pattern “(?<a>x” is no regular expression: missing closing parenthesis, at character 6"_s);
    row("nothing named", {u"loss (\\S+)"_s},
        u"the pattern “loss (\\S+)” captures nothing to draw"_s);
    row("only x", {u"step (?<step>\\d+)"_s, u"step"_s},
        u"the pattern “step (?<step>\\d+)” captures nothing to draw"_s);
    row("x not captured", {u"(?<a>\\d+)"_s, u"step"_s},
        u"the pattern “(?<a>\\d+)” has no capture “step”"_s);
    row("lane not captured", {u"(?<a>\\d+)"_s, {}, {}, u"gpu"_s},
        u"the pattern “(?<a>\\d+)” has no capture “gpu”"_s);
    row("unit of nothing", {u"(?<a>\\d+)"_s, {}, {{u"b"_s, u"s"_s}}},
        u"the pattern “(?<a>\\d+)” has no capture “b”, which has a unit"_s);
    row("long", {u"(?<a>"_s + QString(2000, u'x') + u')'},
        u"the pattern “(?<a>"_s + QString(75, u'x') + u"…” is longer than 2000 characters"_s);
    row("many captures", {u"(?<a>x)"_s + u"(y)"_s.repeated(64)},
        u"the pattern “(?<a>x)"_s + u"(y)"_s.repeated(25).left(73)
            + u"…” has more than 64 captures"_s);
    row("good", {u"(?<a>\\d+)"_s}, QString());
}

void TestPatterns::problem_namesThePattern()
{
    QFETCH(PatternSpec, spec);
    QTEST(patternProblem(spec), "problem");
}

void TestPatterns::baseUnit_dropsThePrefix_data()
{
    QTest::addColumn<double>("factor");
    QTest::addColumn<QString>("unit");
    QTest::newRow("ms") << 1e-3 << u"s"_s;
    QTest::newRow("us") << 1e-6 << u"s"_s;
    QTest::newRow("seconds") << 1.0 << u"s"_s;
    QTest::newRow("B") << 1.0 << u"B"_s;
    QTest::newRow("kB") << 1e3 << u"B"_s;
    QTest::newRow("MiB") << 1048576.0 << u"B"_s;
    QTest::newRow("GB/s") << 1e9 << u"B/s"_s;
    QTest::newRow("GiB/s") << 1073741824.0 << u"B/s"_s;
    QTest::newRow("GFLOP/s") << 1e9 << u"FLOP/s"_s;
    QTest::newRow("TFLOPS") << 1e12 << u"FLOP/s"_s;
    QTest::newRow("img/s") << 1.0 << u"img/s"_s;
    QTest::newRow("XB") << 1.0 << u"XB"_s;
    QTest::newRow("%") << 1.0 << u"%"_s;
}

void TestPatterns::baseUnit_dropsThePrefix()
{
    const BaseUnit unit = baseUnit(QTest::currentDataTag());
    QTEST(unit.factor, "factor");
    QTEST(unit.unit, "unit");
}

SLIPWAY_TEST(TestPatterns, metrics_patterns)
#include "tst_patterns.moc"

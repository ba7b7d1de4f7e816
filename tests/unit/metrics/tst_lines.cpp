// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "logs.h"

#include "plots/metrics/lineassembler.h"
#include "plots/metrics/ranklabel.h"
#include "plots/metrics/utf8.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;
using namespace slipway::test;

namespace {

struct Seen {
    QStringList lines;
    QStringList progress;

    bool operator==(const Seen&) const = default;
};

template <typename Next> Seen assemble(const QByteArray& bytes, Next next)
{
    Seen seen;
    LineAssembler assembler;
    const LineAssembler::Sink sink = [&](const LogLine& line) {
        const QString text = QString::fromUtf8(line.text.data(), qsizetype(line.text.size()));
        (line.progress ? seen.progress : seen.lines).append(text);
    };
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype size = std::min<qsizetype>(next(), bytes.size() - at);
        assembler.feed(QByteArrayView(bytes).sliced(at, size), sink);
        at += size;
    }
    assembler.finish(sink);
    return seen;
}

Seen assemble(const QByteArray& bytes)
{
    return assemble(bytes, [] { return 1 << 30; });
}

QByteArray hostileBytes(std::mt19937& random, int size)
{
    static const QByteArray pieces[] = {"\r", "\n", "\r\n", "\b", "\x1b[", "\x1b[1;31m",
        "\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\", "\x1bP1$r\x1b\\", "\x1b(B", "\xe2\x94\x82",
        "\xe2\x94", "\xff", "\xc2\x9b", "\xf0\x9f\x9a\x80", "step 10 loss 0.5",
        "@slipway {\"sample\":\"a\",\"y\":1}", "Epoch 1, Loss: 2",
        "| 2048x2048 | 0.03 | 0.1 | 4 TFLOPS |", "a", " ", "0: "};
    QByteArray bytes;
    while (bytes.size() < size) {
        const auto pick = random() % (std::size(pieces) + 2);
        if (pick < std::size(pieces))
            bytes += pieces[pick];
        else
            bytes += pick == std::size(pieces) ? char(random() % 256) : '\0';
    }
    return bytes;
}

} // namespace

class TestLines : public QObject {
    Q_OBJECT

private slots:
    void assembler_givesWhatAPersonSees_data();
    void assembler_givesWhatAPersonSees();
    void assembler_givesFramesOfAProgressBarAtALowRate();
    void assembler_cutsAnEndlessLine();
    void assembler_doesNotDependOnChunkBorders();
    void pipeline_doesNotDependOnChunkBorders_data();
    void pipeline_doesNotDependOnChunkBorders();
    void utf8_repairsWhatIsBroken_data();
    void utf8_repairsWhatIsBroken();
    void rankLabel_isTakenOff_data();
    void rankLabel_isTakenOff();
};

void TestLines::assembler_givesWhatAPersonSees_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QStringList>("lines");
    const auto row = [](const char* name, QByteArray bytes, QStringList lines) {
        QTest::newRow(name) << bytes << lines;
    };
    row("two lines", "a\nb\n", {QStringLiteral("a"), QStringLiteral("b")});
    row("last line without a newline", "a\nb", {QStringLiteral("a"), QStringLiteral("b")});
    row("empty lines count", "\n\na\n", {QString(), QString(), QStringLiteral("a")});
    row("Windows line ends", "a\r\nb\r\n", {QStringLiteral("a"), QStringLiteral("b")});
    row("text after the last carriage return", "10%\r50%\r100%\n", {QStringLiteral("100%")});
    row("trailing carriage return keeps its text", "10%\r100%\r\n", {QStringLiteral("100%")});
    row("leading carriage return", "\rEpoch 0\n", {QStringLiteral("Epoch 0")});
    row("several carriage returns", "a\r\r\r\n", {QStringLiteral("a")});
    row("backspaces take back", "abc\b\bX\n", {QStringLiteral("aX")});
    row("backspace takes a whole character", "a\xe2\x94\x82\b|\n", {QStringLiteral("a|")});
    row("backspace at the start", "\b\ba\n", {QStringLiteral("a")});
    row("colours", "\x1b[1;31mred\x1b[0m text\n", {QStringLiteral("red text")});
    row("erase and cursor", "\x1b[2K\x1b[1Ga\x1b[?25l\n", {QStringLiteral("a")});
    row("title, ended by BEL",
        "\x1b]0;job 12\x07"
        "a\n",
        {QStringLiteral("a")});
    row("link, ended by ST", "\x1b]8;;https://x\x1b\\a\x1b]8;;\x1b\\\n", {QStringLiteral("a")});
    row("device control string", "\x1bP+q544e\x1b\\a\n", {QStringLiteral("a")});
    row("character set", "\x1b(Ba\n", {QStringLiteral("a")});
    row("title without an end costs its line only", "\x1b]0;x\na\n",
        {QString(), QStringLiteral("a")});
    row("sequence cut by a newline", "a\x1b[3\nb\n", {QStringLiteral("a"), QStringLiteral("b")});
    row("NUL and bell",
        QByteArray("a\0b\x07"
                   "c\n",
            6),
        {QStringLiteral("abc")});
    row("tab stays", "a\tb\n", {QStringLiteral("a\tb")});
    row("no UTF-8",
        "a\xff"
        "b\n",
        {QStringLiteral("a\uFFFDb")});
    row("UTF-8 cut by the end", "a\xe2\x94", {QStringLiteral("a\uFFFD")});
    row("Keras backspaces", "1/2 [=>..]\b\b\b\b\b\b\b\b\b\b2/2 [====]\n",
        {QStringLiteral("2/2 [====]")});
}

void TestLines::assembler_givesWhatAPersonSees()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QStringList, lines);
    QCOMPARE(assemble(bytes).lines, lines);
}

void TestLines::assembler_givesFramesOfAProgressBarAtALowRate()
{
    const Seen one = assemble("first frame\rsecond frame\rlast frame\n");
    QCOMPARE(one.progress, QStringList{QStringLiteral("first frame")});
    QCOMPARE(one.lines, QStringList{QStringLiteral("last frame")});

    // One byte a frame, as a hostile bar would: a frame per progressInterval bytes comes out.
    const Seen many = assemble(QByteArray("a\rb\r").repeated(100'000));
    QVERIFY(many.progress.size() > 100);
    QVERIFY(many.progress.size() <= 1 + 200'000 / qsizetype(LineAssembler::progressInterval));

    const Seen bar = assemble(readLog(QStringLiteral("tqdm-cr-raw.txt")));
    QVERIFY(bar.progress.size() > 10);
    QVERIFY(bar.progress.at(1).startsWith(QLatin1String("Epoch 0:")));
}

void TestLines::assembler_cutsAnEndlessLine()
{
    const Seen seen = assemble(QByteArray(3 * 1024 * 1024, 'x') + "\nafter\n");
    QCOMPARE(seen.lines.size(), 2);
    QCOMPARE(seen.lines.at(0).size(), qsizetype(LineAssembler::maxLine));
    QCOMPARE(seen.lines.at(1), QStringLiteral("after"));
}

void TestLines::assembler_doesNotDependOnChunkBorders()
{
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        const QByteArray bytes = hostileBytes(random, 400);
        const Seen whole = assemble(bytes);
        QCOMPARE(assemble(bytes, [] { return 1; }) == whole, true);
        QCOMPARE(assemble(bytes, [&] { return 1 + random() % 37; }) == whole, true);
    }
}

void TestLines::pipeline_doesNotDependOnChunkBorders_data()
{
    QTest::addColumn<QByteArray>("log");
    for (const QString& name : logNames())
        QTest::newRow(qPrintable(name)) << readLog(name);
    std::mt19937 random(11);
    QTest::newRow("hostile") << hostileBytes(random, 20'000);
}

void TestLines::pipeline_doesNotDependOnChunkBorders()
{
    QFETCH(QByteArray, log);
    QVERIFY(!log.isEmpty());
    const Reading whole = readWhole(log);
    QVERIFY(readInChunks(log, [] { return 1; }) == whole);
    std::mt19937 random(3);
    for (int round = 0; round < 5; ++round)
        QVERIFY(readInChunks(log, [&] { return 1 + random() % 100; }) == whole);
}

void TestLines::utf8_repairsWhatIsBroken_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("clean");
    QTest::addColumn<QString>("repaired");
    QTest::newRow("ASCII") << QByteArray("plain text") << true << "plain text";
    QTest::newRow("two to four bytes")
        << QByteArray("\xc3\xa9\xe2\x94\x82\xf0\x9f\x9a\x80") << true << QStringLiteral(u"é│🚀");
    QTest::newRow("stray continuation")
        << QByteArray("a\x80z") << false << QStringLiteral(u"a\uFFFDz");
    QTest::newRow("overlong slash")
        << QByteArray("\xc0\xaf") << false << QStringLiteral(u"\uFFFD\uFFFD");
    QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << false
                               << QStringLiteral(u"\uFFFD\uFFFD\uFFFD");
    QTest::newRow("beyond Unicode")
        << QByteArray("\xf4\x90\x80\x80") << false << QStringLiteral(u"\uFFFD\uFFFD\uFFFD\uFFFD");
    QTest::newRow("cut") << QByteArray("\xe2\x94") << false << QStringLiteral(u"\uFFFD");
    QTest::newRow("8-bit control")
        << QByteArray("a\xc2\x9bm") << false << QStringLiteral(u"a\uFFFDm");
}

void TestLines::utf8_repairsWhatIsBroken()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, clean);
    QFETCH(QString, repaired);
    const std::string_view view(bytes.constData(), size_t(bytes.size()));
    QCOMPARE(isCleanUtf8(view), clean);
    std::string out;
    repairUtf8(view, out);
    QCOMPARE(QString::fromStdString(out), repaired);
    QVERIFY(isCleanUtf8(out));
}

void TestLines::rankLabel_isTakenOff_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("rank");
    QTest::addColumn<QByteArray>("rest");
    QTest::newRow("srun --label") << QByteArray("3: hello") << 3 << QByteArray("hello");
    QTest::newRow("srun, padded") << QByteArray(" 12: hello") << 12 << QByteArray("hello");
    QTest::newRow("srun, empty line") << QByteArray("0:") << 0 << QByteArray("");
    QTest::newRow("mpirun --tag-output")
        << QByteArray("[1,3]<stdout>:hello") << 3 << QByteArray("hello");
    QTest::newRow("brackets") << QByteArray("[2]: hello") << 2 << QByteArray("hello");
    QTest::newRow("no label") << QByteArray("hello 3: x") << -1 << QByteArray("hello 3: x");
    QTest::newRow("a number") << QByteArray("2048 bodies") << -1 << QByteArray("2048 bodies");
    QTest::newRow("a time") << QByteArray("12:30:01 hello") << -1 << QByteArray("12:30:01 hello");
    QTest::newRow("a step") << QByteArray("[1/5] loss") << -1 << QByteArray("[1/5] loss");
    QTest::newRow("too many digits")
        << QByteArray("12345678: x") << -1 << QByteArray("12345678: x");
}

void TestLines::rankLabel_isTakenOff()
{
    QFETCH(QByteArray, line);
    std::string_view text(line.constData(), size_t(line.size()));
    QTEST(takeRankLabel(text), "rank");
    QTEST(QByteArray(text.data(), qsizetype(text.size())), "rest");
}

SLIPWAY_TEST(TestLines, metrics_lines)
#include "tst_lines.moc"

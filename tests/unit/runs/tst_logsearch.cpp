// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/filefeed.h"
#include "app/runs/logblock.h"
#include "app/runs/logsearch.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

using namespace slipway;

namespace {

QString text(const char* utf8)
{
    return QString::fromUtf8(utf8);
}

/// The hits in a log that is fed in pieces of that size.
std::vector<LogHit> hitsOf(const QByteArray& log, const LogQuery& query, qsizetype piece)
{
    LogScan scan(query);
    for (qsizetype at = 0; at < log.size(); at += piece)
        scan.feed(QByteArrayView(log).sliced(at, std::min(piece, log.size() - at)));
    scan.endLine();
    return scan.takeHits();
}

QByteArray numbered(int from, int to)
{
    QByteArray lines;
    for (int i = from; i <= to; ++i)
        lines += "line " + QByteArray::number(i) + '\n';
    return lines;
}

} // namespace

class TestLogSearch : public QObject {
    Q_OBJECT

private slots:
    void hits_areThoseOfTheShownLines_data();
    void hits_areThoseOfTheShownLines();
    void hits_doNotDependOnPieces();
    void lines_areCountedAsTheFeedDoes();
    void memory_isBounded();
    void file_isSearchedWholeAndAsItGrows();
    void file_withoutAHitSaysSo();
    void cancelledSearch_isSilent();
    void hitsOverABlockBorder_areFound();
    void block_hasTheLinesAroundAPlace();
    void block_keepsTheWantedLine();

private:
    QTemporaryDir m_folder;
    QString fileOf(const QByteArray& bytes);
};

QString TestLogSearch::fileOf(const QByteArray& bytes)
{
    QFile file(m_folder.filePath(QStringLiteral("log.bin")));
    const bool written = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    return written ? file.fileName() : QString();
}

void TestLogSearch::hits_areThoseOfTheShownLines_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<LogQuery>("query");
    QTest::addColumn<std::vector<LogHit>>("hits");
    using Hits = std::vector<LogHit>;
    QTest::newRow("any case") << QByteArray("Error\nno\nan ERROR, an error\n")
                              << LogQuery{text("eRRor")} << Hits{{1, 0}, {3, 0}, {3, 1}};
    QTest::newRow("this case") << QByteArray("Error\nan error, an Error\n")
                               << LogQuery{text("Error"), true} << Hits{{1, 0}, {2, 0}};
    QTest::newRow("no overlap") << QByteArray("aaaaa\n") << LogQuery{text("aa")}
                                << Hits{{1, 0}, {1, 1}};
    QTest::newRow("one character")
        << QByteArray("x\n\n\nx") << LogQuery{text("X")} << Hits{{1, 0}, {4, 0}};
    QTest::newRow("none") << QByteArray("a\nb\n") << LogQuery{text("c")} << Hits{};
    QTest::newRow("nothing asked") << QByteArray("a\nb\n") << LogQuery{} << Hits{};
    QTest::newRow("not over lines") << QByteArray("ab\ncd\n") << LogQuery{text("b\nc")} << Hits{};
    QTest::newRow("colours do not divide") << QByteArray("\x1b[31mlo\x1b[1mss\x1b[0m nan\n")
                                           << LogQuery{text("loss nan")} << Hits{{1, 0}};
    QTest::newRow("not in a colour")
        << QByteArray("\x1b[31mred\x1b[0m\n[31m\n") << LogQuery{text("[31m")} << Hits{{2, 0}};
    QTest::newRow("only the last frame of a bar")
        << QByteArray("\rstep 1 of 9\rstep 2 of 9\nstep 1 again\n") << LogQuery{text("step 1")}
        << Hits{{2, 0}};
    QTest::newRow("beyond ASCII, any case") << QByteArray("größe\nGRÖSSE, GRÖßE\nno\n")
                                            << LogQuery{text("GRÖßE")} << Hits{{1, 0}, {2, 0}};
    QTest::newRow("beyond ASCII, this case")
        << QByteArray("größe\nGrößE größe\n") << LogQuery{text("größe"), true}
        << Hits{{1, 0}, {2, 0}};
    QTest::newRow("bytes that are no text") << QByteArray("\xff\xfe"
                                                          "abc\xc3\nabc\n")
                                            << LogQuery{text("ABC")} << Hits{{1, 0}, {2, 0}};
    const QByteArray machine = "@slipway {\"x\": 1}\nx = 1, not @slipway x\n";
    QTest::newRow("hidden lines") << machine << LogQuery{text("x")} << Hits{{2, 0}, {2, 1}};
    QTest::newRow("hidden lines too")
        << machine << LogQuery{text("x"), false, true} << Hits{{1, 0}, {2, 0}, {2, 1}};
}

void TestLogSearch::hits_areThoseOfTheShownLines()
{
    QFETCH(const QByteArray, log);
    QFETCH(const LogQuery, query);
    QFETCH(const std::vector<LogHit>, hits);
    for (const qsizetype piece : {qsizetype(1), qsizetype(2), qsizetype(7), log.size()})
        QVERIFY2(hitsOf(log, query, piece) == hits, qPrintable(QString::number(piece)));
}

/// Over lines of every length, so that a hit lies on each border of the loops that read 64 bytes at
/// a time.
void TestLogSearch::hits_doNotDependOnPieces()
{
    QByteArray log;
    std::vector<LogHit> expected;
    for (int i = 0; i < 200; ++i) {
        log += QByteArray(i, i % 3 ? '.' : '\t') + "Needle" + QByteArray(i % 64, ' ') + '\n';
        expected.push_back({i + 1, 0});
    }
    for (const qsizetype piece : {qsizetype(1), qsizetype(63), qsizetype(64), qsizetype(1000)})
        QVERIFY(hitsOf(log, {text("needle")}, piece) == expected);
}

void TestLogSearch::lines_areCountedAsTheFeedDoes()
{
    const QByteArray before = "one\ncut off";
    const QByteArray after = "three\n\x1b[0m\n\nneedle 6\nneedle 7";
    const QString file = fileOf(before + after);
    FileFeed feed(file, {});
    feed.wake({before.size()});
    feed.setLive(false);
    QTRY_COMPARE(feed.lines().size(), qsizetype(8)); // the divider is one of them
    LogSearch search;
    search.start(feed.source(), {text("needle")});
    QTRY_VERIFY(!search.isRunning());
    QCOMPARE(search.count(), qint64(2));
    for (const LogHit& hit : search.hits())
        QCOMPARE(feed.lines().at(feed.indexOfLine(hit.line)),
            text("needle ") + QString::number(hit.line));
    // The same lines, with the same numbers, from the file.
    const LogBlock block = readLogBlock(feed.source(), feed.placeBefore(1), {1, 99, 1});
    QCOMPARE(block.lines, feed.lines());
    for (qsizetype i = 0; i < block.lines.size(); ++i)
        QCOMPARE(block.numbers[size_t(i)], feed.numberAt(i));
}

void TestLogSearch::memory_isBounded()
{
    LogScan scan({text("x")});
    const QByteArray endless(256 * 1024, 'x');
    for (int i = 0; i < 32; ++i) { // one line of 8 MiB
        scan.feed(endless);
        QVERIFY(scan.held() <= LogScan::longestHeld);
    }
    scan.feed("\nx\n");
    QCOMPARE(scan.lines(), qint64(2));
    QCOMPARE(scan.takeHits().size(), size_t(LogScan::mostHits));
    // As long as a line is shown.
    QCOMPARE(scan.count(), qint64(LineAssembler::maxLine) + 1);
    for (int i = 0; i < 4; ++i)
        scan.feed(QByteArray("x\n").repeated(50'000));
    QVERIFY(scan.takeHits().empty());
    QCOMPARE(scan.lines(), qint64(200'002));
    QCOMPARE(scan.count(), qint64(LineAssembler::maxLine) + 200'001);
}

void TestLogSearch::file_isSearchedWholeAndAsItGrows()
{
    QFile file(fileOf(numbered(1, 5000)));
    LogSource source{file.fileName(), {}, false};
    LogSearch search;
    QSignalSpy changed(&search, &LogSearch::changed);
    search.start(source, {text("LINE 4999")});
    QTRY_VERIFY(changed.size() > 0 && !search.isRunning());
    QVERIFY(search.hits() == std::vector<LogHit>({{4999, 0}}));
    QCOMPARE(search.percent(), 100);
    QVERIFY(file.open(QIODevice::Append | QIODevice::Unbuffered));
    file.write("a second line 49");
    search.update(source);
    QTest::qWait(120);
    QCOMPARE(search.count(), qint64(1)); // the line may go on
    file.write("99\nline 4999");
    search.update(source);
    QTRY_COMPARE(search.count(), qint64(2));
    source.ended = true;
    search.update(source);
    QTRY_COMPARE(search.count(), qint64(3));
    QVERIFY(search.hits() == std::vector<LogHit>({{4999, 0}, {5001, 0}, {5002, 0}}));
}

void TestLogSearch::file_withoutAHitSaysSo()
{
    LogSearch search;
    QSignalSpy changed(&search, &LogSearch::changed);
    search.start({fileOf(numbered(1, 1000)), {}, true}, {text("absent")});
    QTRY_VERIFY(changed.size() > 0 && !search.isRunning());
    QVERIFY(search.isActive() && search.count() == 0 && search.hits().empty());
    QVERIFY(search.trouble().isEmpty());
    // A run without a log yet has none either.
    search.start({m_folder.filePath(text("none")), {}, false}, {text("absent")});
    QTRY_VERIFY(!search.isRunning());
    QVERIFY(search.trouble().isEmpty() && search.count() == 0);
    // A folder cannot be read.
    search.start({m_folder.path(), {}, false}, {text("absent")});
    QTRY_VERIFY(!search.isRunning());
    QVERIFY(!search.trouble().isEmpty());
}

void TestLogSearch::cancelledSearch_isSilent()
{
    const QString file = fileOf(QByteArray("needle\n").repeated(2'000'000));
    auto search = std::make_unique<LogSearch>();
    QSignalSpy changed(search.get(), &LogSearch::changed);
    search->start({file, {}, true}, {text("needle")});
    search->cancel();
    QVERIFY(!search->isRunning() && !search->isActive());
    QTest::qWait(120);
    QCOMPARE(changed.size(), qsizetype(0));
    QVERIFY(search->hits().empty() && search->count() == 0);
    // Another one is not disturbed by the one that it replaced.
    search->start({file, {}, true}, {text("n")});
    search->start({fileOf("one needle\n"), {}, true}, {text("needle")});
    QTRY_VERIFY(!search->isRunning());
    QCOMPARE(search->count(), qint64(1));
    search->start({file, {}, true}, {text("e")});
    search.reset();
    QVERIFY(QThreadPool::globalInstance()->waitForDone(10'000));
}

/// Blocks are of 1 MiB; the line and the text both lie over their border.
void TestLogSearch::hitsOverABlockBorder_areFound()
{
    constexpr qsizetype block = 1024 * 1024;
    QByteArray log;
    while (log.size() < 3 * block)
        log += "filler of some length\n";
    const qint64 line = log.first(block - 3).count('\n') + 1;
    const qsizetype begin = log.lastIndexOf('\n', block - 3) + 1;
    log.insert(begin, QByteArray(block - 3 - begin, '.') + "Needle\n");
    LogSearch search;
    search.start({fileOf(log), {}, true}, {text("needle")});
    QTRY_VERIFY(!search.isRunning());
    QVERIFY(search.hits() == std::vector<LogHit>({{line, 0}}));
}

void TestLogSearch::block_hasTheLinesAroundAPlace()
{
    QByteArray log;
    for (int i = 1; i <= 3000; ++i)
        log += QByteArray::number(i).rightJustified(8) + QByteArray(300, '.') + '\n';
    FileFeed feed(fileOf(log), {});
    feed.setLive(false);
    QTRY_COMPARE_WITH_TIMEOUT(feed.lines().size(), qsizetype(3000), 30'000);
    const LogPlace place = feed.placeBefore(2500);
    QVERIFY(place.line > 1 && place.line <= 2500);
    QCOMPARE(log.mid(place.offset, 8), QByteArray::number(place.line).rightJustified(8));
    const LogBlock block = readLogBlock(feed.source(), place, {2500, 2509, 2500});
    QCOMPARE(block.lines.size(), qsizetype(10));
    QVERIFY(block.lines.first().startsWith(text("    2500.")));
    QCOMPARE(block.numbers.front(), qint64(2500));
    QCOMPARE(block.numbers.back(), qint64(2509));
    QVERIFY(readLogBlock(feed.source(), {}, {3001, 3009, 3001}).lines.isEmpty());
    QVERIFY(!readLogBlock({m_folder.path(), {}, false}, {}, {1, 2, 1}).trouble.isEmpty());
}

void TestLogSearch::block_keepsTheWantedLine()
{
    const QByteArray wide = QByteArray(1024 * 1024 - 8, 'w') + '\n';
    const LogSource source{fileOf(wide.repeated(40)), {}, true};
    const auto numbers = [&](qint64 from, qint64 to, qint64 keep) {
        const LogBlock block = readLogBlock(source, {}, {from, to, keep});
        return std::pair(block.numbers.front(), block.numbers.back());
    };
    QCOMPARE(numbers(1, 30, 30), (std::pair<qint64, qint64>(15, 30))); // 16 MiB before it
    QCOMPARE(numbers(10, 40, 10), (std::pair<qint64, qint64>(10, 25))); // after it
    QCOMPARE(numbers(1, 40, 20), (std::pair<qint64, qint64>(13, 28))); // on both sides
}

SLIPWAY_TEST(TestLogSearch, runs_logsearch)
#include "tst_logsearch.moc"

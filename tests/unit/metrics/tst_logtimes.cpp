// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "logs.h"

#include "plots/metrics/logtimes.h"
#include "tests/support/testmain.h"

#include <QTest>

#include <random>

using namespace slipway;
using namespace slipway::test;

class TestLogTimes : public QObject {
    Q_OBJECT

private slots:
    void byte_wasWrittenBeforeTheLogHadItsSize();
    void pieces_giveTheSame();
    void otherLines_areLeftOut_data();
    void otherLines_areLeftOut();
    void anyBytes_giveRisingTimes();
    void sample_knowsItsPlace();
};

void TestLogTimes::byte_wasWrittenBeforeTheLogHadItsSize()
{
    LogTimes times;
    QVERIFY(!times.at(0) && !times.last());
    const QByteArray text = "10 100\n25 103\n";
    QCOMPARE(times.read(text), text.size());
    QCOMPARE(times.at(0), std::optional<qint64>(100));
    QCOMPARE(times.at(9), std::optional<qint64>(100));
    QCOMPARE(times.at(10), std::optional<qint64>(103));
    QCOMPARE(times.at(24), std::optional<qint64>(103));
    QVERIFY(!times.at(25)); // not yet
    QVERIFY(!times.at(-1));
    QCOMPARE(times.last(), std::optional<qint64>(103));
}

void TestLogTimes::pieces_giveTheSame()
{
    const QByteArray text = "10 100\n25 103\n4000 1700000000\n";
    for (qsizetype piece = 1; piece <= text.size(); ++piece) {
        LogTimes times;
        qsizetype read = 0;
        for (qsizetype end = piece; read < text.size(); end = std::min(end + piece, text.size()))
            read += times.read(QByteArrayView(text).sliced(read, end - read));
        QCOMPARE(times.at(9), std::optional<qint64>(100));
        QCOMPARE(times.at(10), std::optional<qint64>(103));
        QCOMPARE(times.at(3999), std::optional<qint64>(1'700'000'000));
    }
}

void TestLogTimes::otherLines_areLeftOut_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("a word") << QByteArray("15 soon");
    QTest::newRow("three") << QByteArray("15 102 3");
    QTest::newRow("negative") << QByteArray("-15 102");
    QTest::newRow("a fraction") << QByteArray("15 102.5");
    QTest::newRow("no time") << QByteArray("15 0");
    QTest::newRow("smaller") << QByteArray("5 102");
    QTest::newRow("the same size") << QByteArray("10 102");
    QTest::newRow("too many digits") << QByteArray("15 9999999999999999999999");
    QTest::newRow("two spaces") << QByteArray("15  102");
    QTest::newRow("NUL") << QByteArray("15 102\0", 7);
}

void TestLogTimes::otherLines_areLeftOut()
{
    QFETCH(QByteArray, line);
    LogTimes times;
    times.read(QByteArray("10 100\n" + line + "\n20 110\n"));
    QCOMPARE(times.at(9), std::optional<qint64>(100));
    QCOMPARE(times.at(12), std::optional<qint64>(110));
    // A clock that is set back.
    times.read("30 90\n");
    QCOMPARE(times.at(29), std::optional<qint64>(110));
}

void TestLogTimes::anyBytes_giveRisingTimes()
{
    std::mt19937 random(7);
    const QByteArray letters("0123456789  \n\n-x\0", 17);
    for (int round = 0; round < 300; ++round) {
        QByteArray text(2000, Qt::Uninitialized);
        for (char& c : text)
            c = letters[qsizetype(random() % size_t(letters.size()))];
        LogTimes times;
        QVERIFY(times.read(text) <= text.size());
        qint64 before = 0;
        for (qint64 place = 0; place < 2000; place += 7) {
            const auto time = times.at(place);
            QVERIFY(!time || *time >= before);
            before = time.value_or(before);
        }
    }
}

void TestLogTimes::sample_knowsItsPlace()
{
    const PatternSpec spec{QStringLiteral("took (?<seconds>\\S+) s")};
    const QByteArray log = "hello\r\ntook 1 s\n\x1b[31mtook 2 s\x1b[0m\ndraft\rtook 3 s";
    std::vector<qint64> places;
    for (const Sample& sample : readWhole(log, {}, {spec}).samples)
        places.push_back(sample.place);
    QCOMPARE(places,
        (std::vector<qint64>{log.indexOf("1 s\n") + 3, log.indexOf("\ndraft"), log.size() - 1}));
    for (qsizetype size = 1; size < 9; ++size) {
        const Reading pieces = readInChunks(log, [size] { return size; }, {}, {spec});
        QVERIFY(pieces == readWhole(log, {}, {spec}));
    }
}

SLIPWAY_TEST(TestLogTimes, metrics_logtimes)
#include "tst_logtimes.moc"

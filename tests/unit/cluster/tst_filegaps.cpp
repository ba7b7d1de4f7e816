// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/filegaps.h"
#include "tests/support/testmain.h"

#include <QRandomGenerator>
#include <QTest>

using namespace slipway;

/// Which bytes of a file are missing, against a plain array of bytes.
class TestFileGaps : public QObject {
    Q_OBJECT

private slots:
    void streams_shareWhatIsMissing();
    void fill_agreesWithBytesOneByOne();
    void text_isReadBack();
    void damagedText_isRefused_data();
    void damagedText_isRefused();
};

void TestFileGaps::streams_shareWhatIsMissing()
{
    FileGaps gaps(100);
    const auto first = gaps.next({}, 40);
    QVERIFY(first && *first == (FileRange{0, 40}));
    const auto second = gaps.next({*first}, 40);
    QVERIFY(second && *second == (FileRange{40, 80}));
    gaps.fill({0, 10}); // the first stream is under way
    const auto third = gaps.next({*first, *second}, 40);
    QVERIFY(third && *third == (FileRange{80, 100}));
    QVERIFY(!gaps.next({*first, *second, *third}, 40));
    QCOMPARE(gaps.missing(), 90);
    const auto again = gaps.next({*second, *third}, 40); // the first was cut off
    QVERIFY(again && *again == (FileRange{10, 40}));
    QVERIFY(FileGaps(0).isEmpty());
}

void TestFileGaps::fill_agreesWithBytesOneByOne()
{
    constexpr int size = 60;
    QRandomGenerator random(3);
    for (int round = 0; round < 200; ++round) {
        FileGaps gaps(size);
        QByteArray bytes(size, '-');
        for (int i = 0; i < 12; ++i) {
            const int begin = random.bounded(size), end = begin + random.bounded(size - begin + 1);
            gaps.fill({begin, end});
            bytes.replace(begin, end - begin, QByteArray(end - begin, 'x'));
            QCOMPARE(gaps.missing(), bytes.count('-'));
            qint64 before = -1;
            for (const FileRange& gap : gaps.gaps()) {
                QVERIFY(gap.begin > before && gap.end > gap.begin);
                QVERIFY(!bytes.mid(int(gap.begin), int(gap.size())).contains('x'));
                before = gap.end;
            }
            const auto read = FileGaps::fromText(gaps.toText(), size);
            QVERIFY(read && read->gaps() == gaps.gaps());
        }
    }
}

void TestFileGaps::text_isReadBack()
{
    FileGaps gaps(100);
    gaps.fill({10, 20});
    QCOMPARE(gaps.toText(), QByteArray("0-10,20-100"));
    gaps.fill({0, 100});
    QCOMPARE(gaps.toText(), QByteArray());
}

void TestFileGaps::damagedText_isRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"x", "-", "1-", "-5", "5-1", "0-101", "0-10,5-20", "0-10,10-20",
             "0-10,", "1e3-5", "0-99999999999999999999", "0-10 20-30"})
        QTest::newRow(text) << QByteArray(text);
}

void TestFileGaps::damagedText_isRefused()
{
    QFETCH(QByteArray, text);
    QVERIFY(!FileGaps::fromText(text, 100));
}

SLIPWAY_TEST(TestFileGaps, cluster_filegaps)
#include "tst_filegaps.moc"

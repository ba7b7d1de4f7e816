// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/base/quantities.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;
using namespace std::chrono_literals;

class TestQuantities : public QObject {
    Q_OBJECT

private slots:
    void wallTime_readsEveryFormOfSlurm_data();
    void wallTime_readsEveryFormOfSlurm();
    void wallTime_refusesInvalidTimes_data();
    void wallTime_refusesInvalidTimes();
    void wallTime_unlimitedIsLongerThanAnyLimit();
    void memory_readsAndPrintsSlurmSuffixes_data();
    void memory_readsAndPrintsSlurmSuffixes();
    void memory_refusesInvalidAmounts();
    void byteCount_printsThreeDigits();
    void duration_isExact();
};

void TestQuantities::wallTime_readsEveryFormOfSlurm_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<QString>("printed");
    QTest::newRow("minutes") << "30" << qint64(1800) << "00:30:00";
    QTest::newRow("minutes:seconds") << "5:07" << qint64(307) << "00:05:07";
    QTest::newRow("hours:minutes:seconds") << "1:02:03" << qint64(3723) << "01:02:03";
    QTest::newRow("days-hours") << "1-12" << qint64(129600) << "1-12:00:00";
    QTest::newRow("days-hours:minutes") << "2-04:30" << qint64(189000) << "2-04:30:00";
    QTest::newRow("days and all") << "7-00:00:01" << qint64(604801) << "7-00:00:01";
    QTest::newRow("more than a day in hours") << "48:00:00" << qint64(172800) << "2-00:00:00";
    QTest::newRow("unlimited") << "UNLIMITED" << qint64(-1) << "UNLIMITED";
    QTest::newRow("infinite, lower case") << "infinite" << qint64(-1) << "UNLIMITED";
    QTest::newRow("white space") << " 10 " << qint64(600) << "00:10:00";
}

void TestQuantities::wallTime_readsEveryFormOfSlurm()
{
    QFETCH(QString, text);
    QFETCH(qint64, seconds);
    QFETCH(QString, printed);
    const auto time = WallTime::parse(text);
    QVERIFY(time.ok());
    QCOMPARE(qint64(time->seconds().count()), seconds);
    QCOMPARE(time->slurmText(), printed);
}

void TestQuantities::wallTime_refusesInvalidTimes_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << "";
    QTest::newRow("word") << "soon";
    QTest::newRow("negative") << "-5";
    QTest::newRow("two days") << "1-2-3";
    QTest::newRow("newline and a directive") << "10\n#SBATCH -A x";
    QTest::newRow("a million years") << "99999-00";
}

void TestQuantities::wallTime_refusesInvalidTimes()
{
    QFETCH(QString, text);
    const auto time = WallTime::parse(text);
    QVERIFY(!time.ok());
    QCOMPARE(time.error().kind, ErrorKind::Invalid);
    QVERIFY(!time.error().remedy.isEmpty());
}

void TestQuantities::wallTime_unlimitedIsLongerThanAnyLimit()
{
    QVERIFY(WallTime::unlimited() > WallTime(1000h));
    QVERIFY(WallTime(1h) < WallTime(2h));
    QVERIFY(WallTime::unlimited() == WallTime::unlimited());
}

void TestQuantities::memory_readsAndPrintsSlurmSuffixes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("mebibytes");
    QTest::addColumn<QString>("printed");
    QTest::newRow("gigabytes") << "64G" << qint64(65536) << "64G";
    QTest::newRow("megabytes by default") << "1500" << qint64(1500) << "1500M";
    QTest::newRow("whole gigabytes in megabytes") << "2048M" << qint64(2048) << "2G";
    QTest::newRow("terabytes") << "1T" << qint64(1048576) << "1024G";
    QTest::newRow("kilobytes round up") << "1025K" << qint64(2) << "2M";
    QTest::newRow("all of the node") << "0" << qint64(0) << "0M";
    QTest::newRow("as a person writes it") << "64 GB" << qint64(65536) << "64G";
}

void TestQuantities::memory_readsAndPrintsSlurmSuffixes()
{
    QFETCH(QString, text);
    QFETCH(qint64, mebibytes);
    QFETCH(QString, printed);
    const auto memory = MemorySize::parse(text);
    QVERIFY(memory.ok());
    QCOMPARE(memory->mebibytes(), mebibytes);
    QCOMPARE(memory->slurmText(), printed);
}

void TestQuantities::memory_refusesInvalidAmounts()
{
    for (const auto* text : {"", "lots", "-1G", "1.5G", "8G\n#SBATCH -A x", "9999999999999"})
        QVERIFY2(!MemorySize::parse(QLatin1String(text)).ok(), text);
}

void TestQuantities::byteCount_printsThreeDigits()
{
    QCOMPARE(ByteCount(0).text(), QStringLiteral("0 B"));
    QCOMPARE(ByteCount(1536).text(), QStringLiteral("1.5 KiB"));
    QCOMPARE(ByteCount(qint64(371) * 1024 * 1024).text(), QStringLiteral("371 MiB"));
}

void TestQuantities::duration_isExact()
{
    QCOMPARE(durationText(42s), QStringLiteral("0:42"));
    QCOMPARE(durationText(3723s), QStringLiteral("1:02:03"));
    QCOMPARE(durationText(187200s), QStringLiteral("2 d 04:00:00"));
}

SLIPWAY_TEST(TestQuantities, base_quantities)
#include "tst_quantities.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagestorescan.h"
#include "app/images/packagescan.h"
#include "remote/shell/localshell.h"
#include "tests/support/awaited.h"
#include "tests/support/files.h"
#include "tests/support/testmain.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace slipway;

/// Sets of packages and the quota in the scan of a cluster, with this computer's shell as the far
/// side and with answers as sites give them.
class TestPackageScan : public QObject {
    Q_OBJECT

private slots:
    void init();
    void sets_areFound();
    void deletionDay_followsTheLastUse();
    void hostileRows_nameNothing_data();
    void hostileRows_nameNothing();
    void sets_areDeletedAlone();
    void sets_thatAreInstalledNowAreLeft();
    void quota_isRead_data();
    void quota_isRead();
    void space_isSaidWithTheQuotaWhereItIsKnown();

private:
    QString packages(const QString& name = {}) const
    {
        const QString folder = m_folder->filePath(QStringLiteral("slipway/packages"));
        return name.isEmpty() ? folder : folder + u'/' + name;
    }
    ImageList scanned(const ImageScan& scan = {}) const;
    QStringList removed(const std::vector<PackageSet>& sets) const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

const QString oneSum = QString(32, u'a'), twoSum = QString(32, u'b');
const QByteArray nul(1, '\0');

PackageSet setAt(const QString& path)
{
    PackageSet set;
    set.path = path;
    return set;
}

} // namespace

void TestPackageScan::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    putFile(packages(oneSum + u"/requirements.txt"), "rich==13.9\nnumpy\ntorch\nfourth\n");
    putFile(packages(oneSum + u"/complete"), "42\n");
    putFile(packages(oneSum + u"/rich/data"), QByteArray(200'000, 'x'));
    putFile(packages(twoSum + u"/half/data"), "x"); // an installation that was ended
    putFile(packages(QStringLiteral("other/requirements.txt")), "not Slipway's");
}

ImageList TestPackageScan::scanned(const ImageScan& scan) const
{
    LocalShell shell;
    const QByteArray script = "t='timeout 20'\nd=" + shellQuoted(m_folder->path()) + '\n'
        + packageScanPart(shellQuoted(packages())) + quotaScanPart();
    const auto answer = awaited(shell.run(script));
    ImageList list;
    if (answer.ok())
        readPackages(answer->out, scan, &list);
    return list;
}

QStringList TestPackageScan::removed(const std::vector<PackageSet>& sets) const
{
    LocalShell shell;
    const auto answer = awaited(shell.run(removePackagesScript(packages(), sets)));
    return readRemovedImages(answer.ok() ? answer->out : QByteArray(), sets.size());
}

void TestPackageScan::sets_areFound()
{
    QVERIFY(QFile::link(packages(oneSum), packages(QString(32, u'c'))));
    const ImageList list = scanned();
    QCOMPARE(list.packageFolder, packages());
    QCOMPARE(list.packages.size(), size_t(2));
    const PackageSet& set = list.packages[0]; // the larger one
    QCOMPARE(set.path, packages(oneSum));
    QCOMPARE(set.requirements, QStringLiteral("requirements.txt"));
    QCOMPARE(set.firstLines, QStringLiteral("rich==13.9\nnumpy\ntorch"));
    QCOMPARE(set.files, std::optional<int>(42));
    QVERIFY(set.bytes && *set.bytes >= 200'000);
    QVERIFY(set.isComplete && set.lastUsed.isValid() && set.modified.isValid() && !set.inUse);
    QVERIFY(!list.packages[1].isComplete);
    ImageScan scan;
    scan.packagesInUse = true;
    QVERIFY(scanned(scan).packages[0].inUse);
}

void TestPackageScan::deletionDay_followsTheLastUse()
{
    ImageScan scan;
    scan.scratch = m_folder->path();
    scan.purgeDays = 30;
    ImageList list;
    const QByteArray folder = "packages 0 0 0 0 " + packages().toUtf8() + nul;
    const QByteArray row = "set 1700000000 1790000000 3 0 " + oneSum.toUtf8() + "/requirements.txt";
    readPackages(folder + row + nul, scan, &list);
    QCOMPARE(list.packages.size(), size_t(1));
    QCOMPARE(list.packages[0].deletedOn,
        std::optional<QDate>(QDateTime::fromSecsSinceEpoch(1790000000).date().addDays(30)));
    QVERIFY(!list.packages[0].bytes); // not measured is not zero
}

void TestPackageScan::hostileRows_nameNothing_data()
{
    QTest::addColumn<QByteArray>("rows");
    const QByteArray folder = "packages 0 0 0 0 /s/slipway/packages" + nul;
    const QByteArray name = oneSum.toUtf8();
    QTest::newRow("without a folder") << QByteArray("set 1 1 1 0 " + name + "/r.txt");
    QTest::newRow("folder with ..")
        << QByteArray("packages 0 0 0 0 /s/../etc" + nul + "set 1 1 1 0 " + name + "/r.txt");
    QTest::newRow("above the folder") << QByteArray(folder + "set 1 1 1 0 ../" + name + "/r.txt");
    QTest::newRow("short name") << QByteArray(folder + "set 1 1 1 0 abc/r.txt");
    QTest::newRow("cut off") << QByteArray(folder + "set 1 1 1");
}

void TestPackageScan::hostileRows_nameNothing()
{
    QFETCH(QByteArray, rows);
    ImageList list;
    readPackages(rows, {}, &list);
    QVERIFY(list.packages.empty());
}

void TestPackageScan::sets_areDeletedAlone()
{
    putFile(packages(oneSum + u".lock"), "");
    const QString outside = m_folder->filePath(QStringLiteral("slipway/") + oneSum);
    putFile(outside + u"/keep", "x");
    QVERIFY(QFile::link(outside, packages(QString(32, u'c'))));
    const QStringList why = removed({setAt(packages(oneSum)), setAt(packages(QString(32, u'c'))),
        setAt(packages(QStringLiteral("../") + oneSum)), setAt(packages(QStringLiteral("other")))});
    QCOMPARE(why.size(), 4);
    QVERIFY2(why[0].isEmpty(), qPrintable(why[0]));
    QVERIFY(!QFile::exists(packages(oneSum)) && !QFile::exists(packages(oneSum + u".lock")));
    for (int i = 1; i < 4; ++i)
        QVERIFY(!why[i].isEmpty());
    QVERIFY(QFile::exists(outside + u"/keep"));
    QVERIFY(QFile::exists(packages(QStringLiteral("other/requirements.txt"))));
    QVERIFY(QFile::exists(packages(twoSum)));
}

void TestPackageScan::sets_thatAreInstalledNowAreLeft()
{
    QProcess job;
    job.start(QStringLiteral("flock"),
        {packages(oneSum + u".lock"), QStringLiteral("sh"), QStringLiteral("-c"),
            QStringLiteral("echo held; read x")});
    QVERIFY(job.waitForReadyRead());
    const QStringList why = removed({setAt(packages(oneSum))});
    job.closeWriteChannel();
    QVERIFY(job.waitForFinished());
    QVERIFY2(why[0].contains(u"installing"), qPrintable(why[0]));
    QVERIFY(QFile::exists(packages(oneSum + u"/complete")));
}

void TestPackageScan::quota_isRead_data()
{
    QTest::addColumn<QByteArray>("row");
    QTest::addColumn<qint64>("used");
    QTest::addColumn<qint64>("limit"); // 0: none, or unknown
    const QByteArray head = "Disk quotas for user me (uid 1000):\n     Filesystem  blocks   quota "
                            "  limit   grace   files   quota   limit   grace\n";
    QTest::newRow("Linux, of the file system that is meant")
        << QByteArray("quota linux 0 0 0 nfs:/home\n" + head
               + "/dev/sda1 7 8 9 0 1 0 0 0\nnfs:/home 1000 5000 6000 0 12 0 0 0")
        << qint64(1000 * 1024) << qint64(6000 * 1024);
    QTest::newRow("Linux, over the soft limit, which is the only one")
        << QByteArray("quota linux 0 0 0 /dev/sdb1\n" + head + "/dev/sdb1 5001* 5000 0 7 12 0 0 0")
        << qint64(5001 * 1024) << qint64(5000 * 1024);
    QTest::newRow("Linux, none there")
        << QByteArray("quota linux 0 0 0 /dev/sdc1\n" + head + "/dev/sdb1 1 5 6 0 12 0 0 0")
        << qint64(0) << qint64(0);
    QTest::newRow("Linux, without a limit")
        << QByteArray("quota linux 0 0 0 /dev/sdb1\n" + head + "/dev/sdb1 1 0 0 0 12 0 0 0")
        << qint64(0) << qint64(0);
    QTest::newRow("Lustre") << QByteArray("quota lustre 0 0 0 - /scratch  2048  0  4096 - 7 0 0 -")
                            << qint64(2048 * 1024) << qint64(4096 * 1024);
    QTest::newRow("Lustre, on two lines")
        << QByteArray("quota lustre 0 0 0 - /scratch/long\n   2048*  1024  0 - 7 0 0 -")
        << qint64(2048 * 1024) << qint64(1024 * 1024);
    QTest::newRow("Lustre, estimated")
        << QByteArray("quota lustre 0 0 0 - . [2048] 0 4096 -") << qint64(0) << qint64(0);
    QTest::newRow("Lustre, nothing said")
        << QByteArray("quota lustre 0 0 0 - ") << qint64(0) << qint64(0);
    QTest::newRow("absurd numbers")
        << QByteArray("quota lustre 0 0 0 - . 99999999999999999999 0 -5 -") << qint64(0)
        << qint64(0);
}

void TestPackageScan::quota_isRead()
{
    QFETCH(QByteArray, row);
    QFETCH(qint64, limit);
    const auto quota = readQuota(nul + row + nul);
    QCOMPARE(quota.has_value(), limit > 0);
    if (quota) {
        QTEST(quota->usedBytes, "used");
        QCOMPARE(quota->limitBytes, limit);
    }
}

void TestPackageScan::space_isSaidWithTheQuotaWhereItIsKnown()
{
    ImageList list;
    QCOMPARE(spaceWords(list), QStringLiteral("free space unknown"));
    list.freeBytes = qint64(3) << 30;
    QCOMPARE(spaceWords(list), QStringLiteral("3.0 GiB free"));
    list.quota = StorageQuota{qint64(12) << 30, qint64(50) << 30};
    QCOMPARE(spaceWords(list), QStringLiteral("12.0 GiB of 50.0 GiB used (quota), 3.0 GiB free"));
}

SLIPWAY_TEST(TestPackageScan, images_packagescan)
#include "tst_packagescan.moc"

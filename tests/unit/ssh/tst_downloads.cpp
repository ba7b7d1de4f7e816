// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/largedownload.h"
#include "tests/support/cutproxy.h"
#include "tests/support/delayproxy.h"
#include "tests/support/largefile.h"
#include "tests/support/sshdlogin.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QElapsedTimer>
#include <QFile>
#include <QRandomGenerator>
#include <QTest>

#include <cerrno>

using namespace slipway;
using namespace std::chrono_literals;

/// Large downloads over a real sshd and a line that is cut, or slow.
class TestDownloads : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void downloadCutOften_arrivesWhole();
    void fileThatChanged_isBroughtAnew_data();
    void fileThatChanged_isBroughtAnew();
    void damagedPart_isBroughtAnew();
    void growingFile_isBroughtAsItWasListed();
    void whatIsNoFile_isRefused_data();
    void whatIsNoFile_isRefused();
    void partThatIsALink_isNotWrittenThrough();
    void fullDiskHere_isSaid_data();
    void fullDiskHere_isSaid();
    void cancel_keepsThePart();
    void farAway_oneStreamIsEnough();

private:
    QString path(const char* name) const { return m_sshd.path(QString::fromLatin1(name)); }
    QString part() const { return path("here.part"); }
    Result<LargeDownloadSummary> bring(
        const std::shared_ptr<Shell>& shell, qint64 bytes, qint64 until = 0);
    SshdFixture m_sshd;
};

void TestDownloads::initTestCase()
{
    qunsetenv("SSH_AUTH_SOCK");
    QCOMPARE(m_sshd.start(), QString());
}

void TestDownloads::init()
{
    for (const char* name : {"there", "here", "here.part", "here.part.source", "other"})
        QFile::remove(path(name));
}

Result<LargeDownloadSummary> TestDownloads::bring(
    const std::shared_ptr<Shell>& shell, qint64 bytes, qint64 until)
{
    return awaited(downloadLargeFile(shell, path("there"), bytes, path("here"),
        [until](qint64 here, qint64) { return until == 0 || here < until; }));
}

void TestDownloads::downloadCutOften_arrivesWhole()
{
    constexpr int cuts = 20;
    constexpr qint64 size = 48 * mebibyte + 12'345;
    const QByteArray sum = fillFile(path("there"), size);
    QRandomGenerator generator(11);
    qint64 here = 0, received = 0;
    bool every = true;
    for (int cut = 0; cut <= cuts; ++cut) {
        CutProxy proxy(m_sshd.port());
        const auto shell = connected(m_sshd, {}, proxy.port());
        QVERIFY(shell);
        const qint64 until = here + mebibyte + generator.bounded(mebibyte);
        const auto done = awaited(
            downloadLargeFile(shell, path("there"), size, path("here"), [&](qint64 now, qint64) {
                here = now;
                if (cut < cuts && now >= until)
                    proxy.cut();
                return true;
            }));
        if (cut < cuts) {
            QVERIFY(!done.ok());
            QCOMPARE(done.error().kind, ErrorKind::LinkLost);
            QVERIFY(!QFile::exists(path("here")));
            received = here;
            continue;
        }
        QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().text()));
        every = every && !done->beganAgain;
        QCOMPARE(done->kept, received); // nothing that had arrived travels again
        QCOMPARE(done->received, size - received);
    }
    QVERIFY(every);
    QCOMPARE(sumOf(path("here")), sum);
    QVERIFY(!QFile::exists(part()));
    QVERIFY(!QFile::exists(path("here.part.source")));
    noteTarget("T7",
        QStringLiteral("download of %1 MiB over a real sshd, cut %2 times: whole, nothing that had "
                       "arrived was sent again")
            .arg(size / mebibyte)
            .arg(cuts));
}

void TestDownloads::fileThatChanged_isBroughtAnew_data()
{
    QTest::addColumn<bool>("replaced");
    QTest::newRow("replaced by another file") << true;
    QTest::newRow("written over in place") << false;
}

void TestDownloads::fileThatChanged_isBroughtAnew()
{
    QFETCH(bool, replaced);
    constexpr qint64 size = 6 * mebibyte;
    const auto shell = connected(m_sshd);
    QVERIFY(shell);
    fillFile(path("there"), size);
    QCOMPARE(bring(shell, size, 2 * mebibyte).error().kind, ErrorKind::Cancelled);
    QVERIFY(QFile(part()).size() >= 2 * mebibyte);
    const QByteArray sum = fillFile(replaced ? path("other") : path("there"), size, 8);
    if (replaced) {
        QFile::rename(path("there"), path("here.old"));
        QVERIFY(QFile::rename(path("other"), path("there")));
    }
    const auto done = bring(shell, size);
    QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().text()));
    QCOMPARE(done->beganAgain, !replaced); // the inode tells at once
    QCOMPARE(done->kept, 0);
    QCOMPARE(sumOf(path("here")), sum);
    QFile::remove(path("here.old"));
}

void TestDownloads::damagedPart_isBroughtAnew()
{
    constexpr qint64 size = 6 * mebibyte;
    const auto shell = connected(m_sshd);
    QVERIFY(shell);
    const QByteArray sum = fillFile(path("there"), size);
    QVERIFY(!bring(shell, size, 3 * mebibyte).ok());
    QFile damaged(part());
    QVERIFY(damaged.open(QIODevice::ReadWrite) && damaged.seek(mebibyte));
    QCOMPARE(damaged.write("damage"), 6);
    damaged.close();
    const auto done = bring(shell, size);
    QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().text()));
    QVERIFY(done->beganAgain);
    QCOMPARE(sumOf(path("here")), sum);
}

void TestDownloads::growingFile_isBroughtAsItWasListed()
{
    constexpr qint64 size = 3 * mebibyte;
    const auto shell = connected(m_sshd);
    QVERIFY(shell);
    const QByteArray sum = fillFile(path("there"), size);
    QFile grown(path("there"));
    QVERIFY(grown.open(QIODevice::Append));
    grown.write("more\n");
    grown.close();
    QVERIFY(bring(shell, size).ok());
    QCOMPARE(QFile(path("here")).size(), size);
    QCOMPARE(sumOf(path("here")), sum);
    QCOMPARE(QFile(path("here")).permissions() & (QFile::ReadGroup | QFile::ReadOther),
        QFile::Permissions());
}

void TestDownloads::whatIsNoFile_isRefused_data()
{
    QTest::addColumn<QByteArray>("make");
    QTest::addColumn<int>("kind");
    QTest::newRow("a link to an endless device")
        << QByteArray("ln -s /dev/zero \"$f\"") << int(ErrorKind::Invalid);
    QTest::newRow("a FIFO") << QByteArray("mkfifo \"$f\"") << int(ErrorKind::Invalid);
    QTest::newRow("a folder") << QByteArray("mkdir \"$f\"") << int(ErrorKind::Invalid);
    QTest::newRow("nothing") << QByteArray("true") << int(ErrorKind::NotFound);
    QTest::newRow("shorter than listed")
        << QByteArray("echo short >\"$f\"") << int(ErrorKind::Invalid);
}

void TestDownloads::whatIsNoFile_isRefused()
{
    QFETCH(QByteArray, make);
    const auto shell = connected(m_sshd);
    QVERIFY(shell);
    QVERIFY(awaited(shell->run("f=" + shellQuoted(path("there")) + '\n' + make)).ok());
    QElapsedTimer clock;
    clock.start();
    const auto done = bring(shell, 100);
    QVERIFY(!done.ok());
    QTEST(int(done.error().kind), "kind");
    QVERIFY(clock.elapsed() < 5000);
    QVERIFY(!QFile::exists(path("here")));
    QVERIFY(awaited(shell->run("rm -rf " + shellQuoted(path("there")))).ok());
}

void TestDownloads::partThatIsALink_isNotWrittenThrough()
{
    const auto shell = connected(m_sshd);
    QVERIFY(shell);
    fillFile(path("there"), mebibyte);
    fillFile(path("other"), 10);
    const QByteArray before = sumOf(path("other"));
    QVERIFY(QFile::link(path("other"), part()));
    const auto done = bring(shell, mebibyte);
    QVERIFY(!done.ok());
    QCOMPARE(done.error().kind, ErrorKind::Refused);
    QCOMPARE(sumOf(path("other")), before);
}

void TestDownloads::fullDiskHere_isSaid_data()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("advises");
    QTest::newRow("quota") << EDQUOT << ErrorKind::DiskFull << QStringLiteral("quota")
                           << QStringLiteral("Remove files");
    QTest::newRow("disk") << ENOSPC << ErrorKind::DiskFull << QStringLiteral("the disk is full")
                          << QStringLiteral("Free some space");
    QTest::newRow("other") << EACCES << ErrorKind::Refused << QStringLiteral("Nein")
                           << QStringLiteral("another folder");
}

/// Whatever language the system speaks.
void TestDownloads::fullDiskHere_isSaid()
{
    QFETCH(int, number);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, says);
    QFETCH(QString, advises);
    const Error error = downloadWriteError(path("here"), number, QStringLiteral("Nein"));
    QCOMPARE(error.kind, kind);
    QVERIFY2(error.summary.contains(says) && error.summary.contains(path("here")),
        qPrintable(error.summary));
    QVERIFY2(error.remedy.contains(advises), qPrintable(error.remedy));
}

void TestDownloads::cancel_keepsThePart()
{
    constexpr qint64 size = 8 * mebibyte;
    const auto shell = connected(m_sshd);
    QVERIFY(shell);
    const QByteArray sum = fillFile(path("there"), size);
    QCOMPARE(bring(shell, size, 4 * mebibyte).error().kind, ErrorKind::Cancelled);
    QVERIFY(!QFile::exists(path("here")));
    const auto done = bring(shell, size);
    QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().text()));
    QVERIFY(done->kept >= 4 * mebibyte);
    QCOMPARE(done->kept + done->received, size);
    QCOMPARE(sumOf(path("here")), sum);
}

void TestDownloads::farAway_oneStreamIsEnough()
{
    constexpr qint64 size = 40 * mebibyte;
    const QByteArray sum = fillFile(path("there"), size);
    DelayProxy proxy(m_sshd.port(), 25ms);
    const auto shell = connected(m_sshd, {}, proxy.port());
    QVERIFY(shell);
    const auto done = bring(shell, size);
    QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().text()));
    QCOMPARE(sumOf(path("here")), sum);
    QCOMPARE(done->received, size);
}

SLIPWAY_TEST(TestDownloads, ssh_downloads)
#include "tst_downloads.moc"

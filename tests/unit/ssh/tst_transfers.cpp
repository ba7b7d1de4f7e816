// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/largeupload.h"
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
#include <QTimer>

#include <algorithm>

using namespace slipway;
using namespace std::chrono_literals;

/// Large uploads over a real sshd and a line that is cut, or slow.
class TestTransfers : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void uploadCutFiveTimes_arrivesWhole();
    void commandsDuringAnUpload_areAnsweredSoon();
    void farAway_severalSessionsShareTheWork();
    void farAway_aCutKeepsTheBeginning();
    void farAway_oneSessionIsEnough();

private:
    QString path(const char* name) const { return m_sshd.path(QString::fromLatin1(name)); }

    SshdFixture m_sshd;
};

void TestTransfers::initTestCase()
{
    qunsetenv("SSH_AUTH_SOCK");
    QCOMPARE(m_sshd.start(), QString());
}

void TestTransfers::uploadCutFiveTimes_arrivesWhole()
{
    constexpr int size = 48; // MiB
    const QByteArray sum = fillFile(path("large"), size * mebibyte);
    QVERIFY(!sum.isEmpty());
    QRandomGenerator generator(11);
    qint64 there = 0; // where an attempt had come to when it was cut
    qint64 travelled = 0; // over the line, all attempts together
    for (int cut = 0; cut <= 5; ++cut) {
        CutProxy proxy(m_sshd.port());
        const auto shell = connected(m_sshd, {}, proxy.port());
        QVERIFY(shell);
        const qint64 until = there + mebibyte * (2 + generator.bounded(5));
        const auto done =
            awaited(uploadLargeFile(shell, path("large"), path("there"), [&](qint64 now, qint64) {
                there = now;
                if (cut < 5 && now >= until)
                    proxy.cut();
                return true;
            }));
        travelled += proxy.received();
        if (cut < 5) {
            QVERIFY(!done.ok());
            QCOMPARE(done.error().kind, ErrorKind::LinkLost);
            QVERIFY(!QFile::exists(path("there")));
            continue;
        }
        QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().text()));
        QVERIFY(done->kept > mebibyte);
    }
    QCOMPARE(sumOf(path("there")), sum);
    // What SSH adds to the bytes of the file counts as sent again, too.
    const double again = double(travelled - size * mebibyte) / 5 / double(mebibyte);
    QVERIFY2(again <= 4, qPrintable(QString::number(again)));
    noteTarget("T7",
        QStringLiteral("%1 MiB over a real sshd, cut 5 times: whole, %2 MiB sent again for a cut")
            .arg(size)
            .arg(again, 0, 'f', 1));
}

void TestTransfers::commandsDuringAnUpload_areAnsweredSoon()
{
    QVERIFY(!fillFile(path("busy"), 64 * mebibyte).isEmpty());
    DelayProxy proxy(m_sshd.port(), 15ms);
    const auto shell = connected(m_sshd, {}, proxy.port());
    QVERIFY(shell);
    QVERIFY(awaited(shell->run("true")).ok());
    bool uploading = true;
    auto upload = [](std::shared_ptr<Shell> over, QString from, QString to,
                      bool* going) -> QCoro::Task<bool> {
        while (*going) {
            const auto done = co_await uploadLargeFile(
                over, from, to, [going](qint64, qint64) { return *going; });
            QFile::remove(to);
            if (!done.ok())
                break;
        }
        co_return !*going;
    };
    auto task = upload(shell, path("busy"), path("busy-there"), &uploading);
    std::vector<qint64> times;
    while (times.size() < 40) {
        QElapsedTimer timer;
        timer.start();
        const auto ran = awaited(shell->run("echo polled"));
        QVERIFY2(ran.ok(), qPrintable(ran.ok() ? QString() : ran.error().text()));
        times.push_back(timer.elapsed());
        QTest::qWait(25);
    }
    uploading = false;
    QVERIFY(awaited(std::move(task)));
    std::sort(times.begin(), times.end());
    const qint64 late = times[times.size() * 95 / 100];
    QVERIFY2(late < 1000, qPrintable(QString::number(late)));
    noteTarget("T8",
        QStringLiteral("commands during an upload at 30 ms: 95 %% within %1 ms, under sanitizers")
            .arg(late)
            .replace(QStringLiteral("%%"), QStringLiteral("%")));
}

void TestTransfers::farAway_severalSessionsShareTheWork()
{
    const QByteArray sum = fillFile(path("far"), 24 * mebibyte);
    QFile odd(path("far"));
    QVERIFY(odd.open(QIODevice::Append) && odd.write("the last piece is short") > 0);
    odd.close();
    DelayProxy proxy(m_sshd.port(), 25ms);
    const auto shell = connected(m_sshd, {}, proxy.port());
    QVERIFY(shell);
    const auto done = awaited(uploadLargeFile(shell, path("far"), path("far-there")));
    QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().text()));
    QVERIFY(done->sessions > 1);
    QCOMPARE(done->sent, odd.size());
    QVERIFY(!sum.isEmpty());
    QCOMPARE(sumOf(path("far-there")), sumOf(path("far")));
    QVERIFY(!QFile::exists(path("far-there.part")));
    QVERIFY(!QFile::exists(path("far-there.part.pieces")));
}

void TestTransfers::farAway_aCutKeepsTheBeginning()
{
    const QByteArray sum = fillFile(path("cut"), 40 * mebibyte);
    DelayProxy slow(m_sshd.port(), 15ms);
    for (int cut = 0; cut <= 2; ++cut) {
        CutProxy proxy(slow.port());
        const auto shell = connected(m_sshd, {}, proxy.port());
        QVERIFY(shell);
        const qint64 until = mebibyte * 14 * (cut + 1);
        const auto done =
            awaited(uploadLargeFile(shell, path("cut"), path("cut-there"), [&](qint64 now, qint64) {
                if (cut < 2 && now >= until)
                    proxy.cut();
                return true;
            }));
        if (cut < 2) {
            QVERIFY(!done.ok());
            QCOMPARE(done.error().kind, ErrorKind::LinkLost);
            continue;
        }
        QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().text()));
        QVERIFY2(done->kept >= 6 * mebibyte, qPrintable(QString::number(done->kept)));
    }
    QCOMPARE(sumOf(path("cut-there")), sum);
    QVERIFY(!QFile::exists(path("cut-there.part.pieces")));
}

/// A server that allows no second session: the one that has the part brings the rest as well.
void TestTransfers::farAway_oneSessionIsEnough()
{
    SshdFixture narrow;
    QCOMPARE(narrow.start({QStringLiteral("MaxSessions 1")}), QString());
    const QByteArray sum = fillFile(path("alone"), 9 * mebibyte);
    DelayProxy proxy(narrow.port(), 10ms);
    const auto shell = connected(narrow, {}, proxy.port());
    QVERIFY(shell);
    const auto done = awaited(uploadLargeFile(shell, path("alone"), path("alone-there")));
    QVERIFY2(done.ok(), qPrintable(done.ok() ? QString() : done.error().text()));
    QCOMPARE(done->sessions, 1);
    QCOMPARE(sumOf(path("alone-there")), sum);
    QVERIFY(!QFile::exists(path("alone-there.part.pieces")));
}

SLIPWAY_TEST(TestTransfers, ssh_transfers)
#include "tst_transfers.moc"

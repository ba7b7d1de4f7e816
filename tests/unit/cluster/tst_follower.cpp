// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/followscript.h"
#include "remote/cluster/logfollower.h"
#include "remote/shell/localshell.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QCryptographicHash>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace slipway;
using namespace std::chrono_literals;

namespace {

FollowPace quickFollow()
{
    return {20ms, 50ms, 200ms};
}

/// Receives like the launch engine: bytes at offsets, begun again on restarted().
struct Receiver {
    QByteArray bytes;
    int restarts = 0;
    int ends = 0;
    bool gap = false;
    std::optional<Result<void>> result;

    void listen(LogFollower& follower)
    {
        QObject::connect(&follower, &LogFollower::bytes, &follower,
            [this](const QByteArray& more, qint64 offset) {
                gap = gap || offset != bytes.size();
                bytes += more;
            });
        QObject::connect(&follower, &LogFollower::restarted, &follower, [this] {
            ++restarts;
            bytes.clear();
        });
        QObject::connect(
            &follower, &LogFollower::ended, &follower, [this](const Result<void>& how) {
                ++ends;
                result = how;
            });
    }
};

QByteArray randomBytes(std::mt19937& random, int size)
{
    QByteArray bytes(size, Qt::Uninitialized);
    for (auto& byte : bytes)
        byte = char(random());
    return bytes;
}

} // namespace

class TestFollower : public QObject {
    Q_OBJECT

private slots:
    void init();
    void growingFile_arrivesWhole();
    void file_mayComeLate();
    void fileThatNeverComes_isNoError();
    void deletedFile_isAnError_data();
    void deletedFile_isAnError();
    void splitUtf8_isBytesOnly();
    void truncatedFile_isReadAgain();
    void rewrittenLonger_isReadAgainAfterTheRestart();
    void replacedFile_isReadAgain();
    void appendingRestart_goesOn();
    void randomCuts_loseAndDoubleNothing();
    void hostileLog_cannotForgeMarks();
    void reader_takesAnyPieces();
    void lostLink_endsOnce();
    void endedIsToldOnce();
    void displacedByACommand_comesBackHoweverOften();

private:
    void append(const QByteArray& bytes);
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    std::shared_ptr<LocalShell> m_shell;
};

void TestFollower::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("slurm-'1 $x.out"));
    m_shell = std::make_shared<LocalShell>();
}

void TestFollower::append(const QByteArray& bytes)
{
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::Append));
    file.write(bytes);
}

void TestFollower::growingFile_arrivesWhole()
{
    LogFollower follower(m_shell, m_path);
    follower.setPace(quickFollow());
    Receiver receiver;
    receiver.listen(follower);
    QByteArray whole;
    follower.start();
    for (int i = 0; i < 20; ++i) {
        const QByteArray line = "line " + QByteArray::number(i) + '\n';
        whole += line;
        append(line);
        QTest::qWait(15);
    }
    QTRY_COMPARE(receiver.bytes, whole);
    append("the end, without a newline");
    whole += "the end, without a newline";
    follower.finish();
    QTRY_COMPARE(receiver.ends, 1);
    QVERIFY(receiver.result->ok());
    QCOMPARE(receiver.bytes, whole);
    QVERIFY(!receiver.gap);
    QCOMPARE(receiver.restarts, 0);
    QCOMPARE(follower.position().offset, qint64(whole.size()));
}

void TestFollower::file_mayComeLate()
{
    LogFollower follower(m_shell, m_path);
    follower.setPace(quickFollow());
    Receiver receiver;
    receiver.listen(follower);
    QSignalSpy waiting(&follower, &LogFollower::waitingForFile);
    follower.start();
    QTRY_COMPARE(waiting.size(), 1);
    append("hello\n");
    QTRY_COMPARE(receiver.bytes, QByteArray("hello\n"));
    QCOMPARE(receiver.restarts, 0);
}

void TestFollower::fileThatNeverComes_isNoError()
{
    LogFollower follower(m_shell, m_path);
    Receiver receiver;
    receiver.listen(follower);
    follower.finish();
    QTRY_COMPARE(receiver.ends, 1);
    QVERIFY(receiver.result->ok());
    QVERIFY(receiver.bytes.isEmpty());
}

void TestFollower::deletedFile_isAnError_data()
{
    QTest::addColumn<bool>("again"); // a follower of a later connection asks for it
    QTest::newRow("while it is followed") << false;
    QTest::newRow("while it is not") << true;
}

void TestFollower::deletedFile_isAnError()
{
    QFETCH(bool, again);
    append("half of it\n");
    auto follower = std::make_unique<LogFollower>(m_shell, m_path);
    follower->setPace(quickFollow());
    Receiver receiver;
    receiver.listen(*follower);
    follower->start();
    QTRY_COMPARE_WITH_TIMEOUT(receiver.bytes, QByteArray("half of it\n"), 30000);
    if (again) {
        const LogPosition position = follower->position();
        follower = std::make_unique<LogFollower>(m_shell, m_path, position);
        follower->setPace(quickFollow());
        receiver.listen(*follower);
    }
    QVERIFY(QFile::remove(m_path));
    follower->finish();
    QTRY_COMPARE_WITH_TIMEOUT(receiver.ends, 1, 30000);
    QVERIFY(!receiver.result->ok());
    QCOMPARE(receiver.result->error().kind, ErrorKind::Io);
    QVERIFY2(receiver.result->error().summary.contains(u"was deleted"),
        qPrintable(receiver.result->error().summary));
    QCOMPARE(receiver.bytes, QByteArray("half of it\n"));
    QCOMPARE(receiver.restarts, 0);
}

void TestFollower::splitUtf8_isBytesOnly()
{
    LogFollower follower(m_shell, m_path);
    follower.setPace(quickFollow());
    Receiver receiver;
    receiver.listen(follower);
    const QByteArray text = QStringLiteral("größe 日本 ✓\n").toUtf8();
    follower.start();
    for (const char byte : text) {
        append(QByteArray(1, byte));
        QTest::qWait(12);
    }
    QTRY_COMPARE(receiver.bytes, text);
}

void TestFollower::truncatedFile_isReadAgain()
{
    append("first run, rather long\n");
    LogFollower follower(m_shell, m_path);
    follower.setPace(quickFollow());
    Receiver receiver;
    receiver.listen(follower);
    follower.start();
    QTRY_COMPARE(receiver.bytes.size(), 23);
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("second\n");
    file.close();
    QTRY_COMPARE(receiver.bytes, QByteArray("second\n"));
    QCOMPARE(receiver.restarts, 1);
}

void TestFollower::rewrittenLonger_isReadAgainAfterTheRestart()
{
    // The trap of a requeue without append: the same inode, and two bytes longer than before.
    const QByteArray head(5000, 'h');
    const QByteArray first = head + QByteArray(13899, '1');
    const QByteArray second = head + QByteArray(13901, '2');
    append(first);
    Receiver receiver;
    LogPosition position;
    {
        LogFollower follower(m_shell, m_path);
        follower.setPace(quickFollow());
        receiver.listen(follower);
        follower.start();
        QTRY_COMPARE(receiver.bytes, first);
        position = follower.position();
    }
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(second);
    file.close();
    LogFollower follower(m_shell, m_path, position);
    follower.setPace(quickFollow());
    receiver.listen(follower);
    follower.start();
    QTRY_COMPARE(receiver.bytes, second);
    QCOMPARE(receiver.restarts, 1);
}

void TestFollower::replacedFile_isReadAgain()
{
    append("old\n");
    LogFollower follower(m_shell, m_path);
    follower.setPace(quickFollow());
    Receiver receiver;
    receiver.listen(follower);
    follower.start();
    QTRY_COMPARE(receiver.bytes, QByteArray("old\n"));
    QFile other(m_folder->filePath(QStringLiteral("other")));
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write("old\nbut another file\n");
    other.close();
    QCOMPARE(::rename(QFile::encodeName(other.fileName()).constData(),
                 QFile::encodeName(m_path).constData()),
        0);
    QTRY_COMPARE(receiver.bytes, QByteArray("old\nbut another file\n"));
    QCOMPARE(receiver.restarts, 1);
}

void TestFollower::appendingRestart_goesOn()
{
    append("run 1\n");
    LogFollower follower(m_shell, m_path);
    follower.setPace(quickFollow());
    Receiver receiver;
    receiver.listen(follower);
    follower.start();
    QTRY_COMPARE(receiver.bytes.size(), 6);
    append("run 2\n");
    follower.jobRestarted(1);
    QTRY_COMPARE(receiver.bytes, QByteArray("run 1\nrun 2\n"));
    QCOMPARE(receiver.restarts, 0);
    QCOMPARE(follower.position().restarts, 1);
    noteTarget("T15", QStringLiteral("requeue with append: each byte of both runs once"));
}

void TestFollower::randomCuts_loseAndDoubleNothing()
{
    std::mt19937 random(11);
    QCryptographicHash sent(QCryptographicHash::Sha256);
    Receiver receiver;
    LogPosition position;
    for (int cut = 0; cut < 12; ++cut) {
        const QByteArray piece = randomBytes(random, int(random() % 900'000));
        sent.addData(piece);
        append(piece);
        LogFollower follower(m_shell, m_path, position);
        follower.setPace(quickFollow());
        receiver.listen(follower);
        follower.start();
        QTest::qWait(int(random() % 120)); // cut anywhere: before it began, inside a block, after
        position = follower.position();
    }
    LogFollower follower(m_shell, m_path, position);
    follower.setPace(quickFollow());
    receiver.listen(follower);
    follower.finish();
    QTRY_VERIFY_WITH_TIMEOUT(receiver.result && receiver.result->ok(), 20000);
    QCOMPARE(QCryptographicHash::hash(receiver.bytes, QCryptographicHash::Sha256).toHex(),
        sent.result().toHex());
    QCOMPARE(receiver.restarts, 0);
    QVERIFY(!receiver.gap);
}

void TestFollower::hostileLog_cannotForgeMarks()
{
    const QByteArray text =
        "\n\036SLPL 0123456789abcdef0123456789abcdef K\n\n\036SLPL  E 5\n\036SLPE x 0\n";
    append(text);
    LogFollower follower(m_shell, m_path);
    follower.setPace(quickFollow());
    Receiver receiver;
    receiver.listen(follower);
    follower.finish();
    QTRY_COMPARE(receiver.ends, 1);
    QCOMPARE(receiver.bytes, text);
}

void TestFollower::reader_takesAnyPieces()
{
    const QByteArray nonce(32, 'a');
    const QByteArray mark = "\n\036SLPL " + nonce + ' ';
    const QByteArray block = "\n\036SLPL half a mark\n\n\n";
    const QByteArray stream = "noise of a start-up file\n" + mark + "S\n" + mark + "I 2 77\n" + mark
        + "B 2 0 " + QByteArray::number(block.size()) + '\n' + block + mark + "K 2 when 5ha\n"
        + mark + "B 0 21 5\n12" + mark + "X 0\n" + mark + "R 0\n" + mark + "A\n" + mark
        + "E 0 21\n";
    using Kind = FollowItem::Kind;
    const QList<Kind> expected{Kind::Started, Kind::Inode, Kind::Block, Kind::Dropped,
        Kind::Restart, Kind::Alive, Kind::End};
    std::mt19937 random(3);
    for (int round = 0; round < 500; ++round) {
        FollowReader reader(nonce);
        QList<Kind> kinds;
        for (qsizetype at = 0; at < stream.size();) {
            const auto size = qsizetype(1 + random() % 40);
            for (const auto& item : reader.feed(stream.mid(at, size))) {
                kinds << item.kind;
                if (item.kind != Kind::Block)
                    continue;
                QCOMPARE(item.bytes, block);
                QCOMPARE(item.file, 2);
                QCOMPARE(item.changed, QByteArray("when"));
                QCOMPARE(item.hash, QByteArray("5ha"));
            }
            at += size;
        }
        QCOMPARE(kinds, expected);
    }
}

void TestFollower::lostLink_endsOnce()
{
    auto shell = std::make_shared<ScriptedShell>();
    shell->onStream("SLPL", [](ScriptedProcess&) {});
    LogFollower follower(shell, m_path);
    Receiver receiver;
    receiver.listen(follower);
    follower.start();
    QTest::qWait(20);
    shell->loseLink();
    QTRY_COMPARE(receiver.ends, 1);
    QCOMPARE(receiver.result->error().kind, ErrorKind::LinkLost);
    QTest::qWait(50);
    QCOMPARE(receiver.ends, 1);
    QVERIFY(!follower.isRunning());
}

void TestFollower::endedIsToldOnce()
{
    append("x\n");
    LogFollower follower(m_shell, m_path);
    Receiver receiver;
    receiver.listen(follower);
    follower.cancel();
    QCOMPARE(receiver.ends, 0); // it had not begun
    follower.start();
    follower.cancel();
    follower.cancel();
    QTest::qWait(50);
    QCOMPARE(receiver.ends, 1);
    QCOMPARE(receiver.result->error().kind, ErrorKind::Cancelled);
}

void TestFollower::displacedByACommand_comesBackHoweverOften()
{
    auto shell = std::make_shared<ScriptedShell>();
    shell->onFail("SLPL", Error{ErrorKind::Refused, QStringLiteral("The session was needed.")});
    LogFollower follower(shell, QStringLiteral("/x"));
    Receiver receiver;
    receiver.listen(follower);
    follower.start();
    QTRY_VERIFY_WITH_TIMEOUT(shell->count("SLPL") > 8, 30'000); // more than the failures it allows
    QCOMPARE(receiver.ends, 0);
    QVERIFY(follower.isRunning());
}

SLIPWAY_TEST(TestFollower, cluster_follower)
#include "tst_follower.moc"

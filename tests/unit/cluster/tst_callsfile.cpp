// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/callsfile.h"
#include "remote/cluster/rpcbudget.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace slipway;
using namespace std::chrono_literals;

/// The calls to a scheduler, counted over all programs of a person.
class TestCallsFile : public QObject {
    Q_OBJECT

private slots:
    void init();

    void calls_ofTheLastMinuteCount();
    void whatIsNoCall_countsAsNothing_data();
    void whatIsNoCall_countsAsNothing();
    void garbage_isReplaced_data();
    void garbage_isReplaced();
    void programs_shareOneBudget();
    void room_isLeftToThoseWhoCallLess_data();
    void room_isLeftToThoseWhoCallLess();
    void patientCaller_getsItsTurn();
    void processes_neverTakeMoreThanThereIs();
    void deadProcess_holdsNothingUp();
    void stoppedProcess_holdsNobodyUp();
    void lockedFile_isAskedAgainForASecond();
    void fileOfOthers_isNotUsed();
    void file_isThisPersonsAlone();
    void ownCalls_countWithoutTheFile();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

void TestCallsFile::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("one.calls"));
}

void TestCallsFile::calls_ofTheLastMinuteCount()
{
    const QByteArray boot(16, 'b');
    const NotedCalls all{{10s}, {40s}, {41s, 0x7fff, true}, {99s, 7, false}, {100s, 0, true}};
    const QByteArray bytes = callsFileOf(all, boot);
    QCOMPARE(callsIn(bytes, boot, 100s), NotedCalls(all.begin() + 2, all.end()));
    QCOMPARE(callsIn(bytes, boot, 1000s), NotedCalls());
    const NotedCalls many(1000, {100s});
    QCOMPARE(callsIn(callsFileOf(many, boot), boot, 100s).size(), size_t(256));
}

void TestCallsFile::whatIsNoCall_countsAsNothing_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray boot(16, 'b');
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("another boot") << callsFileOf({{100s}}, QByteArray(16, 'a'));
    QTest::newRow("of the future") << callsFileOf({{101s}, {100000h}}, boot);
    QTest::newRow("before the start") << callsFileOf({{-1ms}, {-100000h}}, boot);
    QTest::newRow("text") << QByteArray("hello\n").repeated(1000);
    QTest::newRow("half a call") << callsFileOf({{100s}}, boot).chopped(3);
    QTest::newRow("another mark") << callsFileOf({{100s}}, boot).replace(0, 4, "SLIP");
}

void TestCallsFile::whatIsNoCall_countsAsNothing()
{
    QFETCH(QByteArray, bytes);
    QCOMPARE(callsIn(bytes, QByteArray(16, 'b'), 100s), NotedCalls());
}

void TestCallsFile::garbage_isReplaced_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("text") << QByteArray("hello\n").repeated(5000);
    QTest::newRow("zeros") << QByteArray(4096, '\0');
    QTest::newRow("the highest times") << "slipcal2" + QByteArray(4096, '\xff');
}

void TestCallsFile::garbage_isReplaced()
{
    QFETCH(QByteArray, bytes);
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    file.write(bytes);
    file.close();
    const CallsFile calls(m_path);
    QCOMPARE(calls.calls().size(), size_t(0));
    QVERIFY(calls.add(2, 2));
    QCOMPARE(calls.calls().size(), size_t(2));
    QVERIFY(!calls.add(1, 2));
}

void TestCallsFile::programs_shareOneBudget()
{
    RpcBudget one{CallsFile(m_path)}, two{CallsFile(m_path)};
    one.spend(5);
    two.spend(6);
    QCOMPARE(one.callsLastMinute(), 11);
    QCOMPARE(one.wait(), 0ms);
    QVERIFY(two.takeRoom());
    QVERIFY(!one.takeRoom());
    QVERIFY(one.wait() > 50s && one.wait() <= 60s);
    two.spend(); // for which it had taken the room
    QCOMPARE(one.callsLastMinute(), 12);
    QCOMPARE(two.callsLastMinute(), 12);
    one.spend(); // a person's call passes, and counts
    QCOMPARE(two.callsLastMinute(), 13);
}

void TestCallsFile::room_isLeftToThoseWhoCallLess_data()
{
    QTest::addColumn<NotedCalls>("calls");
    QTest::addColumn<int>("room"); // for caller 1, of 4
    const NotedCall mine{50s, 1, false}, other{50s, 2, false}, wish{55s, 2, true};
    QTest::newRow("nobody") << NotedCalls{} << 4;
    QTest::newRow("mine alone") << NotedCalls{mine, mine, mine} << 1;
    QTest::newRow("another wishes") << NotedCalls{mine, mine, mine, wish} << 0;
    QTest::newRow("it has called as often") << NotedCalls{mine, other, wish} << 2;
    QTest::newRow("my own wish") << NotedCalls{mine, mine, other, {55s, 1, true}} << 1;
    QTest::newRow("two wishes") << NotedCalls{mine, mine, wish, {55s, 3, true}} << 0;
}

void TestCallsFile::room_isLeftToThoseWhoCallLess()
{
    QFETCH(NotedCalls, calls);
    QFETCH(int, room);
    QCOMPARE(roomFor(1, calls, 4), room);
}

/// One site asks every two seconds, and another of the same account now and then.
void TestCallsFile::patientCaller_getsItsTurn()
{
    const CallsFile eager(m_path), patient(m_path);
    QVERIFY(eager.add(3, 4));
    QVERIFY(!patient.add(2, 4)); // one is free
    QVERIFY(!eager.add(1, 4)); // and stays so
    QVERIFY(patient.add(1, 4));
    QVERIFY(!eager.add(1, 4));
}

void TestCallsFile::processes_neverTakeMoreThanThereIs()
{
    // Each of four processes takes as much as it gets.
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
        const pid_t pid = ::fork();
        if (pid == 0) {
            const CallsFile calls(m_path);
            int taken = 0;
            for (int tries = 0; tries < 50; ++tries)
                taken += calls.add(1, 12) ? 1 : 0;
            ::_exit(taken);
        }
        children.push_back(pid);
    }
    int taken = 0;
    for (const pid_t pid : children) {
        int status = 0;
        QCOMPARE(::waitpid(pid, &status, 0), pid);
        taken += WEXITSTATUS(status);
    }
    QCOMPARE(taken, 12);
    QCOMPARE(CallsFile(m_path).calls().size(), size_t(12));
}

namespace {

/// A process that has the lock, and nothing else to do.
pid_t lockHolder(const QString& path)
{
    std::array<int, 2> ready{};
    if (::pipe(ready.data()) != 0)
        return -1;
    const pid_t pid = ::fork();
    if (pid == 0) {
        const int fd = ::open(QFile::encodeName(path).constData(), O_RDWR);
        ::flock(fd, LOCK_EX);
        [[maybe_unused]] const auto n = ::write(ready[1], "x", 1);
        for (;;)
            ::pause();
    }
    char one = 0;
    [[maybe_unused]] const auto n = ::read(ready[0], &one, 1);
    ::close(ready[0]);
    ::close(ready[1]);
    return pid;
}

} // namespace

void TestCallsFile::deadProcess_holdsNothingUp()
{
    const CallsFile calls(m_path);
    QVERIFY(calls.add(1));
    const pid_t pid = lockHolder(m_path);
    ::kill(pid, SIGKILL);
    QCOMPARE(::waitpid(pid, nullptr, 0), pid);
    QVERIFY(calls.add(1));
    QCOMPARE(calls.calls().size(), size_t(2));
}

void TestCallsFile::stoppedProcess_holdsNobodyUp()
{
    RpcBudget budget{CallsFile(m_path)};
    budget.spend(12);
    const pid_t pid = lockHolder(m_path);
    QElapsedTimer clock;
    clock.start();
    QCOMPARE(budget.callsLastMinute(), 12); // its own are known all the same
    QVERIFY(!budget.takeRoom());
    QVERIFY2(clock.elapsed() < 20'000, qPrintable(QString::number(clock.elapsed())));
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
}

/// On a busy computer another process may have the lock for longer than one use takes: no reason to
/// make a call that nobody counts.
void TestCallsFile::lockedFile_isAskedAgainForASecond()
{
    const CallsFile calls(m_path);
    QVERIFY(calls.add(12, 12));
    const pid_t pid = lockHolder(m_path);
    QElapsedTimer clock;
    clock.start();
    QVERIFY(!calls.add(1, 12));
    QTRY_VERIFY(calls.add(1, 12)); // it is stopped
    QVERIFY2(clock.elapsed() >= 1000, qPrintable(QString::number(clock.elapsed())));
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    QVERIFY(!calls.add(1, 12));
}

void TestCallsFile::fileOfOthers_isNotUsed()
{
    QVERIFY(CallsFile(m_path).add(3));
    QCOMPARE(::chmod(QFile::encodeName(m_path).constData(), 0666), 0);
    QCOMPARE(CallsFile(m_path).calls().size(), size_t(0));
    const QString link = m_folder->filePath(QStringLiteral("link.calls"));
    QVERIFY(QFile::link(m_path, link));
    QVERIFY(CallsFile(link).add(1)); // nothing is written through a link
    QCOMPARE(QFile(m_path).size(), 8 + 16 + 3 * 8);
}

void TestCallsFile::file_isThisPersonsAlone()
{
    const CallsFile calls = CallsFile::forAccount(QStringLiteral("ada@login.example:22"));
    QVERIFY(calls.add(1));
    const CallsFile other = CallsFile::forAccount(QStringLiteral("eve@login.example:22"));
    QCOMPARE(other.calls().size(), size_t(0));
    QCOMPARE(calls.calls().size(), size_t(1));
    const QString folder = qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/slipway");
    struct stat info { };
    for (const QString& name : QDir(folder).entryList({QStringLiteral("*.calls")}, QDir::Files)) {
        QCOMPARE(::stat(QFile::encodeName(folder + u'/' + name).constData(), &info), 0);
        QCOMPARE(info.st_mode & 07777, mode_t(0600));
    }
}

void TestCallsFile::ownCalls_countWithoutTheFile()
{
    RpcBudget budget;
    for (int i = 0; i < 12; ++i) {
        QVERIFY(budget.takeRoom());
        budget.spend();
    }
    QVERIFY(!budget.takeRoom());
    QCOMPARE(budget.callsLastMinute(), 12);
    QVERIFY(budget.wait() > 50s);
}

SLIPWAY_TEST(TestCallsFile, cluster_callsfile)
#include "tst_callsfile.moc"

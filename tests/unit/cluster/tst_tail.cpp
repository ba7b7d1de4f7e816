// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/followscript.h"
#include "remote/cluster/logfollower.h"
#include "remote/cluster/runtail.h"
#include "remote/shell/localshell.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>

using namespace slipway;
using namespace std::chrono_literals;

namespace {

/// One followed file and what came of it.
struct Followed {
    std::unique_ptr<LogFollower> follower;
    QByteArray bytes;
    QByteArray written;
    int ends = 0;
    int restarts = 0;
    bool gap = false;

    Followed(const std::shared_ptr<RunTail>& tail, const QString& path, LogPosition position = {})
        : follower(std::make_unique<LogFollower>(tail, path, std::move(position)))
    {
        QObject::connect(follower.get(), &LogFollower::bytes, follower.get(),
            [this](const QByteArray& more, qint64 offset) {
                gap = gap || offset != bytes.size();
                bytes += more;
            });
        QObject::connect(follower.get(), &LogFollower::restarted, follower.get(), [this] {
            ++restarts;
            bytes.clear();
        });
        QObject::connect(follower.get(), &LogFollower::ended, follower.get(), [this] { ++ends; });
    }

    void append(const QByteArray& text)
    {
        QFile file(follower->path());
        QVERIFY(file.open(QIODevice::Append));
        QCOMPARE(file.write(text), text.size());
        written += text;
    }
};

using FollowedFiles = std::vector<std::unique_ptr<Followed>>;

bool allHere(const FollowedFiles& files)
{
    return std::all_of(files.begin(), files.end(),
        [](const auto& file) { return file->bytes == file->written && !file->gap; });
}

/// Processes of this user whose command line or environment names the folder.
QByteArrayList processesOf(const QString& marker)
{
    QByteArrayList found;
    for (const QString& pid : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile environment(u"/proc/" + pid + u"/environ");
        QFile command(u"/proc/" + pid + u"/cmdline");
        bool number = false;
        if (pid.toLongLong(&number) == QCoreApplication::applicationPid() || !number)
            continue;
        if (environment.open(QIODevice::ReadOnly) && command.open(QIODevice::ReadOnly)
            && environment.readAll().contains(marker.toUtf8()))
            found << pid.toLatin1() + ' ' + command.readAll().replace('\0', ' ').left(60);
    }
    return found;
}

/// How long the programs of one look at a file take in ms, which depends on what else the machine
/// does.
qint64 aLookTakes()
{
    QElapsedTimer clock;
    clock.start();
    QProcess::execute(QStringLiteral("sh"),
        {QStringLiteral("-c"),
            QStringLiteral("s=$(stat -L /); tail -c +1 </etc/passwd | head -c 100 >/dev/null; "
                           "s=$(stat -L /); s=$({ head -c 100 </etc/passwd | sha256sum; })")});
    return clock.elapsed();
}

/// Without the polls, which could not tell what has woken the loop.
FollowPace wokenOnly()
{
    FollowPace pace;
    pace.busy = pace.calm = 60s;
    return pace;
}

/// Waits until tail is at work: by itself the loop looks at the files no more than twice.
void waitForTail(Followed& file)
{
    int arrived = 0;
    for (int tries = 0; arrived < 3 && tries < 40; ++tries) {
        file.append("x\n");
        arrived += QTest::qWaitFor([&file] { return file.bytes == file.written; }, 1000);
    }
    QVERIFY(arrived >= 3);
}

qint64 medianOf(std::vector<qint64> times)
{
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

} // namespace

class TestTail : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void manyFiles_oneLoop();
    void changesInOneTurn_areOneLoop();
    void line_wakesTheLoop();
    void newFile_wakesTheLoop();
    void hostileFiles_stayApart();
    void truncatedAndReplaced_concernNoOtherFile();
    void oneEnds_theOthersGoOn();
    void settledFile_endsAtTheFirstLook();
    void unchangedFiles_areNotReadAgain();
    void nothingIsLeftBehind_data();
    void nothingIsLeftBehind();
    void withoutTailOrTimeout_stillArrives_data();
    void withoutTailOrTimeout_stillArrives();

private:
    void putBefore(const QByteArray& name, const QByteArray& line);
    QString path(const QString& name) const { return m_folder->filePath(name); }
    QByteArray m_pathVariable;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<LocalShell> m_shell;
    std::shared_ptr<RunTail> m_tail;
};

void TestTail::init()
{
    m_pathVariable = qgetenv("PATH");
    m_folder = std::make_unique<QTemporaryDir>();
    // What the far side starts inherits it: by this its processes are found.
    qputenv("SLIPWAY_TEST_FOLDER", m_folder->path().toUtf8());
    m_shell = std::make_shared<LocalShell>();
    m_tail = std::make_shared<RunTail>(m_shell);
}

void TestTail::cleanup()
{
    m_tail.reset();
    m_shell.reset();
    qputenv("PATH", m_pathVariable);
}

/// A program of that name that first does something else.
void TestTail::putBefore(const QByteArray& name, const QByteArray& line)
{
    QVERIFY(QDir().mkpath(path(QStringLiteral("bin"))));
    QFile program(path(QStringLiteral("bin/")) + QString::fromLatin1(name));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.write("#!/bin/sh\n" + line + "\nexec /usr/bin/" + name + " \"$@\"\n");
    program.setPermissions(QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner);
    program.close();
    qputenv("PATH", path(QStringLiteral("bin")).toUtf8().append(':').append(m_pathVariable));
}

void TestTail::manyFiles_oneLoop()
{
    FollowedFiles files;
    for (int run = 0; run < 30; ++run) {
        for (const auto* name : {"log", "events.ndjson", "probe.ndjson", "exit.json"}) {
            const QString folder = path(QStringLiteral("run %1").arg(run));
            QVERIFY(QDir().mkpath(folder));
            files.push_back(
                std::make_unique<Followed>(m_tail, folder + u'/' + QLatin1String(name)));
            files.back()->follower->start();
        }
    }
    for (int round = 0; round < 5; ++round) {
        for (std::size_t i = std::size_t(round) % 3; i < files.size(); i += 3)
            files[i]->append("round " + QByteArray::number(round) + '\n');
        QTRY_VERIFY_WITH_TIMEOUT(allHere(files), 20000);
    }
    QCOMPARE(m_tail->starts(), 1);
    for (const auto& file : files)
        file->follower->finish(0ms);
    QTRY_VERIFY_WITH_TIMEOUT(
        std::all_of(files.begin(), files.end(), [](const auto& file) { return file->ends == 1; }),
        20000);
    QCOMPARE(m_tail->starts(), 2);
    QVERIFY(!m_tail->isRunning());
    QVERIFY(allHere(files));
}

void TestTail::changesInOneTurn_areOneLoop()
{
    Followed one(m_tail, path(QStringLiteral("one"))), two(m_tail, path(QStringLiteral("two")));
    one.follower->start();
    two.follower->start();
    one.append("1");
    two.append("2");
    QTRY_COMPARE(one.bytes + two.bytes, QByteArray("12"));
    QCOMPARE(m_tail->starts(), 1);
    Followed three(m_tail, path(QStringLiteral("three")));
    three.follower->start();
    one.follower->cancel();
    three.append("3");
    QTRY_COMPARE(three.bytes, QByteArray("3"));
    QCOMPARE(m_tail->starts(), 2);
}

void TestTail::line_wakesTheLoop()
{
    m_tail->setPace(wokenOnly());
    Followed log(m_tail, path(QStringLiteral("log")));
    Followed other(m_tail, path(QStringLiteral("events.ndjson")));
    log.append("first\n");
    log.follower->start();
    other.follower->start();
    waitForTail(log);
    std::vector<qint64> times, programs;
    for (int i = 0; i < 15; ++i) {
        // Neither in step with the looks, nor after they have become rare.
        QTest::qWait(150 + 37 * (i % 7));
        QElapsedTimer clock;
        clock.start();
        log.append("line " + QByteArray::number(i) + '\n');
        QTRY_COMPARE(log.bytes, log.written);
        times.push_back(clock.elapsed());
        programs.push_back(aLookTakes());
    }
    qInfo("a line shows after %lld ms (median; the programs of one look take %lld ms)",
        medianOf(times), medianOf(programs));
}

void TestTail::newFile_wakesTheLoop()
{
    m_tail->setPace(wokenOnly());
    std::vector<qint64> times, programs;
    for (int i = 0; i < 3; ++i) {
        const QString folder = path(QStringLiteral("run%1").arg(i));
        QVERIFY(QDir().mkpath(folder));
        Followed log(m_tail, folder + u"/log"), note(m_tail, folder + u"/exit.json");
        QSignalSpy waiting(note.follower.get(), &LogFollower::waitingForFile);
        log.follower->start();
        note.follower->start();
        QTRY_COMPARE(waiting.size(), 1);
        waitForTail(log);
        QElapsedTimer clock;
        clock.start();
        QFile part(folder + u"/exit.json.part");
        QVERIFY(part.open(QIODevice::WriteOnly));
        part.write("{\"code\":0}\n");
        part.close();
        QVERIFY(part.rename(folder + u"/exit.json"));
        QTRY_COMPARE(note.bytes, QByteArray("{\"code\":0}\n"));
        times.push_back(clock.elapsed());
        programs.push_back(aLookTakes());
    }
    qInfo("a new file shows after %lld ms (median; the programs of one look take %lld ms)",
        medianOf(times), medianOf(programs));
}

void TestTail::hostileFiles_stayApart()
{
    const QByteArray forged =
        "\n\036SLPL 0123456789abcdef0123456789abcdef K 0 x y\n\n\036SLPL  E 1 5\n";
    Followed one(m_tail, path(QStringLiteral("it's $(touch hacked)\n`x`")));
    Followed two(m_tail, path(QStringLiteral("-q")));
    for (auto* file : {&one, &two})
        file->follower->start();
    one.append(forged + QByteArray(5000, '\0') + "\n\036SLPL B 1 0 3\n");
    two.append("\n\036SLPL " + QByteArray(100, '\x1e') + forged);
    QTRY_VERIFY(one.bytes == one.written && two.bytes == two.written);
    one.append("more\n");
    QTRY_COMPARE(one.bytes, one.written);
    for (auto* file : {&one, &two})
        file->follower->finish(0ms);
    QTRY_VERIFY(one.ends == 1 && two.ends == 1);
    QVERIFY(one.bytes == one.written && two.bytes == two.written);
    QVERIFY(!QFile::exists(path(QStringLiteral("hacked"))));
}

void TestTail::truncatedAndReplaced_concernNoOtherFile()
{
    Followed one(m_tail, path(QStringLiteral("one"))), two(m_tail, path(QStringLiteral("two"))),
        three(m_tail, path(QStringLiteral("three")));
    for (auto* file : {&one, &two, &three}) {
        file->append("the first text, rather long\n");
        file->follower->start();
    }
    QTRY_VERIFY(
        one.bytes == one.written && two.bytes == two.written && three.bytes == three.written);
    QFile truncated(one.follower->path());
    QVERIFY(truncated.open(QIODevice::WriteOnly | QIODevice::Truncate));
    truncated.write("short\n");
    truncated.close();
    QVERIFY(QFile::remove(two.follower->path()));
    two.written.clear();
    two.append("another file, and a longer one than that of before\n");
    three.append("more\n");
    QTRY_COMPARE(one.bytes, QByteArray("short\n"));
    QTRY_COMPARE(two.bytes, two.written);
    QTRY_COMPARE(three.bytes, three.written);
    QCOMPARE(one.restarts, 1);
    QCOMPARE(two.restarts, 1);
    QCOMPARE(three.restarts, 0);
}

void TestTail::oneEnds_theOthersGoOn()
{
    Followed one(m_tail, path(QStringLiteral("one"))), two(m_tail, path(QStringLiteral("two")));
    for (auto* file : {&one, &two}) {
        file->append("text\n");
        file->follower->start();
    }
    QTRY_VERIFY(one.bytes == one.written && two.bytes == two.written);
    one.append("last");
    one.follower->finish();
    two.append("and on");
    QTRY_COMPARE(one.ends, 1);
    QCOMPARE(one.bytes, one.written);
    two.append("and on");
    QTRY_COMPARE(two.bytes, two.written);
    QCOMPARE(two.ends, 0);
    two.follower.reset();
    QVERIFY(!m_tail->isRunning());
}

void TestTail::settledFile_endsAtTheFirstLook()
{
    Followed log(m_tail, path(QStringLiteral("log")));
    log.append(QByteArray(3'000'000, 'x'));
    FollowPace pace;
    pace.settle = 60s; // for a file that may still grow, longer than this test waits
    m_tail->setPace(pace);
    log.follower->finish(0ms);
    QTRY_COMPARE_WITH_TIMEOUT(log.ends, 1, 20'000);
    QVERIFY(log.bytes == log.written);
}

void TestTail::unchangedFiles_areNotReadAgain()
{
    // Of 30 runs 29 have not changed when one more is launched.
    putBefore("sha256sum", "echo >>\"$SLIPWAY_TEST_FOLDER/sums\"");
    const auto sums = [this] { return QFile(path(QStringLiteral("sums"))).size(); };
    Followed one(m_tail, path(QStringLiteral("one"))), two(m_tail, path(QStringLiteral("two")));
    one.append("text\n");
    one.follower->start();
    QTRY_COMPARE(one.bytes, one.written);
    const qint64 before = sums();
    QVERIFY(before > 0);
    QSignalSpy waiting(two.follower.get(), &LogFollower::waitingForFile);
    two.follower->start();
    QTRY_COMPARE(waiting.size(), 1);
    QCOMPARE(m_tail->starts(), 2);
    QCOMPARE(sums(), before);
    one.append("more\n");
    QTRY_COMPARE(one.bytes, one.written);
    QCOMPARE(one.restarts, 0);
}

void TestTail::nothingIsLeftBehind_data()
{
    QTest::addColumn<QString>("how");
    QTest::newRow("cancelled") << QStringLiteral("cancel");
    QTest::newRow("the channel's input ends") << QStringLiteral("input");
    QTest::newRow("the loop is killed") << QStringLiteral("kill");
    QTest::newRow("a program takes a second to start") << QStringLiteral("slow");
}

void TestTail::nothingIsLeftBehind()
{
    QFETCH(QString, how);
    QFile log(path(QStringLiteral("log")));
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write("x\n");
    log.close();
    const QByteArray nonce(32, 'a');
    const QByteArray script = followScript({{log.fileName(), {}, {}, false, 0ms}}, nonce, {});
    if (how == QLatin1String("slow"))
        putBefore("true", "sleep 1.5"); // by which the loop finds out what "timeout" can do
    // Not through LocalShell, which ends whole process groups.
    QProcess sh;
    sh.start(QStringLiteral("/bin/sh"),
        {QStringLiteral("-c"), QString::fromLatin1(followStarter(script.size()))});
    sh.write(script);
    QByteArray said;
    QTRY_VERIFY2((said += sh.readAllStandardOutput()).contains(" K 0 "), said.constData());
    QTRY_VERIFY(processesOf(m_folder->path()).join(';').contains("tail -q"));
    // The loop starts it again and again, and the macro asks once more when it was there.
    bool waited = false;
    QTRY_VERIFY(waited = waited || processesOf(m_folder->path()).join(';').contains("dd bs"));
    if (how == QLatin1String("input")) {
        sh.closeWriteChannel();
    } else if (how == QLatin1String("kill")) {
        ::kill(pid_t(sh.processId()), SIGKILL);
        sh.closeWriteChannel();
    } else {
        sh.closeReadChannel(QProcess::StandardOutput);
        sh.closeWriteChannel();
    }
    QTRY_COMPARE(processesOf(m_folder->path()), QByteArrayList());
    sh.waitForFinished();
}

void TestTail::withoutTailOrTimeout_stillArrives_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("tail follows nothing") << QByteArray("tail");
    QTest::newRow("no timeout") << QByteArray("timeout");
}

void TestTail::withoutTailOrTimeout_stillArrives()
{
    QFETCH(QByteArray, name);
    putBefore(name, "case $* in *-F*|--foreground*) exit 1;; esac");
    Followed log(m_tail, path(QStringLiteral("log")));
    log.follower->start();
    for (int i = 0; i < 3; ++i) {
        log.append("line\n");
        QTRY_COMPARE(log.bytes, log.written);
    }
    QCOMPARE(m_tail->starts(), 1);
}

SLIPWAY_TEST(TestTail, cluster_tail)
#include "tst_tail.moc"

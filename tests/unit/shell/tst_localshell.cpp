// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/shell/localshell.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"

#include <QBuffer>
#include <QCoroTask>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;
using namespace std::chrono_literals;

namespace {

/// A script whose child writes its process ID there and outlives every test.
QByteArray childWithPid(const QString& file)
{
    const QByteArray name = shellQuoted(file);
    return "sleep 300 & echo $! >" + name + ".part; mv " + name + ".part " + name + "; wait";
}

/// 0 as long as there is none.
int pidIn(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
}

/// A zombie does not run: not every machine has a first process that waits for orphans.
bool isRunning(int pid)
{
    QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
    const QByteArray text = stat.open(QIODevice::ReadOnly) ? stat.readAll() : QByteArray();
    return !text.isEmpty() && !text.mid(text.lastIndexOf(')')).startsWith(") Z");
}

} // namespace

class TestLocalShell : public QObject {
    Q_OBJECT

private slots:
    void run_givesOutputErrorsAndExitCode();
    void run_leavesStandardInputAlone();
    void run_dropsTheTimedOutCommand();
    void run_stopsAtTheOutputLimit();
    void run_doesNotWaitForWhatRunsOnInTheBackground();
    void run_saysWhenTheShellWasKilled();
    void process_finishesExactlyOnce_data();
    void process_finishesExactlyOnce();
    void process_streamsItsInput();
    void process_cancelReachesTheChildren();
    void process_mayBeDeletedFromItsOwnSignals();
    void writeFile_replacesTheFileWithItsMode_data();
    void writeFile_replacesTheFileWithItsMode();
    void writeFile_leavesNothingOnAFullDisk_data();
    void writeFile_leavesNothingOnAFullDisk();
    void writeFile_namesWhatIsWrong();
    void readFile_hasALimit();
    void fetchFile_givesEveryByte();
    void fetchFile_namesWhatIsWrong();
    void fetchFile_endsAtTheListedSize();
    void fetchFile_refusesIrregularFiles_data();
    void fetchFile_refusesIrregularFiles();
    void close_endsEveryProcessWithLinkLost();
};

void TestLocalShell::run_givesOutputErrorsAndExitCode()
{
    LocalShell shell;
    const auto done = awaited(shell.run("echo out; echo err >&2; exit 3"));
    QVERIFY(done.ok());
    QCOMPARE(done->out, QByteArray("out\n"));
    QCOMPARE(done->err, QByteArray("err\n"));
    QCOMPARE(done->exitCode, 3);
}

void TestLocalShell::run_leavesStandardInputAlone()
{
    LocalShell shell;
    const auto done = awaited(shell.run("cat\necho after"));
    QVERIFY(done.ok());
    QCOMPARE(done->out, QByteArray("after\n"));
}

void TestLocalShell::run_dropsTheTimedOutCommand()
{
    LocalShell shell;
    QTemporaryDir dir;
    const auto file = dir.filePath(QStringLiteral("pid"));
    // On a busy machine the time may be over before the command has begun.
    for (const auto timeout : {300ms, 3000ms, 30'000ms}) {
        const auto done = awaited(shell.run(childWithPid(file), {.timeout = timeout}));
        QVERIFY(!done.ok());
        QCOMPARE(done.error().kind, ErrorKind::Timeout);
        if (pidIn(file) > 0)
            break;
    }
    QVERIFY(pidIn(file) > 0);
    QTRY_VERIFY(!isRunning(pidIn(file)));
}

void TestLocalShell::run_stopsAtTheOutputLimit()
{
    LocalShell shell;
    const auto done = awaited(shell.run("yes", {.outputLimit = 1'000'000}));
    QVERIFY(!done.ok());
    QCOMPARE(done.error().kind, ErrorKind::Protocol);
}

void TestLocalShell::run_doesNotWaitForWhatRunsOnInTheBackground()
{
    LocalShell shell;
    QElapsedTimer timer;
    timer.start();
    const auto done = awaited(shell.run("sleep 20 & echo started"));
    QVERIFY(done.ok());
    QCOMPARE(done->out, QByteArray("started\n"));
    QVERIFY(timer.elapsed() < 15'000);
}

void TestLocalShell::run_saysWhenTheShellWasKilled()
{
    LocalShell shell;
    const auto done = awaited(shell.run("echo half; kill -9 $$"));
    QVERIFY(!done.ok());
    QCOMPARE(done.error().kind, ErrorKind::Protocol);
}

void TestLocalShell::process_finishesExactlyOnce_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<bool>("cancel");
    QTest::addColumn<bool>("ok");
    QTest::newRow("it ends") << QByteArray("exit 4") << false << true;
    QTest::newRow("it is killed") << QByteArray("kill -9 $$") << false << true;
    QTest::newRow("it is cancelled") << QByteArray("sleep 20") << true << false;
    QTest::newRow("it is cancelled while it prints") << QByteArray("yes") << true << false;
}

void TestLocalShell::process_finishesExactlyOnce()
{
    QFETCH(QByteArray, script);
    QFETCH(bool, cancel);
    QFETCH(bool, ok);
    LocalShell shell;
    const auto process = shell.start({script});
    QSignalSpy finished(process.get(), &Process::finished);
    qsizetype after = 0;
    connect(process.get(), &Process::output, this, [&] { after += finished.count(); });
    if (cancel) {
        QTest::qWait(50);
        process->cancel();
        process->cancel();
    }
    QTRY_COMPARE(finished.count(), 1);
    QTest::qWait(100);
    process->cancel();
    process->write("x");
    QTest::qWait(20);
    QCOMPARE(finished.count(), 1);
    QCOMPARE(after, 0);
    const auto result = exitOf(finished);
    QCOMPARE(result.ok(), ok);
    if (!ok)
        QCOMPARE(result.error().kind, ErrorKind::Cancelled);
}

void TestLocalShell::process_streamsItsInput()
{
    LocalShell shell;
    const auto process = shell.start({"tr a-z A-Z", Invocation::Place::Argument});
    QSignalSpy finished(process.get(), &Process::finished);
    QByteArray out;
    connect(process.get(), &Process::output, this, [&](const QByteArray& bytes) { out += bytes; });
    process->write("hello\n");
    process->closeInput();
    process->write("too late\n");
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(out, QByteArray("HELLO\n"));
}

void TestLocalShell::process_cancelReachesTheChildren()
{
    LocalShell shell;
    QTemporaryDir dir;
    const auto file = dir.filePath(QStringLiteral("pid"));
    const auto process = shell.start({childWithPid(file)});
    QTRY_VERIFY(pidIn(file) > 0);
    QVERIFY(isRunning(pidIn(file)));
    process->cancel();
    QTRY_VERIFY(!isRunning(pidIn(file)));
}

void TestLocalShell::process_mayBeDeletedFromItsOwnSignals()
{
    LocalShell shell;
    auto chatty = shell.start({"yes"});
    connect(chatty.get(), &Process::output, this, [&] { chatty.reset(); });
    QTRY_VERIFY(!chatty);
    auto brief = shell.start({"exit 0"});
    connect(brief.get(), &Process::finished, this, [&] { brief.reset(); });
    QTRY_VERIFY(!brief);
}

void TestLocalShell::writeFile_replacesTheFileWithItsMode_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<int>("mode");
    QTest::newRow("text") << "job.sh" << QByteArray("#!/bin/sh\necho hi\n") << 0700;
    QTest::newRow("empty") << "empty" << QByteArray() << 0600;
    QTest::newRow("a hostile name") << "it's $(id) ; * \"x\"" << QByteArray("x") << 0644;
    QTest::newRow("binary") << "bytes" << QByteArray::fromHex("00ff1e0a0d") << 0600;
    QTest::newRow("5 MB") << "big" << QByteArray(5'000'000, '\x1e') << 0600;
}

void TestLocalShell::writeFile_replacesTheFileWithItsMode()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(int, mode);
    LocalShell shell;
    QTemporaryDir dir;
    const auto path = dir.filePath(name);
    for (int round = 0; round < 2; ++round) {
        const auto written = awaited(shell.writeFile(path, content, mode));
        QVERIFY2(written.ok(), written.ok() ? "" : qPrintable(written.error().text()));
    }
    const auto read = awaited(shell.readFile(path));
    QVERIFY(read.ok());
    QVERIFY(*read == content);
    QCOMPARE(QDir(dir.path()).entryList(QDir::Files), QStringList{name});
    const auto permissions = QFileInfo(path).permissions();
    QCOMPARE(permissions.testFlag(QFile::ExeOwner), bool(mode & 0100));
    QCOMPARE(permissions.testFlag(QFile::ReadOther), bool(mode & 0004));
}

void TestLocalShell::writeFile_leavesNothingOnAFullDisk_data()
{
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("advises");
    QTest::newRow("disk") << QByteArray("No space left on device") << QStringLiteral("is full")
                          << QStringLiteral("Free some space");
    QTest::newRow("quota") << QByteArray("Disk quota exceeded")
                           << QStringLiteral("your disk quota on")
                           << QStringLiteral("Remove files");
}

void TestLocalShell::writeFile_leavesNothingOnAFullDisk()
{
    QFETCH(QByteArray, reason);
    QFETCH(QString, says);
    QFETCH(QString, advises);
    // A stand-in for `head` on a full disk, in front of PATH: no test can fill a real one.
    QTemporaryDir dir;
    QDir(dir.path()).mkdir(QStringLiteral("bin"));
    QDir(dir.path()).mkdir(QStringLiteral("to"));
    QFile head(dir.filePath(QStringLiteral("bin/head")));
    QVERIFY(head.open(QIODevice::WriteOnly));
    head.write(
        "#!/bin/sh\necho 0123456789\necho 'head: write error: " + reason + "' >&2\nexit 1\n");
    head.close();
    head.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const auto path = qgetenv("PATH");
    qputenv("PATH", dir.filePath(QStringLiteral("bin")).toUtf8().append(':').append(path));
    LocalShell shell;
    const auto written =
        awaited(shell.writeFile(dir.filePath(QStringLiteral("to/f")), QByteArray(100'000, 'x')));
    qputenv("PATH", path);
    QVERIFY(!written.ok());
    QCOMPARE(written.error().kind, ErrorKind::DiskFull);
    QVERIFY2(written.error().summary.contains(says), qPrintable(written.error().text()));
    QVERIFY2(written.error().remedy.contains(advises), qPrintable(written.error().text()));
    QVERIFY(QDir(dir.filePath(QStringLiteral("to"))).isEmpty());
}

void TestLocalShell::writeFile_namesWhatIsWrong()
{
    LocalShell shell;
    QTemporaryDir dir;
    const auto missing = awaited(shell.writeFile(dir.filePath(QStringLiteral("no/f")), "x"));
    QVERIFY(!missing.ok());
    QCOMPARE(missing.error().kind, ErrorKind::NotFound);
    const auto folder = awaited(shell.writeFile(dir.path(), "x"));
    QVERIFY(!folder.ok());
    QCOMPARE(folder.error().kind, ErrorKind::Io);
}

void TestLocalShell::readFile_hasALimit()
{
    LocalShell shell;
    QTemporaryDir dir;
    const auto path = dir.filePath(QStringLiteral("f"));
    QVERIFY(awaited(shell.writeFile(path, QByteArray(1000, 'x'))).ok());
    QVERIFY(awaited(shell.readFile(path, 1000)).ok());
    const auto over = awaited(shell.readFile(path, 999));
    QVERIFY(!over.ok());
    QCOMPARE(over.error().kind, ErrorKind::Invalid);
    const auto none = awaited(shell.readFile(path + u'x'));
    QVERIFY(!none.ok());
    QCOMPARE(none.error().kind, ErrorKind::NotFound);
}

void TestLocalShell::fetchFile_givesEveryByte()
{
    LocalShell shell;
    QTemporaryDir dir;
    const auto path = dir.filePath(QStringLiteral("results.bin"));
    QByteArray content(20'000'000, Qt::Uninitialized);
    for (qsizetype i = 0; i < content.size(); ++i)
        content[i] = char(i * 2654435761u >> 13);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    QBuffer destination;
    destination.open(QIODevice::WriteOnly);
    const auto fetched = awaited(shell.fetchFile(path, &destination));
    QVERIFY2(fetched.ok(), fetched.ok() ? "" : qPrintable(fetched.error().text()));
    QVERIFY(destination.data() == content);
}

void TestLocalShell::fetchFile_namesWhatIsWrong()
{
    LocalShell shell;
    QTemporaryDir dir;
    QBuffer destination;
    destination.open(QIODevice::WriteOnly);
    const auto none = awaited(shell.fetchFile(dir.filePath(QStringLiteral("x")), &destination));
    QVERIFY(!none.ok());
    QCOMPARE(none.error().kind, ErrorKind::NotFound);
    const auto folder = awaited(shell.fetchFile(dir.path(), &destination));
    QVERIFY(!folder.ok());
    QCOMPARE(folder.error().kind, ErrorKind::Io);
}

void TestLocalShell::fetchFile_endsAtTheListedSize()
{
    LocalShell shell;
    QTemporaryDir dir;
    QFile file(dir.filePath(QStringLiteral("grown")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("0123456789");
    file.close();
    for (const qint64 size : {0, 3, 10, 20}) {
        QBuffer destination;
        destination.open(QIODevice::WriteOnly);
        const auto fetched = awaited(shell.fetchFile(file.fileName(), &destination, size));
        QVERIFY2(fetched.ok(), fetched.ok() ? "" : qPrintable(fetched.error().text()));
        QCOMPARE(destination.data(), QByteArray("0123456789").left(size));
    }
}

void TestLocalShell::fetchFile_refusesIrregularFiles_data()
{
    QTest::addColumn<QByteArray>("make");
    QTest::newRow("link to a device") << QByteArray("ln -s /dev/zero x");
    QTest::newRow("link to a file") << QByteArray("echo a >y; ln -s y x");
    QTest::newRow("FIFO") << QByteArray("mkfifo x");
}

void TestLocalShell::fetchFile_refusesIrregularFiles()
{
    QFETCH(QByteArray, make);
    LocalShell shell;
    QTemporaryDir dir;
    QCOMPARE(awaited(shell.run("cd " + shellQuoted(dir.path()) + " && " + make))->exitCode, 0);
    QBuffer destination;
    destination.open(QIODevice::WriteOnly);
    const auto fetched =
        awaited(shell.fetchFile(dir.filePath(QStringLiteral("x")), &destination, 3));
    QVERIFY(!fetched.ok());
    QCOMPARE(fetched.error().kind, ErrorKind::Invalid);
    QVERIFY(destination.data().isEmpty());
}

void TestLocalShell::close_endsEveryProcessWithLinkLost()
{
    LocalShell shell;
    QSignalSpy closed(&shell, &Shell::closed);
    const auto process = shell.start({"sleep 20"});
    QSignalSpy finished(process.get(), &Process::finished);
    auto pending = shell.run("sleep 20");
    shell.close();
    shell.close();
    const auto ran = awaited(std::move(pending));
    QVERIFY(!ran.ok());
    QCOMPARE(ran.error().kind, ErrorKind::LinkLost);
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(exitOf(finished).error().kind, ErrorKind::LinkLost);
    QCOMPARE(closed.count(), 1);
    const auto late = awaited(shell.run("true"));
    QCOMPARE(late.error().kind, ErrorKind::LinkLost);
}

SLIPWAY_TEST(TestLocalShell, shell_localshell)
#include "tst_localshell.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/sshdlogin.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QFile>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

using namespace slipway;
using namespace std::chrono_literals;

class TestSshShell : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();

    void run_givesOutputErrorsAndExitCode_data();
    void run_givesOutputErrorsAndExitCode();
    void run_worksWithEveryLoginShell_data();
    void run_worksWithEveryLoginShell();
    void run_twentyAtOnceAllEnd();
    void run_leavesNothingBehindForTheNextOne_data();
    void run_leavesNothingBehindForTheNextOne();
    void run_goesOnAfterOneThatTookTooLong();
    void run_waitsWhenTheServerTakesFewerSessions();
    void run_doesNotWaitForWhatRunsOnInTheBackground();
    void stream_keepsEveryByte();
    void stream_slowReaderHoldsTheServerBack();
    void input_keepsEveryByte();
    void files_roundTrip();
    void cancel_endsTheCommandOnce();
    void deleting_inAnyOrderIsSafe();
    void noRequestBeyondExecIsMade();

private:
    SshdFixture m_sshd;
    std::shared_ptr<Shell> m_shell;
};

void TestSshShell::initTestCase()
{
    qunsetenv("SSH_AUTH_SOCK");
    QCOMPARE(m_sshd.start(), QString());
    m_shell = connected(m_sshd);
    QVERIFY(m_shell);
}

void TestSshShell::run_givesOutputErrorsAndExitCode_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("out");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("success") << QByteArray("echo a") << QByteArray("a\n") << 0;
    QTest::newRow("exit 7") << QByteArray("echo a; exit 7") << QByteArray("a\n") << 7;
    QTest::newRow("no such command") << QByteArray("no-such-command-here") << QByteArray() << 127;
    QTest::newRow("killed") << QByteArray("sh -c 'kill -9 $$'") << QByteArray() << 137;
    QTest::newRow("reads stdin") << QByteArray("cat; echo b") << QByteArray("b\n") << 0;
    QTest::newRow("hostile") << QByteArray("printf '%s' 'it'\\''s !x `id` $(id)\n\"'")
                             << QByteArray("it's !x `id` $(id)\n\"") << 0;
}

void TestSshShell::run_givesOutputErrorsAndExitCode()
{
    QFETCH(QByteArray, script);
    QFETCH(QByteArray, out);
    QFETCH(int, exitCode);
    const auto done = awaited(m_shell->run(script));
    QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
    QCOMPARE(done->out, out);
    QCOMPARE(done->exitCode, exitCode);
}

void TestSshShell::run_worksWithEveryLoginShell_data()
{
    QTest::addColumn<QString>("program");
    for (const auto* shell : {"bash", "dash", "tcsh", "fish", "zsh"})
        QTest::newRow(shell) << QString::fromLatin1(shell);
}

void TestSshShell::run_worksWithEveryLoginShell()
{
    QFETCH(QString, program);
    SshdFixture sshd;
    QCOMPARE(sshd.start(), QString());
    QCOMPARE(sshd.useLoginShell(program), QString());
    const auto shell = connected(sshd);
    QVERIFY(shell);
    const auto done = awaited(
        shell->run("printf '%s|' \"a'b\" '$(id)' '!x' \"$SQUEUE_FORMAT\"\necho err >&2\nexit 3"));
    QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
    QCOMPARE(done->out, QByteArray("a'b|$(id)|!x||"));
    QCOMPARE(done->err, QByteArray("err\n"));
    QCOMPARE(done->exitCode, 3);
    // Place::Argument, with a script that is longer than tcsh's old limits.
    const auto path = sshd.path(QStringLiteral("it's a !file"));
    const QByteArray content = QByteArray::fromHex("00ff0a1e27") + QByteArray(30'000, 'x');
    const auto written = awaited(shell->writeFile(path, content));
    QVERIFY2(written.ok(), written.ok() ? "" : qPrintable(written.error().text()));
    const auto read = awaited(shell->readFile(path));
    QVERIFY(read.ok());
    QVERIFY(*read == content);
    const auto process = shell->start(
        {"cat\n#" + QByteArray(20'000, '!') + "\nexit 5\n", Invocation::Place::Argument});
    QSignalSpy finished(process.get(), &Process::finished);
    QByteArray out;
    connect(process.get(), &Process::output, this, [&](const QByteArray& bytes) { out += bytes; });
    process->write("data\n");
    process->closeInput();
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 10'000);
    QVERIFY(out.endsWith("data\n"));
    QCOMPARE(exitOf(finished).value(), 5);
    static QStringList passed;
    passed << program;
    noteTarget("T18",
        QStringLiteral("%1 as login shell, 1 MB of noise in its start-up files and a poisoned "
                       "SQUEUE_FORMAT: commands, streams and files")
            .arg(passed.join(QStringLiteral(", "))));
}

void TestSshShell::run_twentyAtOnceAllEnd()
{
    std::vector<QCoro::Task<Result<CommandOutput>>> runs;
    for (int i = 0; i < 20; ++i)
        runs.push_back(m_shell->run("sleep 0.2; echo " + QByteArray::number(i)));
    for (int i = 0; i < 20; ++i) {
        const auto done = awaited(std::move(runs[size_t(i)]));
        QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
        QCOMPARE(done->out, QByteArray(QByteArray::number(i) + '\n'));
    }
}

void TestSshShell::run_leavesNothingBehindForTheNextOne_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("exit") << QByteArray("exit 3") << 3;
    QTest::newRow("another folder and another umask")
        << QByteArray("cd /; umask 000; set -e; false") << 1;
    QTest::newRow("no shell at all") << QByteArray("if ((((") << 2;
    QTest::newRow("an open quote") << QByteArray("echo 'abc") << 2;
    QTest::newRow("a variable and a trap")
        << QByteArray("X=1; export X; trap 'echo late' EXIT") << 0;
    QTest::newRow("its own input") << QByteArray("cat; read line; exec cat") << 0;
    QTest::newRow("stderr closed") << QByteArray("exec 2>&-; exit 4") << 4;
    QTest::newRow("killed") << QByteArray("kill -9 $(exec sh -c 'echo $PPID')") << 137;
}

void TestSshShell::run_leavesNothingBehindForTheNextOne()
{
    QFETCH(QByteArray, script);
    QFETCH(int, exitCode);
    // Twice, so that at least the second time the shell that stays open does it.
    for (int i = 0; i < 2; ++i) {
        const auto done = awaited(m_shell->run(script));
        QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
        QCOMPARE(done->exitCode, exitCode);
        const auto next =
            awaited(m_shell->run("printf '%s|%s' \"${X-unset}\" \"$(umask)\"; echo err >&2"));
        QVERIFY2(next.ok(), next.ok() ? "" : qPrintable(next.error().text()));
        QCOMPARE(next->out, QByteArray("unset|0077"));
        QCOMPARE(next->err, QByteArray("err\n"));
        QCOMPARE(next->exitCode, 0);
    }
}

void TestSshShell::run_goesOnAfterOneThatTookTooLong()
{
    QVERIFY(awaited(m_shell->run("true")).ok());
    QTest::qWait(300); // the shell that stays open has answered
    const auto slow =
        awaited(m_shell->run("sleep 20; echo late", {.timeout = std::chrono::milliseconds(300)}));
    QVERIFY(!slow.ok());
    QCOMPARE(slow.error().kind, ErrorKind::Timeout);
    for (int i = 0; i < 3; ++i) {
        const auto next = awaited(m_shell->run("echo here"));
        QVERIFY2(next.ok(), next.ok() ? "" : qPrintable(next.error().text()));
        QCOMPARE(next->out, QByteArray("here\n"));
    }
}

void TestSshShell::run_waitsWhenTheServerTakesFewerSessions()
{
    SshdFixture sshd;
    QCOMPARE(sshd.start({QStringLiteral("MaxSessions 2")}), QString());
    const auto shell = connected(sshd);
    QVERIFY(shell);
    std::vector<QCoro::Task<Result<CommandOutput>>> runs;
    for (int i = 0; i < 6; ++i)
        runs.push_back(shell->run("sleep 0.1; echo " + QByteArray::number(i)));
    for (int i = 0; i < 6; ++i) {
        const auto done = awaited(std::move(runs[size_t(i)]));
        QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
        QCOMPARE(done->out, QByteArray(QByteArray::number(i) + '\n'));
    }
}

void TestSshShell::run_doesNotWaitForWhatRunsOnInTheBackground()
{
    QElapsedTimer timer;
    timer.start();
    const auto done = awaited(m_shell->run("sleep 15 & echo started"));
    QVERIFY(done.ok());
    QCOMPARE(done->out, QByteArray("started\n"));
    QVERIFY(timer.elapsed() < 5000);
}

void TestSshShell::stream_keepsEveryByte()
{
    const auto process = m_shell->start({"head -c 50000000 /dev/urandom | tee /dev/fd/3 3>"
        + shellQuoted(m_sshd.path(QStringLiteral("sent"))) + "\necho done >&2\nexit 9"});
    QSignalSpy finished(process.get(), &Process::finished);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    qint64 size = 0;
    QByteArray err;
    connect(process.get(), &Process::output, this, [&](const QByteArray& bytes) {
        hash.addData(bytes);
        size += bytes.size();
    });
    connect(
        process.get(), &Process::errorOutput, this, [&](const QByteArray& bytes) { err += bytes; });
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
    QCOMPARE(size, 50'000'000);
    QCOMPARE(err, QByteArray("done\n"));
    QCOMPARE(exitOf(finished).value(), 9);
    QFile sent(m_sshd.path(QStringLiteral("sent")));
    QVERIFY(sent.open(QIODevice::ReadOnly));
    QCryptographicHash expected(QCryptographicHash::Sha256);
    QVERIFY(expected.addData(&sent));
    QCOMPARE(hash.result(), expected.result());
}

void TestSshShell::stream_slowReaderHoldsTheServerBack()
{
    const auto counter = m_sshd.path(QStringLiteral("counter"));
    // The writer counts the MiB that it could hand on; the GUI thread is held up meanwhile.
    const auto process = m_shell->start(
        {"i=0; while [ $i -lt 200 ]; do head -c 1048576 /dev/zero; i=$((i+1)); echo $i >"
            + shellQuoted(counter) + "; done"});
    QSignalSpy finished(process.get(), &Process::finished);
    qint64 size = 0;
    connect(process.get(), &Process::output, this, [&](const QByteArray& bytes) {
        if (size == 0)
            QThread::sleep(2);
        size += bytes.size();
    });
    QTRY_VERIFY_WITH_TIMEOUT(size > 0, 10'000);
    QFile file(counter);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto handedOn = file.readAll().trimmed().toInt();
    QVERIFY2(handedOn < 60, qPrintable(QString::number(handedOn)));
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
    QCOMPARE(size, 200 * 1048576);
}

void TestSshShell::input_keepsEveryByte()
{
    QByteArray data(20'000'000, Qt::Uninitialized);
    QRandomGenerator random(7);
    random.fillRange(reinterpret_cast<quint32*>(data.data()), data.size() / 4);
    const auto process = m_shell->start({"sha256sum", Invocation::Place::Argument});
    QSignalSpy finished(process.get(), &Process::finished);
    QByteArray out;
    qint64 least = data.size();
    connect(process.get(), &Process::output, this, [&](const QByteArray& bytes) { out += bytes; });
    connect(process.get(), &Process::bytesWritten, this,
        [&](qint64 left) { least = qMin(least, left); });
    process->write(data);
    QCOMPARE(process->bytesToWrite(), data.size());
    process->closeInput();
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
    QCOMPARE(out.left(64), QCryptographicHash::hash(data, QCryptographicHash::Sha256).toHex());
    QCOMPARE(least, 0);
}

void TestSshShell::files_roundTrip()
{
    const auto path = m_sshd.path(QStringLiteral("results.bin"));
    QByteArray content(8'000'000, Qt::Uninitialized);
    QRandomGenerator random(11);
    random.fillRange(reinterpret_cast<quint32*>(content.data()), content.size() / 4);
    const auto written = awaited(m_shell->writeFile(path, content));
    QVERIFY2(written.ok(), written.ok() ? "" : qPrintable(written.error().text()));
    QBuffer destination;
    destination.open(QIODevice::WriteOnly);
    const auto fetched = awaited(m_shell->fetchFile(path, &destination));
    QVERIFY2(fetched.ok(), fetched.ok() ? "" : qPrintable(fetched.error().text()));
    QVERIFY(destination.data() == content);
}

void TestSshShell::cancel_endsTheCommandOnce()
{
    const auto process = m_shell->start({"while :; do echo tick; sleep 0.05; done"});
    QSignalSpy finished(process.get(), &Process::finished);
    QSignalSpy output(process.get(), &Process::output);
    QTRY_VERIFY(output.count() > 0);
    process->cancel();
    process->cancel();
    QTRY_COMPARE(finished.count(), 1);
    const auto heard = output.count();
    QTest::qWait(200);
    QCOMPARE(finished.count(), 1);
    QCOMPARE(output.count(), heard);
    QCOMPARE(exitOf(finished).error().kind, ErrorKind::Cancelled);
    QVERIFY(awaited(m_shell->run("true")).ok());
}

void TestSshShell::deleting_inAnyOrderIsSafe()
{
    for (int round = 0; round < 12; ++round) {
        auto shell = connected(m_sshd);
        QVERIFY(shell);
        auto loud = shell->start({"yes"});
        auto quiet = shell->start({"sleep 20"});
        auto fed = shell->start({"cat", Invocation::Place::Argument});
        fed->write(QByteArray(300'000, 'x'));
        QSignalSpy finished(quiet.get(), &Process::finished);
        if (round % 4 == 1)
            connect(loud.get(), &Process::output, this, [&] { loud.reset(); });
        if (round % 4 == 2)
            connect(loud.get(), &Process::output, this, [&] { shell.reset(); });
        if (round % 4 == 3)
            connect(fed.get(), &Process::output, this, [&] { fed.reset(); });
        QTest::qWait(round * 15);
        if (round % 2)
            loud.reset();
        shell.reset();
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(exitOf(finished).error().kind, ErrorKind::LinkLost);
    }
}

void TestSshShell::noRequestBeyondExecIsMade()
{
    QVERIFY(awaited(m_shell->run("true")).ok());
    for (const auto* request : {"auth-agent-req", "x11-req", "pty-req", "tcpip-forward"})
        QVERIFY2(!m_sshd.log().contains(request), request);
    QVERIFY(m_sshd.log().contains("req exec") || m_sshd.log().contains("request exec"));
}

SLIPWAY_TEST(TestSshShell, ssh_shell)
#include "tst_sshshell.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/awaited.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/testmain.h"

#include <QBuffer>
#include <QCoroTask>
#include <QSignalSpy>
#include <QTest>

using namespace slipway;

class TestScriptedShell : public QObject {
    Q_OBJECT

private slots:
    void run_answersFromTheTableAndRecordsTheScript();
    void run_theNewestRuleWins();
    void run_answersInTurn();
    void run_namesTheCommandThatNoRuleFits();
    void run_outlivesItsShell();
    void start_streamsWhatTheTestSays();
    void start_takesInput();
    void files_areKeptInMemory();
    void loseLink_endsEverythingOnce();
    void loseLink_endsARunThatWaits();
    void process_finishesOnceWhenCancelled();
};

void TestScriptedShell::run_answersFromTheTableAndRecordsTheScript()
{
    ScriptedShell shell;
    shell.on("squeue", {0, "1 PD\n", "warning\n"});
    const auto done = awaited(shell.run("squeue --me 'it''s'"));
    QVERIFY(done.ok());
    QCOMPARE(done->out, QByteArray("1 PD\n"));
    QCOMPARE(done->err, QByteArray("warning\n"));
    QCOMPARE(shell.scripts(), QList<QByteArray>{"squeue --me 'it''s'"});
    QCOMPARE(shell.count("squeue"), 1);
}

void TestScriptedShell::run_theNewestRuleWins()
{
    ScriptedShell shell;
    shell.on("", {0, "anything", {}});
    shell.on("sinfo", [](const QByteArray& script) { return CommandOutput{5, script, {}}; });
    QCOMPARE(awaited(shell.run("sinfo -h"))->out, QByteArray("sinfo -h"));
    QCOMPARE(awaited(shell.run("sinfo -h"))->exitCode, 5);
    QCOMPARE(awaited(shell.run("squeue"))->out, QByteArray("anything"));
}

void TestScriptedShell::run_answersInTurn()
{
    ScriptedShell shell;
    shell.onEach("squeue", {{0, "PD", {}}, {0, "R", {}}});
    QCOMPARE(awaited(shell.run("squeue"))->out, QByteArray("PD"));
    QCOMPARE(awaited(shell.run("squeue"))->out, QByteArray("R"));
    QCOMPARE(awaited(shell.run("squeue"))->out, QByteArray("R"));
}

void TestScriptedShell::run_namesTheCommandThatNoRuleFits()
{
    ScriptedShell shell;
    const auto done = awaited(shell.run("sacct"));
    QCOMPARE(done->exitCode, 127);
    QVERIFY(done->err.contains("sacct"));
}

void TestScriptedShell::run_outlivesItsShell()
{
    auto shell = std::make_unique<ScriptedShell>();
    shell->onStream("", [](ScriptedProcess&) {});
    auto pending = shell->run("x");
    QTest::qWait(5);
    shell.reset();
    const auto done = awaited(std::move(pending));
    QCOMPARE(done.error().kind, ErrorKind::LinkLost);
}

void TestScriptedShell::start_streamsWhatTheTestSays()
{
    ScriptedShell shell;
    QPointer<ScriptedProcess> tail;
    shell.onStream("tail", [&](ScriptedProcess& process) { tail = &process; });
    const auto process = shell.start({"tail -f x"});
    QSignalSpy finished(process.get(), &Process::finished);
    QByteArray out;
    connect(process.get(), &Process::output, this, [&](const QByteArray& bytes) { out += bytes; });
    QTRY_VERIFY(tail);
    tail->say("a");
    tail->say("b");
    QCOMPARE(out, QByteArray("ab"));
    QCOMPARE(shell.processes().size(), 1);
    tail->end(2);
    tail->say("c");
    QCOMPARE(finished.count(), 1);
    QCOMPARE(exitOf(finished).value(), 2);
    QCOMPARE(out, QByteArray("ab"));
    QCOMPARE(shell.processes().size(), 0);
}

void TestScriptedShell::start_takesInput()
{
    ScriptedShell shell;
    shell.onStream("cat", [](ScriptedProcess& process) {
        connect(&process, &ScriptedProcess::inputEnded, &process, [&process] {
            process.say(process.written());
            process.end();
        });
        if (process.inputClosed())
            emit process.inputEnded();
    });
    const auto process = shell.start({"cat", Invocation::Place::Argument});
    QSignalSpy finished(process.get(), &Process::finished);
    QSignalSpy output(process.get(), &Process::output);
    process->write("data");
    process->closeInput();
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(output[0][0].toByteArray(), QByteArray("data"));
}

void TestScriptedShell::files_areKeptInMemory()
{
    ScriptedShell shell;
    const auto path = QStringLiteral("/scratch/job.sh");
    QVERIFY(awaited(shell.writeFile(path, "hi", 0700)).ok());
    QCOMPARE(shell.file(path), QByteArray("hi"));
    QCOMPARE(shell.fileMode(path), 0700);
    QCOMPARE(awaited(shell.readFile(path)).value(), QByteArray("hi"));
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QVERIFY(awaited(shell.fetchFile(path, &buffer)).ok());
    QCOMPARE(buffer.data(), QByteArray("hi"));
    QCOMPARE(awaited(shell.readFile(QStringLiteral("/no"))).error().kind, ErrorKind::NotFound);
    shell.failWrites({ErrorKind::DiskFull, QStringLiteral("full")});
    QCOMPARE(awaited(shell.writeFile(path, "x")).error().kind, ErrorKind::DiskFull);
}

void TestScriptedShell::loseLink_endsEverythingOnce()
{
    ScriptedShell shell;
    shell.onStream("tail", [](ScriptedProcess&) {});
    QSignalSpy closed(&shell, &Shell::closed);
    const auto one = shell.start({"tail 1"});
    const auto two = shell.start({"tail 2"});
    QSignalSpy oneFinished(one.get(), &Process::finished);
    QSignalSpy twoFinished(two.get(), &Process::finished);
    QTest::qWait(5);
    shell.loseLink();
    shell.loseLink();
    shell.close();
    QTest::qWait(5);
    QCOMPARE(oneFinished.count(), 1);
    QCOMPARE(twoFinished.count(), 1);
    QCOMPARE(closed.count(), 1);
    QCOMPARE(shell.linkState(), LinkState::Down);
    QCOMPARE(awaited(shell.run("x")).error().kind, ErrorKind::LinkLost);
}

void TestScriptedShell::loseLink_endsARunThatWaits()
{
    ScriptedShell shell;
    shell.onStream("sbatch", [](ScriptedProcess& process) { process.say("12"); });
    auto pending = shell.run("sbatch x");
    QTest::qWait(5);
    shell.loseLink();
    QCOMPARE(awaited(std::move(pending)).error().kind, ErrorKind::LinkLost);
}

void TestScriptedShell::process_finishesOnceWhenCancelled()
{
    ScriptedShell shell;
    shell.on("", {0, "late", {}});
    const auto process = shell.start({"x"});
    QSignalSpy finished(process.get(), &Process::finished);
    process->cancel();
    QTRY_COMPARE(finished.count(), 1);
    QTest::qWait(5);
    QCOMPARE(finished.count(), 1);
}

SLIPWAY_TEST(TestScriptedShell, shell_scriptedshell)
#include "tst_scriptedshell.moc"

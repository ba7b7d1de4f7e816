// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/brokeredshell.h"
#include "remote/broker/brokerlogin.h"
#include "remote/broker/brokerserver.h"
#include "remote/broker/messagefields.h"
#include "remote/shell/localshell.h"
#include "tests/support/awaited.h"
#include "tests/support/listprompter.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/testmain.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QPointer>
#include <QTemporaryDir>
#include <QTest>

#include <sys/socket.h>

using namespace slipway;
using namespace std::chrono_literals;

namespace {

using Connected = Result<std::shared_ptr<Shell>>;

/// Asks for a password and a code, as a centre does, then gives a shell.
class AskingConnector : public Connector {
public:
    QCoro::Task<Connected> connectTo(ConnectTarget target, Prompter* prompter) override
    {
        ++logins;
        prompter->showNotice(QStringLiteral("Logging in to the jump host gate (1 of 1)."));
        PromptRound round;
        round.host = target.host;
        for (const auto* text : {"Password: ", "Code: "}) {
            if (!asks)
                break;
            round.prompts = {{QString::fromLatin1(text), false}};
            const auto answers = co_await prompter->answer(round);
            if (!answers)
                co_return Connected(Error{ErrorKind::Cancelled, QStringLiteral("given up")});
            if (answers->first() == u"wrong")
                co_return Connected(Error{ErrorKind::Authentication, QStringLiteral("refused")});
            given << answers->first();
        }
        co_return Connected(shell);
    }

    std::shared_ptr<Shell> shell = std::make_shared<LocalShell>();
    bool asks = true;
    int logins = 0;
    QStringList given;
};

/// A person who takes their time: answers when the test says so.
class SlowPrompter : public ListPrompter {
public:
    QCoro::Task<std::optional<QStringList>> answer(PromptRound round) override
    {
        rounds.append(round);
        co_await gate.wait();
        std::optional<QStringList> reply;
        if (!answers.isEmpty())
            reply = answers.takeFirst();
        co_return reply;
    }
    void noteSharedAnswers() override { shared = true; }
    Gate gate;
    bool shared = false;
};

} // namespace

/// The broker and programs in one process, over real sockets.
class TestServer : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void secondProgram_isAskedNothing();
    void programsThatComeMeanwhile_waitForTheSameLogin();
    void refusedLogin_isTheSameForAll();
    void nextProgramLeads_whenTheLeader_data();
    void nextProgramLeads_whenTheLeader();
    void otherVersion_isTold();
    void strangers_areShownTheDoor();

    void run_givesOutputErrorsAndExitCode();
    void largeStreams_arriveWhole();
    void input_isPacedByWhatWasWritten();
    void slowProgram_holdsItsProcessAlone();
    void process_finishesExactlyOnce_data();
    void process_finishesExactlyOnce();
    void deadProgram_takesItsOwnProcessesWithIt();
    void lostLink_endsEverythingForAll();
    void stalledLink_isShownByAll();
    void fewSessions_endThePersistentShells();
    void commandsOfOneProgram_leaveSessionsToTheOthers();

    void unusedConnection_endsAfterAWhile();
    void hangUpOfTheLastProgram_endsItAtOnce();
    void end_isSaidToAllPrograms();

private:
    Fd plug();
    std::unique_ptr<BrokerLogin> login(Prompter* prompter);
    BrokerLogin::Outcome outcomeOf(BrokerLogin& login);
    std::shared_ptr<Shell> program();

    std::unique_ptr<AskingConnector> m_connector;
    std::unique_ptr<BrokerServer> m_server;
    ListPrompter m_prompter;
};

namespace {

QCoro::Task<BrokerLogin::Outcome> ended(BrokerLogin& login)
{
    auto outcome = co_await login.ended();
    co_return outcome;
}

} // namespace

void TestServer::init()
{
    m_connector = std::make_unique<AskingConnector>();
    m_server = std::make_unique<BrokerServer>(m_connector.get(), 10min);
    m_prompter = ListPrompter();
    m_prompter.answers = {{QStringLiteral("hunter2")}, {QStringLiteral("123456")}};
}

void TestServer::cleanup()
{
    m_server.reset();
    m_connector.reset();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

Fd TestServer::plug()
{
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        qFatal("socketpair failed");
    m_server->add(Fd(ends[0]));
    return Fd(ends[1]);
}

std::unique_ptr<BrokerLogin> TestServer::login(Prompter* prompter)
{
    ConnectTarget target;
    target.host = QStringLiteral("login.example");
    return std::make_unique<BrokerLogin>(std::make_unique<MessageStream>(plug()), target, prompter);
}

BrokerLogin::Outcome TestServer::outcomeOf(BrokerLogin& login)
{
    return awaited(ended(login));
}

std::shared_ptr<Shell> TestServer::program()
{
    const auto one = login(&m_prompter);
    return outcomeOf(*one).shell;
}

void TestServer::secondProgram_isAskedNothing()
{
    SlowPrompter first, second;
    first.answers = {{QStringLiteral("hunter2")}, {QStringLiteral("123456")}};
    const auto one = login(&first);
    QTRY_COMPARE(first.rounds.size(), 1);
    first.gate.open();
    QTRY_COMPARE(first.rounds.size(), 2);
    first.gate.open();
    const auto shell = outcomeOf(*one).shell;
    QVERIFY(shell);
    QCOMPARE(
        m_connector->given, (QStringList{QStringLiteral("hunter2"), QStringLiteral("123456")}));
    const auto two = login(&second);
    const auto other = outcomeOf(*two).shell;
    QVERIFY(other);
    QCOMPARE(m_connector->logins, 1);
    QVERIFY(second.rounds.isEmpty());
    QVERIFY(second.shared); // and it knows that it could not log in alone
    QCOMPARE(second.notices, first.notices);
    QCOMPARE(awaited(other->run("echo here")).value().out, QByteArray("here\n"));
    QCOMPARE(other->displayName(), shell->displayName());
}

void TestServer::programsThatComeMeanwhile_waitForTheSameLogin()
{
    SlowPrompter first, second;
    first.answers = {{QStringLiteral("hunter2")}, {QStringLiteral("123456")}};
    const auto one = login(&first), two = login(&second);
    QTRY_COMPARE(first.rounds.size(), 1);
    QTRY_COMPARE(second.notices.size(), 1);
    QVERIFY(second.notices[0].contains(u"login.example"));
    auto waitsForTwo = ended(*two);
    first.gate.open();
    QTRY_COMPARE(first.rounds.size(), 2);
    first.gate.open();
    QVERIFY(outcomeOf(*one).shell);
    QVERIFY(awaited(std::move(waitsForTwo)).shell);
    QCOMPARE(m_connector->logins, 1);
    QVERIFY(second.rounds.isEmpty());
}

void TestServer::refusedLogin_isTheSameForAll()
{
    SlowPrompter first, second;
    first.answers = {{QStringLiteral("wrong")}};
    const auto one = login(&first), two = login(&second);
    QTRY_COMPARE(second.notices.size(), 1);
    auto waitsForTwo = ended(*two);
    QSignalSpy ending(m_server.get(), &BrokerServer::ending);
    first.gate.open();
    QCOMPARE(outcomeOf(*one).error.kind, ErrorKind::Authentication);
    const auto outcome = awaited(std::move(waitsForTwo));
    QCOMPARE(outcome.kind, BrokerLogin::Outcome::Kind::Failed);
    QCOMPARE(outcome.error.summary, QStringLiteral("refused"));
    QVERIFY(second.rounds.isEmpty());
    QCOMPARE(m_connector->logins, 1);
    QTRY_COMPARE(ending.size(), 1);
}

void TestServer::nextProgramLeads_whenTheLeader_data()
{
    QTest::addColumn<bool>("dies");
    QTest::newRow("gives up") << false;
    QTest::newRow("dies") << true;
}

void TestServer::nextProgramLeads_whenTheLeader()
{
    QFETCH(bool, dies);
    SlowPrompter first, second;
    second.answers = {{QStringLiteral("hunter2")}, {QStringLiteral("123456")}};
    auto one = login(&first);
    const auto two = login(&second);
    QTRY_COMPARE(first.rounds.size(), 1);
    QTRY_COMPARE(second.notices.size(), 1);
    auto waitsForTwo = ended(*two);
    if (dies)
        one.reset();
    else
        first.gate.open();
    QTRY_COMPARE(second.rounds.size(), 1);
    second.gate.open();
    QTRY_COMPARE(second.rounds.size(), 2);
    second.gate.open();
    QVERIFY(awaited(std::move(waitsForTwo)).shell);
    QCOMPARE(m_connector->logins, 2);
    if (!dies)
        QCOMPARE(outcomeOf(*one).error.kind, ErrorKind::Cancelled);
}

void TestServer::otherVersion_isTold()
{
    MessageStream stream(plug());
    QList<Message> got;
    connect(
        &stream, &MessageStream::received, this, [&](const Message& message) { got << message; });
    QSignalSpy ended(&stream, &MessageStream::ended);
    stream.send(
        {MessageType::Hello, 0, fieldsOf({qint64(brokerVersion) + 1, QStringLiteral("x")})});
    stream.send({MessageType::Login, 0, bytesOf(ConnectTarget{QStringLiteral("h")})});
    QTRY_COMPARE(ended.size(), 1);
    QCOMPARE(got.size(), 1);
    QCOMPARE(got[0].type, MessageType::Hello);
    QCOMPARE(MessageFields(got[0].bytes).number(), qint64(brokerVersion));
    QCOMPARE(m_connector->logins, 0);
}

void TestServer::strangers_areShownTheDoor()
{
    MessageStream stream(plug());
    QSignalSpy ended(&stream, &MessageStream::ended);
    stream.send(helloMessage());
    stream.send({MessageType::Start, 1, fieldsOf({true, false})}); // before any login
    QTRY_COMPARE(ended.size(), 1);
    QVERIFY(program()); // the broker serves others all the same
}

void TestServer::run_givesOutputErrorsAndExitCode()
{
    const auto shell = program();
    QVERIFY(shell);
    const auto done = awaited(shell->run("echo out; echo err >&2; exit 3"));
    QVERIFY(done.ok());
    QCOMPARE(done->out, QByteArray("out\n"));
    QCOMPARE(done->err, QByteArray("err\n"));
    QCOMPARE(done->exitCode, 3);
    // A script longer than a message.
    const QByteArray text(3 * messagePiece + 17, 'x');
    const auto large = awaited(shell->run("true " + text + "\necho end"));
    QVERIFY(large.ok());
    QCOMPARE(large->out, QByteArray("end\n"));
}

void TestServer::largeStreams_arriveWhole()
{
    const auto shell = program();
    QTemporaryDir folder;
    QByteArray content(20 * 1024 * 1024 + 3, Qt::Uninitialized);
    for (qsizetype i = 0; i < content.size(); ++i)
        content[i] = char((i * 2654435761u) >> 13);
    const QString path = folder.filePath(QStringLiteral("file"));
    const auto written = awaited(shell->writeFile(path, content));
    QVERIFY2(written.ok(), written.ok() ? "" : qPrintable(written.error().text()));
    QBuffer back;
    back.open(QIODevice::WriteOnly);
    const auto fetched = awaited(shell->fetchFile(path, &back));
    QVERIFY2(fetched.ok(), fetched.ok() ? "" : qPrintable(fetched.error().text()));
    QVERIFY(back.data() == content);
}

void TestServer::input_isPacedByWhatWasWritten()
{
    const auto shell = program();
    const auto process = shell->start({"wc -c", Invocation::Place::Argument});
    QByteArray out;
    connect(process.get(), &Process::output, this, [&](const QByteArray& bytes) { out += bytes; });
    QSignalSpy finished(process.get(), &Process::finished);
    QSignalSpy written(process.get(), &Process::bytesWritten);
    process->write(QByteArray(9'000'000, 'x'));
    QCOMPARE(process->bytesToWrite(), 9'000'000);
    QTRY_COMPARE(process->bytesToWrite(), 0);
    QVERIFY(written.size() > 1);
    process->closeInput();
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(exitOf(finished).value(), 0);
    QCOMPARE(out.trimmed(), QByteArray("9000000"));
}

namespace {

/// A process that never ends and notes whether it is held.
class EndlessProcess : public Process {
public:
    void write(const QByteArray&) override { }
    void closeInput() override { }
    qint64 bytesToWrite() const override { return 0; }
    void cancel() override { }
    void setHeld(bool value) override { held = value; }
    bool held = false;
};

class EndlessShell : public LocalShell {
public:
    std::unique_ptr<Process> start(Invocation invocation) override
    {
        if (invocation.script != "endless")
            return LocalShell::start(std::move(invocation));
        auto process = std::make_unique<EndlessProcess>();
        processes << process.get();
        return process;
    }
    QList<QPointer<EndlessProcess>> processes;
};

} // namespace

void TestServer::slowProgram_holdsItsProcessAlone()
{
    const auto machine = std::make_shared<EndlessShell>();
    m_connector->shell = machine;
    const auto shell = program(), other = program();
    const auto process = shell->start({"endless", Invocation::Place::Argument});
    qint64 got = 0;
    connect(process.get(), &Process::output, this,
        [&](const QByteArray& bytes) { got += bytes.size(); });
    QTRY_COMPARE(machine->processes.size(), 1);
    const QByteArray piece(1024 * 1024, 'x');
    for (int i = 0; i < 6; ++i)
        emit machine->processes[0]->output(piece); // the program has no turn meanwhile
    QVERIFY(machine->processes[0]->held);
    QTRY_COMPARE(got, 6 * piece.size());
    QTRY_VERIFY(!machine->processes[0]->held);
    QVERIFY(awaited(other->run("true")).ok());
}

void TestServer::process_finishesExactlyOnce_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("then");
    QTest::newRow("exit") << QByteArray("exit 4") << QString();
    QTest::newRow("cancel") << QByteArray("sleep 100") << QStringLiteral("cancel");
    QTest::newRow("close") << QByteArray("sleep 100") << QStringLiteral("close");
    QTest::newRow("end of the broker") << QByteArray("sleep 100") << QStringLiteral("end");
}

void TestServer::process_finishesExactlyOnce()
{
    QFETCH(QByteArray, script);
    QFETCH(QString, then);
    const auto shell = program();
    const auto process = shell->start({script});
    QSignalSpy finished(process.get(), &Process::finished);
    QSignalSpy closed(shell.get(), &Shell::closed);
    QTRY_VERIFY(!process->isWaiting());
    if (then == u"cancel")
        process->cancel();
    else if (then == u"close")
        shell->close();
    else if (then == u"end")
        m_server.reset();
    QTRY_COMPARE(finished.size(), 1);
    QTest::qWait(50);
    QCOMPARE(finished.size(), 1);
    const auto exit = exitOf(finished);
    if (then.isEmpty())
        QCOMPARE(exit.value(), 4);
    else
        QCOMPARE(exit.error().kind, then == u"cancel" ? ErrorKind::Cancelled : ErrorKind::LinkLost);
    QCOMPARE(closed.size(), then == u"close" || then == u"end" ? 1 : 0);
}

void TestServer::deadProgram_takesItsOwnProcessesWithIt()
{
    const auto machine = std::make_shared<EndlessShell>();
    m_connector->shell = machine;
    auto shell = program();
    const auto other = program();
    auto mine = shell->start({"endless"}), kept = other->start({"endless"});
    QTRY_COMPARE(machine->processes.size(), 2);
    shell.reset(); // as its socket would end with the program
    QTRY_VERIFY(!machine->processes[0]);
    QVERIFY(machine->processes[1]);
    QVERIFY(awaited(other->run("true")).ok());
}

void TestServer::lostLink_endsEverythingForAll()
{
    const auto machine = std::make_shared<ScriptedShell>();
    machine->onStream("sleep", [](ScriptedProcess&) {});
    m_connector->shell = machine;
    const auto one = program(), two = program();
    QSignalSpy closedOne(one.get(), &Shell::closed), closedTwo(two.get(), &Shell::closed);
    QSignalSpy ended(m_server.get(), &BrokerServer::ended);
    auto run = one->start({"sleep"});
    QSignalSpy finished(run.get(), &Process::finished);
    QTRY_COMPARE(machine->processes().size(), 1);
    machine->loseLink();
    QTRY_COMPARE(closedOne.size() + closedTwo.size(), 2);
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(exitOf(finished).error().kind, ErrorKind::LinkLost);
    QCOMPARE(one->linkState(), LinkState::Down);
    QTRY_COMPARE(ended.size(), 1);
}

void TestServer::stalledLink_isShownByAll()
{
    const auto one = program(), two = program();
    emit m_connector->shell->linkStateChanged(LinkState::Stalled);
    QTRY_COMPARE(one->linkState(), LinkState::Stalled);
    QTRY_COMPARE(two->linkState(), LinkState::Stalled);
    emit m_connector->shell->linkStateChanged(LinkState::Up);
    QTRY_COMPARE(two->linkState(), LinkState::Up);
}

void TestServer::fewSessions_endThePersistentShells()
{
    const auto one = program();
    QSignalSpy few(one.get(), &Shell::fewSessionsChanged);
    emit m_connector->shell->fewSessionsChanged(true);
    QTRY_COMPARE(few.size(), 1);
    // One that comes later hears of it after its welcome.
    MessageStream late(plug());
    QList<MessageType> got;
    connect(&late, &MessageStream::received, this,
        [&](const Message& message) { got << message.type; });
    late.send(helloMessage());
    late.send({MessageType::Login, 0, bytesOf(ConnectTarget{QStringLiteral("h")})});
    QTRY_VERIFY(got.contains(MessageType::FewSessions));
    QVERIFY(got.indexOf(MessageType::LoggedIn) < got.indexOf(MessageType::FewSessions));
    emit m_connector->shell->fewSessionsChanged(false);
    QTRY_COMPARE(few.size(), 2);
    QCOMPARE(few[1][0].toBool(), false);
}

void TestServer::commandsOfOneProgram_leaveSessionsToTheOthers()
{
    const auto machine = std::make_shared<EndlessShell>();
    m_connector->shell = machine;
    const auto greedy = program();
    std::vector<std::unique_ptr<Process>> processes;
    for (int i = 0; i < 6; ++i)
        processes.push_back(greedy->start({"endless"}));
    QTRY_COMPARE(machine->processes.size(), 6); // alone, it may use them all
    processes.clear();
    QTRY_VERIFY(!machine->processes[0] && !machine->processes[5]);
    const auto other = program();
    for (int i = 0; i < 6; ++i)
        processes.push_back(greedy->start({"endless"}));
    QVERIFY(awaited(other->run("true")).ok());
    QCOMPARE(machine->processes.size(), 6 + 4);
    QVERIFY(processes[5]->isWaiting());
    processes.erase(processes.begin());
    QTRY_COMPARE(machine->processes.size(), 6 + 5); // the next one has its turn
}

void TestServer::unusedConnection_endsAfterAWhile()
{
    m_connector->asks = false;
    m_server = std::make_unique<BrokerServer>(m_connector.get(), 3s);
    QSignalSpy ending(m_server.get(), &BrokerServer::ending);
    auto shell = program();
    shell.reset();
    QTest::qWait(100);
    shell = program(); // comes back in time
    QTest::qWait(3200);
    QCOMPARE(ending.size(), 0);
    QCOMPARE(m_connector->logins, 1);
    m_server = std::make_unique<BrokerServer>(m_connector.get(), 300ms);
    QSignalSpy endingSoon(m_server.get(), &BrokerServer::ending);
    shell = program();
    QVERIFY(shell);
    shell.reset();
    QTRY_COMPARE(endingSoon.size(), 1);
}

void TestServer::hangUpOfTheLastProgram_endsItAtOnce()
{
    QSignalSpy ending(m_server.get(), &BrokerServer::ending);
    const auto one = program(), two = program();
    QSignalSpy closed(two.get(), &Shell::closed);
    one->hangUp();
    QVERIFY(awaited(two->run("true")).ok());
    QCOMPARE(ending.size(), 0);
    two->hangUp();
    QTRY_COMPARE(ending.size(), 1);
    QTRY_COMPARE(closed.size(), 1);
}

void TestServer::end_isSaidToAllPrograms()
{
    const auto one = program();
    QSignalSpy closed(one.get(), &Shell::closed);
    MessageStream stream(plug());
    stream.send(helloMessage());
    stream.send({MessageType::End});
    QTRY_COMPARE(closed.size(), 1);
    QVERIFY(closed[0][0].value<Error>().summary.contains(u"all programs"));
}

SLIPWAY_TEST(TestServer, broker_server)
#include "tst_server.moc"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/brokersocket.h"
#include "remote/broker/connectionlist.h"
#include "remote/broker/messagefields.h"
#include "remote/broker/messagestream.h"
#include "remote/broker/sharingconnector.h"
#include "tests/support/paths.h"
#include "tests/support/sshdlogin.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <sys/stat.h>

using namespace slipway;
using namespace std::chrono_literals;

/// Programs that share a connection to a real sshd, through a broker that is a process of its own.
class TestSharing : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void secondProgram_isAskedNothingAndLogsInToNothing();
    void programsThatStartTogether_haveOneBroker();
    void socket_isThisPersonsAlone();
    void connections_areListedAndClosed();
    void killedBroker_isSaidAndReplaced();
    void lostLink_endsTheBroker();
    void whereSharingIsRefused_theProgramConnectsByItself_data();
    void whereSharingIsRefused_theProgramConnectsByItself();
    void otherVersion_isNotUsed();
    void threePrograms_shareFourSessions();
    void shortCommand_needsNoSessionAsOneOfAControlMasterDoes();

private:
    SharingConnector::Settings settings() const;
    ConnectTarget target() const;
    std::shared_ptr<Shell> program(ListPrompter& prompter);
    int logins() const;
    int sessions() const;
    QList<qint64> brokers() const;

    SshdFixture m_sshd;
    std::unique_ptr<QTemporaryDir> m_runtime;
    SshConnector m_direct;
    QString m_lockedKey;
};

void TestSharing::initTestCase()
{
    qunsetenv("SSH_AUTH_SOCK");
    qputenv("SLIPWAY_KEEP_CONNECTION", "1");
    QCOMPARE(m_sshd.start(), QString());
    m_lockedKey = m_sshd.makeKey(QStringLiteral("locked"), QStringLiteral("open sesame"));
    QVERIFY2(QFile::exists(settings().program), qPrintable(settings().program));
}

void TestSharing::init()
{
    m_runtime = std::make_unique<QTemporaryDir>();
    qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_runtime->path()));
    m_sshd.trustHostKey();
    m_sshd.clearLog();
}

void TestSharing::cleanup()
{
    QTRY_VERIFY(brokers().isEmpty()); // each ends by itself
}

SharingConnector::Settings TestSharing::settings() const
{
    return {true, buildPath(QStringLiteral("/tests/slipway_testbroker")), {}};
}

ConnectTarget TestSharing::target() const
{
    return targetOf(m_sshd);
}

std::shared_ptr<Shell> TestSharing::program(ListPrompter& prompter)
{
    SharingConnector connector(&m_direct, settings());
    auto shell = awaited(connector.connectTo(target(), &prompter));
    if (!shell.ok())
        qWarning("%s", qPrintable(shell.error().text()));
    return shell.ok() ? *shell : nullptr;
}

int TestSharing::logins() const
{
    return int(m_sshd.log().count("Accepted publickey"));
}

/// The commands that sshd has started.
int TestSharing::sessions() const
{
    return int(m_sshd.log().count("Starting session"));
}

/// The processes that serve a socket of this test.
QList<qint64> TestSharing::brokers() const
{
    QList<qint64> found;
    for (const QString& pid : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile line(QStringLiteral("/proc/%1/cmdline").arg(pid));
        if (pid.toLongLong() > 0 && line.open(QIODevice::ReadOnly)
            && line.readAll().contains(QFile::encodeName(m_runtime->path())))
            found << pid.toLongLong();
    }
    return found;
}

void TestSharing::secondProgram_isAskedNothingAndLogsInToNothing()
{
    ConnectTarget locked = target();
    locked.identityFile = m_lockedKey;
    SharingConnector first(&m_direct, settings()), second(&m_direct, settings());
    ListPrompter person, nobody;
    person.answers = {{QStringLiteral("open sesame")}};
    const auto one = awaited(first.connectTo(locked, &person));
    QVERIFY2(one.ok(), one.ok() ? "" : qPrintable(one.error().text()));
    QCOMPARE(person.rounds.size(), 1);
    QCOMPARE(person.rounds[0].kind, PromptRound::Kind::Passphrase);
    const auto two = awaited(second.connectTo(locked, &nobody));
    QVERIFY2(two.ok(), two.ok() ? "" : qPrintable(two.error().text()));
    QVERIFY(nobody.rounds.isEmpty());
    QCOMPARE(logins(), 1);
    QCOMPARE(brokers().size(), 1);
    QCOMPARE(awaited((*two)->run("echo $((6*7))")).value().out, QByteArray("42\n"));
    QCOMPARE((*one)->displayName(), (*two)->displayName());
    // Another key is another connection.
    ListPrompter other;
    QVERIFY(program(other));
    QCOMPARE(logins(), 2);
}

void TestSharing::programsThatStartTogether_haveOneBroker()
{
    ListPrompter prompter;
    SharingConnector connector(&m_direct, settings());
    std::vector<QCoro::Task<Result<std::shared_ptr<Shell>>>> tasks;
    for (int i = 0; i < 4; ++i)
        tasks.push_back(connector.connectTo(target(), &prompter));
    std::vector<std::shared_ptr<Shell>> shells;
    for (auto& task : tasks) {
        const auto shell = awaited(std::move(task));
        QVERIFY2(shell.ok(), shell.ok() ? "" : qPrintable(shell.error().text()));
        shells.push_back(*shell);
    }
    QCOMPARE(logins(), 1);
    QTRY_COMPARE(brokers().size(), 1); // those that came too late have gone
    for (const auto& shell : shells)
        QVERIFY(awaited(shell->run("true")).ok());
}

void TestSharing::socket_isThisPersonsAlone()
{
    ListPrompter prompter;
    QVERIFY(program(prompter));
    const QString folder = m_runtime->filePath(QStringLiteral("slipway"));
    struct stat info { };
    QCOMPARE(::stat(QFile::encodeName(folder).constData(), &info), 0);
    QCOMPARE(info.st_mode & 07777, mode_t(0700));
    const auto sockets = QDir(folder).entryInfoList({QStringLiteral("*.sock")}, QDir::System);
    QCOMPARE(sockets.size(), 1);
    QCOMPARE(::stat(QFile::encodeName(sockets[0].filePath()).constData(), &info), 0);
    QCOMPARE(info.st_mode & 07777, mode_t(0600));
}

void TestSharing::connections_areListedAndClosed()
{
    ListPrompter prompter;
    auto shell = program(prompter);
    QSignalSpy closed(shell.get(), &Shell::closed);
    auto list = awaited(sharedConnections());
    QVERIFY(list.ok());
    QCOMPARE(list->size(), size_t(1));
    QCOMPARE(list->front().name, shell->displayName());
    QCOMPARE(list->front().programs.size(), 1);
    QVERIFY(
        list->front().programs[0].contains(QString::number(QCoreApplication::applicationPid())));
    QVERIFY(!list->front().endsIn);
    QVERIFY(awaited(endConnection(list->front())).ok());
    QTRY_COMPARE(closed.size(), 1);
    list = awaited(sharedConnections());
    QVERIFY(list.ok() && list->empty());
}

void TestSharing::killedBroker_isSaidAndReplaced()
{
    ListPrompter prompter;
    const auto shell = program(prompter);
    QSignalSpy closed(shell.get(), &Shell::closed);
    const auto before = brokers();
    QCOMPARE(before.size(), 1);
    ::kill(pid_t(before[0]), SIGKILL);
    QTRY_COMPARE(closed.size(), 1);
    QCOMPARE(closed[0][0].value<Error>().kind, ErrorKind::LinkLost);
    const auto again = program(prompter); // over the socket that was left behind
    QVERIFY(again);
    QVERIFY(prompter.notices.isEmpty());
    QVERIFY(awaited(again->run("true")).ok());
    QCOMPARE(logins(), 2);
}

void TestSharing::lostLink_endsTheBroker()
{
    ListPrompter prompter;
    const auto one = program(prompter), two = program(prompter);
    QSignalSpy closedOne(one.get(), &Shell::closed), closedTwo(two.get(), &Shell::closed);
    m_sshd.killSessions();
    QTRY_COMPARE(closedOne.size() + closedTwo.size(), 2);
    QVERIFY(program(prompter)); // by a new one
    QCOMPARE(logins(), 2);
}

void TestSharing::whereSharingIsRefused_theProgramConnectsByItself_data()
{
    QTest::addColumn<QString>("what");
    for (const char* what :
        {"folder open to others", "folder is a link", "socket open to others", "no program"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

void TestSharing::whereSharingIsRefused_theProgramConnectsByItself()
{
    QFETCH(QString, what);
    ListPrompter prompter;
    const QString folder = m_runtime->filePath(QStringLiteral("slipway"));
    SharingConnector::Settings settings = this->settings();
    if (what == u"folder open to others") {
        QVERIFY(QDir().mkdir(folder));
        QCOMPARE(::chmod(QFile::encodeName(folder).constData(), 0755), 0);
    } else if (what == u"folder is a link") {
        QVERIFY(QFile::link(QStringLiteral("/tmp"), folder));
    } else if (what == u"socket open to others") {
        QCOMPARE(::mkdir(QFile::encodeName(folder).constData(), 0700), 0);
        const auto key = awaited(m_direct.connectionKey(target()));
        QVERIFY(key.ok());
        const auto listening = BrokerSocket::listenAt(
            folder + u'/' + QString::fromLatin1(*key) + QStringLiteral(".sock"));
        QVERIFY(listening.ok());
        const QByteArray socket =
            QFile::encodeName(folder + u'/' + QString::fromLatin1(*key) + QStringLiteral(".sock"));
        QCOMPARE(::chmod(socket.constData(), 0666), 0);
        SharingConnector connector(&m_direct, settings);
        QVERIFY(awaited(connector.connectTo(target(), &prompter)).ok());
        QCOMPARE(prompter.notices.size(), 1);
        return;
    } else {
        settings.program = QStringLiteral("/nowhere/slipway-cli");
    }
    SharingConnector connector(&m_direct, settings);
    const auto shell = awaited(connector.connectTo(target(), &prompter));
    QVERIFY(shell.ok());
    QCOMPARE(prompter.notices.size(), 1);
    QVERIFY2(prompter.notices[0].contains(u"not shared"), qPrintable(prompter.notices[0]));
    QVERIFY(brokers().isEmpty());
}

void TestSharing::otherVersion_isNotUsed()
{
    const QString folder = m_runtime->filePath(QStringLiteral("slipway"));
    QCOMPARE(::mkdir(QFile::encodeName(folder).constData(), 0700), 0);
    const auto key = awaited(m_direct.connectionKey(target()));
    auto listening =
        BrokerSocket::listenAt(folder + u'/' + QString::fromLatin1(*key) + QStringLiteral(".sock"));
    QVERIFY(listening.ok());
    std::vector<std::unique_ptr<MessageStream>> streams;
    QList<MessageType> heard;
    (*listening)->onConnection = [&](Fd fd) {
        streams.push_back(std::make_unique<MessageStream>(std::move(fd)));
        connect(streams.back().get(), &MessageStream::received, this,
            [&](const Message& message) { heard << message.type; });
        streams.back()->send({MessageType::Hello, 0, fieldsOf({qint64(brokerVersion) + 1})});
    };
    ListPrompter prompter;
    QVERIFY(program(prompter));
    QCOMPARE(prompter.notices.size(), 1);
    QVERIFY(prompter.notices[0].contains(u"another version"));
    QVERIFY(!heard.contains(MessageType::Login)); // it hears nothing of the login
}

namespace {

/// A program that follows something for ever and begins again when it is refused.
class Follower : public QObject {
public:
    explicit Follower(std::shared_ptr<Shell> machine)
        : shell(std::move(machine))
    {
        begin();
    }
    void begin()
    {
        Invocation invocation;
        invocation.script = "echo x; while read -r line; do :; done";
        invocation.place = Invocation::Place::Argument;
        invocation.isLongLived = true;
        process = shell->start(std::move(invocation));
        connect(process.get(), &Process::output, this, [this] { ++turns; });
        connect(
            process.get(), &Process::finished, this, [this] { begin(); }, Qt::QueuedConnection);
    }
    std::shared_ptr<Shell> shell;
    std::unique_ptr<Process> process;
    int turns = 0;
};

} // namespace

void TestSharing::threePrograms_shareFourSessions()
{
    SshdFixture sshd;
    QCOMPARE(sshd.start({QStringLiteral("MaxSessions 4")}), QString());
    sshd.trustHostKey();
    std::vector<std::unique_ptr<Follower>> followers;
    ListPrompter prompter;
    SharingConnector connector(&m_direct, settings());
    for (int i = 0; i < 3; ++i) {
        const auto shell = awaited(connector.connectTo(targetOf(sshd), &prompter));
        QVERIFY(shell.ok());
        followers.push_back(std::make_unique<Follower>(*shell));
    }
    QElapsedTimer clock;
    clock.start();
    qint64 slowest = 0;
    const auto anyWithoutTurn = [&] {
        return std::any_of(followers.begin(), followers.end(),
            [](const auto& follower) { return follower->turns == 0; });
    };
    while (anyWithoutTurn() && clock.elapsed() < 40'000) {
        for (const auto& follower : followers) {
            QElapsedTimer one;
            one.start();
            QVERIFY(awaited(follower->shell->run("true")).ok());
            slowest = std::max(slowest, one.elapsed());
        }
        QTest::qWait(200);
    }
    QVERIFY2(!anyWithoutTurn(), "a program waited for a session all the time");
    QVERIFY2(slowest < 30'000, qPrintable(QString::number(slowest)));
    qInfo("every program had its stream after %lld ms; the slowest command took %lld ms",
        clock.elapsed(), slowest);
    for (const auto& follower : followers)
        follower->process->disconnect();
}

namespace {

double median(QList<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

void TestSharing::shortCommand_needsNoSessionAsOneOfAControlMasterDoes()
{
    ListPrompter prompter;
    const auto shell = program(prompter);
    QVERIFY(shell);
    const QStringList options{QStringLiteral("-F"), QStringLiteral("/dev/null"),
        QStringLiteral("-i"), m_sshd.userKey(), QStringLiteral("-p"),
        QString::number(m_sshd.port()), QStringLiteral("-o"),
        QStringLiteral("UserKnownHostsFile=") + m_sshd.knownHosts(), QStringLiteral("-o"),
        QStringLiteral("BatchMode=yes"), QStringLiteral("-o"),
        QStringLiteral("ControlPath=") + m_runtime->filePath(QStringLiteral("master"))};
    const QString ssh = QStringLiteral("ssh"), host = QStringLiteral("127.0.0.1");
    QVERIFY(SshdFixture::runProgram(ssh,
        options
            + QStringList{QStringLiteral("-M"), QStringLiteral("-f"), QStringLiteral("-N"), host}));
    QList<double> ours, theirs;
    // The first one opens the persistent shell; until that answers, each has a session.
    int before = -1;
    for (int i = 0; i < 100 && sessions() != before; ++i) {
        before = sessions();
        QTest::qWait(100);
        QVERIFY(awaited(shell->run("true")).ok());
    }
    for (int i = 0; i < 15; ++i) {
        QElapsedTimer clock;
        clock.start();
        QVERIFY(awaited(shell->run("true")).ok());
        ours << double(clock.nsecsElapsed()) / 1e6;
        QCOMPARE(sessions(), before + i);
        clock.start();
        QVERIFY(SshdFixture::runProgram(ssh, options + QStringList{host, QStringLiteral("true")}));
        theirs << double(clock.nsecsElapsed()) / 1e6;
    }
    SshdFixture::runProgram(
        ssh, options + QStringList{QStringLiteral("-O"), QStringLiteral("exit"), host});
    QCOMPARE(logins(), 2); // the broker's and the master's: each command went through it
    QCOMPARE(sessions(), before + 15);
    const double part = median(ours) / median(theirs);
    qInfo("a short command through the broker takes %.1f ms, with ssh's own master %.1f ms: %.2f",
        median(ours), median(theirs), part);
}

SLIPWAY_TEST(TestSharing, broker_sharing)
#include "tst_sharing.moc"

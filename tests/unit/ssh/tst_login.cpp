// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/agentfilter.h"
#include "remote/ssh/sshshell.h"
#include "tests/support/heartbeat.h"
#include "tests/support/playedagent.h"
#include "tests/support/sshdlogin.h"
#include "tests/support/testmain.h"

#include <QElapsedTimer>
#include <QFile>
#include <QScopeGuard>
#include <QTcpServer>
#include <QTest>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace slipway;
using namespace std::chrono_literals;

class TestLogin : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void key_logsIn();
    void lockedKey_asksForItsPassphrase_data();
    void lockedKey_asksForItsPassphrase();
    void lockedKey_isNotAskedForWhenTheServerWouldNotTakeIt();
    void agent_logsIn();
    void agent_offersOnlyTheConfiguredKeys();
    void agent_thatNeverAnswersDoesNotBlockTheGui();
    void silentAgent_isLeftForTheKeyFiles();
    void securityKey_isToBeTouched();
    void wrongKey_namesWhatWasTried();
    void banner_reachesThePrompter();
    void unknownHostKey_isShownAndPutOnRecord();
    void unknownHostKey_declinedSendsNothing();
    void changedHostKey_isRefusedBeforeAnyLogin();
    void revokedHostKey_isRefusedBeforeAnyLogin();
    void knownHostKey_isNotAskedFor();
    void hostKeyAlias_isLookedUpWithoutThePortAsSshDoes();
    void unknownHostKey_withNowhereToKeepIt_logsIn();
    void closedPort_isANetworkError();
    void noSuchName_isANetworkError();
    void silentServer_timesOutAndTheGuiLives();
    void deadAddress_fallsBackToTheNextOne();
    void ciphers_preferAesGcm();

private:
    Result<std::shared_ptr<Shell>> logInWithAgent(
        const QString& socket, ListPrompter& prompter) const;

    SshdFixture m_sshd;
};

void TestLogin::initTestCase()
{
    qunsetenv("SSH_AUTH_SOCK");
    QCOMPARE(m_sshd.start(), QString());
}

void TestLogin::init()
{
    m_sshd.clearKnownHosts();
    m_sshd.trustHostKey();
    m_sshd.clearLog();
}

void TestLogin::key_logsIn()
{
    ListPrompter prompter;
    const auto shell = connectWith(targetOf(m_sshd), prompter);
    QVERIFY2(shell.ok(), shell.ok() ? "" : qPrintable(shell.error().text()));
    const auto done = awaited((*shell)->run("echo hi"));
    QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
    QCOMPARE(done->out, QByteArray("hi\n"));
    QVERIFY(prompter.rounds.isEmpty());
    QCOMPARE((*shell)->linkState(), LinkState::Up);
}

void TestLogin::lockedKey_asksForItsPassphrase_data()
{
    QTest::addColumn<QList<QStringList>>("answers");
    QTest::addColumn<int>("rounds");
    QTest::addColumn<int>("kind"); // -1: logged in
    const QStringList right{QStringLiteral("sesam öffne")};
    const QStringList wrong{QStringLiteral("no")};
    QTest::newRow("right") << QList<QStringList>{right} << 1 << -1;
    QTest::newRow("wrong, then right") << QList<QStringList>{wrong, right} << 2 << -1;
    QTest::newRow("wrong three times")
        << QList<QStringList>{wrong, wrong, wrong} << 3 << int(ErrorKind::Authentication);
    QTest::newRow("the person gives up") << QList<QStringList>{} << 1 << int(ErrorKind::Cancelled);
}

void TestLogin::lockedKey_asksForItsPassphrase()
{
    QFETCH(QList<QStringList>, answers);
    QFETCH(int, rounds);
    QFETCH(int, kind);
    if (!QFile::exists(m_sshd.path(QStringLiteral("locked"))))
        m_sshd.makeKey(QStringLiteral("locked"), QStringLiteral("sesam öffne"));
    ListPrompter prompter;
    prompter.answers = answers;
    auto target = targetOf(m_sshd);
    target.identityFile = m_sshd.path(QStringLiteral("locked"));
    const auto shell = connectWith(target, prompter);
    QCOMPARE(prompter.rounds.size(), rounds);
    QCOMPARE(prompter.rounds.last().kind, PromptRound::Kind::Passphrase);
    QCOMPARE(prompter.rounds.last().attempt, rounds);
    QCOMPARE(prompter.rounds.last().keyFile, target.identityFile);
    QCOMPARE(shell.ok() ? -1 : int(shell.error().kind), kind);
}

void TestLogin::lockedKey_isNotAskedForWhenTheServerWouldNotTakeIt()
{
    m_sshd.makeKey(QStringLiteral("foreign"), QStringLiteral("secret"), false);
    ListPrompter prompter;
    auto target = targetOf(m_sshd);
    target.identityFile = m_sshd.path(QStringLiteral("foreign"));
    const auto shell = connectWith(target, prompter);
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::Authentication);
    QVERIFY(prompter.rounds.isEmpty());
}

void TestLogin::agent_logsIn()
{
    AgentFixture agent;
    QCOMPARE(agent.start(m_sshd.path({})), QString());
    QVERIFY(agent.add(m_sshd.userKey()));
    qputenv("SSH_AUTH_SOCK", agent.socket().toUtf8());
    ListPrompter prompter;
    auto target = targetOf(m_sshd);
    target.identityFile.clear();
    const auto shell = connectWith(target, prompter);
    qunsetenv("SSH_AUTH_SOCK");
    QVERIFY2(shell.ok(), shell.ok() ? "" : qPrintable(shell.error().text()));
    QVERIFY(prompter.rounds.isEmpty());
}

void TestLogin::agent_offersOnlyTheConfiguredKeys()
{
    AgentFixture agent;
    QCOMPARE(agent.start(m_sshd.path({})), QString());
    for (int i = 0; i < 8; ++i) // more than MaxAuthTries, all before the right one
        QVERIFY(agent.add(m_sshd.makeKey(QStringLiteral("spare%1").arg(i), {}, false)));
    QVERIFY(agent.add(m_sshd.makeKey(QStringLiteral("right"), {})));
    QFile config(m_sshd.path(QStringLiteral("config")));
    QVERIFY(config.open(QIODevice::WriteOnly | QIODevice::Truncate));
    config.write("Host 127.0.0.1\n IdentitiesOnly yes\n IdentityFile "
        + m_sshd.path(QStringLiteral("right")).toUtf8() + '\n');
    config.close();
    QFile::remove(m_sshd.path(QStringLiteral("right"))); // the agent alone has the private half
    qputenv("SSH_AUTH_SOCK", agent.socket().toUtf8());
    ListPrompter prompter;
    auto target = targetOf(m_sshd);
    target.identityFile.clear();
    target.useSshConfig = true;
    const auto shell = connectWith(target, prompter, {config.fileName()});
    qunsetenv("SSH_AUTH_SOCK");
    QVERIFY2(shell.ok(), shell.ok() ? "" : qPrintable(shell.error().text()));
    QVERIFY(!m_sshd.log().contains("Failed publickey"));
}

void TestLogin::agent_thatNeverAnswersDoesNotBlockTheGui()
{
    const auto path = m_sshd.path(QStringLiteral("deaf"));
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    qstrncpy(address.sun_path, path.toUtf8().constData(), sizeof(address.sun_path));
    QCOMPARE(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    QCOMPARE(::listen(fd, 4), 0);
    qputenv("SSH_AUTH_SOCK", path.toUtf8());
    const auto tidy = qScopeGuard([fd] {
        qunsetenv("SSH_AUTH_SOCK");
        ::close(fd);
    });
    ListPrompter prompter;
    auto target = targetOf(m_sshd);
    target.identityFile.clear();
    const Heartbeat heartbeat;
    ResolvedTarget resolved = *awaited(resolveTarget(target));
    QElapsedTimer ending;
    {
        SshShell shell(resolved, &prompter);
        QTest::qWait(500);
        QVERIFY2(heartbeat.worst() < 300, qPrintable(QString::number(heartbeat.worst())));
        ending.start();
    } // deleting it ends the wait, which otherwise takes seconds
    QVERIFY2(ending.elapsed() < 8000, qPrintable(QString::number(ending.elapsed())));
}

/// An alias with this agent, and a key file after it.
Result<std::shared_ptr<Shell>> TestLogin::logInWithAgent(
    const QString& socket, ListPrompter& prompter) const
{
    SshConnector::Settings settings;
    settings.configFile = m_sshd.path(QStringLiteral("config"));
    QFile file(settings.configFile);
    if (!file.open(QIODevice::WriteOnly))
        return Error{ErrorKind::Io, file.errorString()};
    const QStringList lines{QStringLiteral("Host alias"), QStringLiteral("HostName 127.0.0.1"),
        QStringLiteral("Port %1").arg(m_sshd.port()), QStringLiteral("User ") + m_sshd.user(),
        QStringLiteral("IdentityAgent ") + socket,
        QStringLiteral("IdentityFile ") + m_sshd.userKey(),
        QStringLiteral("UserKnownHostsFile ") + m_sshd.knownHosts(), QString()};
    file.write(lines.join(u'\n').toUtf8());
    file.close();
    ConnectTarget target;
    target.host = QStringLiteral("alias");
    return connectWith(target, prompter, settings);
}

void TestLogin::silentAgent_isLeftForTheKeyFiles()
{
    const QString path = m_sshd.path(QStringLiteral("mute"));
    const PlayedAgent agent(path, [](const QByteArray&) { return QByteArray(); });
    QVERIFY(agent.isListening());
    const auto usual = AgentFilter::patience.exchange(std::chrono::milliseconds(300));
    const auto restore = qScopeGuard([usual] { AgentFilter::patience = usual; });
    ListPrompter prompter;
    QElapsedTimer timer;
    timer.start();
    const auto shell = logInWithAgent(path, prompter);
    QVERIFY2(shell.ok(), qPrintable(shell.ok() ? QString() : shell.error().text()));
    QVERIFY2(timer.elapsed() >= 300, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(prompter.notices.size(), 1);
    QVERIFY2(
        prompter.notices[0].contains(u"agent does not answer"), qPrintable(prompter.notices[0]));
}

/// The server would take the key, so the agent is asked to sign, which needs the person's finger.
void TestLogin::securityKey_isToBeTouched()
{
    const QByteArray type("sk-ssh-ed25519@openssh.com");
    const QByteArray blob = sshString(type) + sshString(QByteArray(32, 'k')) + sshString("ssh:");
    QFile authorized(m_sshd.path(QStringLiteral("authorized_keys")));
    QVERIFY(authorized.open(QIODevice::Append));
    authorized.write(type + ' ' + blob.toBase64() + " token\n");
    authorized.close();
    const QString path = m_sshd.path(QStringLiteral("token"));
    std::atomic<int> signatures = 0;
    const PlayedAgent agent(path, [&](const QByteArray& request) {
        const bool lists = request.startsWith(11);
        signatures += lists ? 0 : 1;
        return lists
            ? QByteArray(1, 12) + QByteArray("\0\0\0\1", 4) + sshString(blob) + sshString("token")
            : QByteArray(1, 5); // nobody touched it
    });
    QVERIFY(agent.isListening());
    ListPrompter prompter;
    const auto shell = logInWithAgent(path, prompter);
    QVERIFY2(shell.ok(), qPrintable(shell.ok() ? QString() : shell.error().text()));
    QCOMPARE(int(signatures), 1);
    QCOMPARE(prompter.approvals.size(), 1);
    QVERIFY2(prompter.approvals[0].contains(u"Touch your security key")
            && prompter.approvals[0].contains(u"127.0.0.1"),
        qPrintable(prompter.approvals[0]));
}

void TestLogin::wrongKey_namesWhatWasTried()
{
    m_sshd.makeKey(QStringLiteral("stranger"), {}, false);
    ListPrompter prompter;
    auto target = targetOf(m_sshd);
    target.identityFile = m_sshd.path(QStringLiteral("stranger"));
    const auto shell = connectWith(target, prompter);
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::Authentication);
    QVERIFY(shell.error().summary.contains(target.identityFile));
    QVERIFY(!shell.error().remedy.isEmpty());
}

void TestLogin::banner_reachesThePrompter()
{
    SshdFixture sshd;
    QFile banner(sshd.path(QStringLiteral("banner")));
    QVERIFY(banner.open(QIODevice::WriteOnly));
    banner.write("Authorized use only.\n<b>x</b>\n");
    banner.close();
    QCOMPARE(sshd.start({QStringLiteral("Banner ") + banner.fileName()}), QString());
    ListPrompter prompter;
    prompter.accept = true;
    QVERIFY(connectWith(targetOf(sshd), prompter).ok());
    QTRY_COMPARE(prompter.banners.size(), 1);
    QVERIFY(prompter.banners[0].contains(QStringLiteral("<b>x</b>")));
}

void TestLogin::unknownHostKey_isShownAndPutOnRecord()
{
    m_sshd.clearKnownHosts();
    ListPrompter prompter;
    prompter.accept = true;
    QVERIFY(connectWith(targetOf(m_sshd), prompter).ok());
    QCOMPARE(prompter.keys.size(), 1);
    QCOMPARE(prompter.keys[0].keyType, QStringLiteral("ssh-ed25519"));
    QCOMPARE(prompter.keys[0].port, m_sshd.port());
    QByteArray listed;
    QVERIFY(SshdFixture::runProgram(QStringLiteral("ssh-keygen"),
        {QStringLiteral("-l"), QStringLiteral("-f"), m_sshd.path(QStringLiteral("host_key.pub"))},
        &listed));
    QCOMPARE(prompter.keys[0].sha256.toUtf8(), listed.split(' ')[1]);
    // The second time it is known, to us and to ssh-keygen.
    QVERIFY(connectWith(targetOf(m_sshd), prompter).ok());
    QCOMPARE(prompter.keys.size(), 1);
    QVERIFY(SshdFixture::runProgram(QStringLiteral("ssh-keygen"),
        {QStringLiteral("-F"), QStringLiteral("[127.0.0.1]:%1").arg(m_sshd.port()),
            QStringLiteral("-f"), m_sshd.knownHosts()}));
}

void TestLogin::unknownHostKey_declinedSendsNothing()
{
    m_sshd.clearKnownHosts();
    ListPrompter prompter;
    const auto shell = connectWith(targetOf(m_sshd), prompter);
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::HostKey);
    QCOMPARE(prompter.keys.size(), 1);
    QTest::qWait(200);
    QVERIFY(!m_sshd.log().contains("userauth-request"));
}

void TestLogin::changedHostKey_isRefusedBeforeAnyLogin()
{
    m_sshd.replaceHostKey();
    m_sshd.clearLog();
    ListPrompter prompter;
    prompter.accept = true; // nobody may be asked
    const auto shell = connectWith(targetOf(m_sshd), prompter);
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::HostKey);
    QVERIFY(shell.error().summary.contains(m_sshd.knownHosts() + QStringLiteral(", line 1")));
    QVERIFY(shell.error().remedy.contains(QStringLiteral("ssh-keygen -f %1 -R '[127.0.0.1]:%2'")
                                              .arg(m_sshd.knownHosts())
                                              .arg(m_sshd.port())));
    QVERIFY(prompter.keys.isEmpty());
    QTest::qWait(200);
    QVERIFY(m_sshd.log().contains("Connection from"));
    QVERIFY(!m_sshd.log().contains("userauth-request"));
}

void TestLogin::revokedHostKey_isRefusedBeforeAnyLogin()
{
    m_sshd.trustHostKey("@revoked ");
    ListPrompter prompter;
    prompter.accept = true;
    const auto shell = connectWith(targetOf(m_sshd), prompter);
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::HostKey);
    QVERIFY(shell.error().summary.contains(QStringLiteral("revoked")));
    QTest::qWait(200);
    QVERIFY(!m_sshd.log().contains("userauth-request"));
}

void TestLogin::knownHostKey_isNotAskedFor()
{
    ListPrompter prompter;
    QVERIFY(connectWith(targetOf(m_sshd), prompter).ok());
    QVERIFY(prompter.keys.isEmpty());
    QTRY_VERIFY(m_sshd.log().contains("userauth-request")); // what the tests above look for
}

void TestLogin::hostKeyAlias_isLookedUpWithoutThePortAsSshDoes()
{
    QFile key(m_sshd.path(QStringLiteral("host_key.pub")));
    QVERIFY(key.open(QIODevice::ReadOnly));
    const auto parts = key.readAll().split(' ');
    const QByteArray record = "the-cluster " + parts[0] + ' ' + parts[1] + '\n';
    QFile known(m_sshd.path(QStringLiteral("known_as_alias")));
    QVERIFY(known.open(QIODevice::WriteOnly | QIODevice::Truncate));
    known.write(record);
    known.close();
    QFile config(m_sshd.path(QStringLiteral("config")));
    QVERIFY(config.open(QIODevice::WriteOnly | QIODevice::Truncate));
    config.write("Host aliased\n HostName 127.0.0.1\n Port " + QByteArray::number(m_sshd.port())
        + "\n User " + m_sshd.user().toUtf8()
        + "\n HostKeyAlias The-Cluster\n StrictHostKeyChecking yes\n IdentityFile "
        + m_sshd.userKey().toUtf8() + "\n UserKnownHostsFile " + known.fileName().toUtf8()
        + "\n GlobalKnownHostsFile /dev/null\n");
    config.close();
    QByteArray said;
    QVERIFY2(SshdFixture::runProgram(QStringLiteral("ssh"),
                 {QStringLiteral("-F"), config.fileName(), QStringLiteral("-o"),
                     QStringLiteral("BatchMode=yes"), QStringLiteral("aliased"),
                     QStringLiteral("echo as ssh")},
                 &said),
        "ssh itself does not log in");
    QCOMPARE(said, QByteArray("as ssh\n"));
    ListPrompter prompter;
    const auto shell = connectWith({QStringLiteral("aliased")}, prompter, {config.fileName()});
    QVERIFY2(shell.ok(), shell.ok() ? "" : qPrintable(shell.error().text()));

    // A new key is put on record as ssh looks for it.
    QVERIFY(known.resize(0));
    QVERIFY(config.open(QIODevice::ReadWrite));
    const auto asking =
        config.readAll().replace("StrictHostKeyChecking yes", "StrictHostKeyChecking accept-new");
    config.resize(0);
    config.seek(0);
    config.write(asking);
    config.close();
    QVERIFY(connectWith({QStringLiteral("aliased")}, prompter, {config.fileName()}).ok());
    QVERIFY(known.open(QIODevice::ReadOnly));
    QCOMPARE(known.readAll(), record);
}

void TestLogin::unknownHostKey_withNowhereToKeepIt_logsIn()
{
    ListPrompter prompter;
    prompter.accept = true;
    auto target = targetOf(m_sshd);
    target.knownHostsFile = QStringLiteral("/dev/null");
    const auto shell = connectWith(target, prompter);
    QVERIFY2(shell.ok(), shell.ok() ? "" : qPrintable(shell.error().text()));
}

void TestLogin::closedPort_isANetworkError()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    auto target = targetOf(m_sshd);
    target.port = server.serverPort();
    server.close();
    ListPrompter prompter;
    const auto shell = connectWith(target, prompter);
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::Network);
    QVERIFY(shell.error().summary.contains(QString::number(target.port)));
}

void TestLogin::noSuchName_isANetworkError()
{
    auto target = targetOf(m_sshd);
    target.host = QStringLiteral("no-such-host.invalid");
    ListPrompter prompter;
    SshConnector::Settings settings;
    settings.times.connect = 5s; // a name service may be out of reach here
    const auto shell = connectWith(target, prompter, settings);
    QVERIFY(!shell.ok());
    QVERIFY(shell.error().kind == ErrorKind::Network || shell.error().kind == ErrorKind::Timeout);
}

void TestLogin::silentServer_timesOutAndTheGuiLives()
{
    QTcpServer silent;
    silent.listen(QHostAddress::LocalHost);
    auto target = targetOf(m_sshd);
    target.port = silent.serverPort();
    SshConnector::Settings settings;
    settings.times.step = 1s;
    ListPrompter prompter;
    const Heartbeat heartbeat;
    const auto shell = connectWith(target, prompter, settings);
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::Timeout);
    // Whoever waits for the server waits the whole second.
    QVERIFY2(heartbeat.worst() < 300, qPrintable(QString::number(heartbeat.worst())));
}

void TestLogin::deadAddress_fallsBackToTheNextOne()
{
    // 100::/64 is the discard prefix, 192.0.2.0/24 is for documentation: nothing answers there.
    for (const auto* dead : {"100::1", "192.0.2.1"}) {
        SshConnector::Settings settings;
        settings.addresses = QStringList{QString::fromLatin1(dead), QStringLiteral("127.0.0.1")};
        ListPrompter prompter;
        QElapsedTimer timer;
        timer.start();
        const auto shell = connectWith(targetOf(m_sshd), prompter, settings);
        QVERIFY2(shell.ok(), shell.ok() ? "" : qPrintable(shell.error().text()));
        // It does not wait the 20 s in which the dead one may answer.
        QVERIFY2(timer.elapsed() < 18'000, qPrintable(QString::number(timer.elapsed())));
    }
}

void TestLogin::ciphers_preferAesGcm()
{
    QFile cpu(QStringLiteral("/proc/cpuinfo"));
    QVERIFY(cpu.open(QIODevice::ReadOnly));
    const bool aes = cpu.readAll().contains(" aes");
    ListPrompter prompter;
    QVERIFY(connectWith(targetOf(m_sshd), prompter).ok());
    QTRY_VERIFY(m_sshd.log().contains(aes ? "cipher: aes128-gcm@openssh.com" : "cipher: chacha20"));
}

SLIPWAY_TEST(TestLogin, ssh_login)
#include "tst_login.moc"

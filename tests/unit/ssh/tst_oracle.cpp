// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/dialogueserver.h"
#include "tests/support/sshdlogin.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace slipway;

/// OpenSSH as oracle: for every alias of a configuration, ssh and Slipway succeed alike or are
/// refused alike. Both log in to a real sshd with a host certificate that trusts a certificate
/// authority for its users, without anybody to ask.
class TestOracle : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void alias_hasTheSameEnd_data();
    void alias_hasTheSameEnd();
    void ignoredOptions_areSaid();
    void refusedKey_isFollowedByTheSameQuestions_data();
    void refusedKey_isFollowedByTheSameQuestions();
    void dialogue_isBegunAsOften_data();
    void dialogue_isBegunAsOften();
    void knownHostsCommand_isShownBeforeItRuns();
    void cleanupTestCase();

private:
    QString path(const QString& name) const { return m_sshd.path(name); }
    QByteArray bytes(const QString& name) const;
    void write(const QString& name, const QByteArray& text);
    void keygen(const QStringList& arguments);
    void makeKeys();
    void makeKnownHosts();
    void makeScripts();
    QByteArray common(const QByteArray& more) const;
    QByteArray asking(const QByteArray& lines, int port) const;
    bool sshIsLetIn(const QByteArray& answer);
    Result<std::shared_ptr<Shell>> logIn(ListPrompter& prompter) const;

    SshdFixture m_sshd;
    SshdFixture m_asking; ///< would take a password
    AgentFixture m_agent;
    int m_alike = 0;
};

QByteArray TestOracle::bytes(const QString& name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestOracle::write(const QString& name, const QByteArray& text)
{
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(text);
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
}

void TestOracle::keygen(const QStringList& arguments)
{
    QVERIFY2(SshdFixture::runProgram(QStringLiteral("ssh-keygen"), arguments),
        qPrintable(arguments.join(u' ')));
}

void TestOracle::initTestCase()
{
    qunsetenv("SSH_AUTH_SOCK");
    QCOMPARE(m_sshd.start(), QString());
    makeKeys();
    m_sshd.stop();
    QCOMPARE(m_sshd.start(
                 {QStringLiteral("HostCertificate ") + path(QStringLiteral("host_key-cert.pub")),
                     QStringLiteral("TrustedUserCAKeys ") + path(QStringLiteral("users_ca.pub")),
                     QStringLiteral("MaxAuthTries 6")}),
        QString());
    makeKnownHosts();
    makeScripts();
    QCOMPARE(m_agent.start(path({})), QString());
    for (int i = 0; i < 7; ++i)
        QVERIFY(m_agent.add(m_sshd.makeKey(QStringLiteral("spare%1").arg(i), {}, false)));
    QVERIFY(m_agent.add(m_sshd.makeKey(QStringLiteral("inagent"), {})));
    QFile::remove(path(QStringLiteral("inagent"))); // the agent alone has the private half
    qputenv("SLIPWAY_TEST_FOLDER", path({}).toUtf8());
    qputenv("SLIPWAY_TEST_AGENT", m_agent.socket().toUtf8());
    qunsetenv("SLIPWAY_TEST_UNSET");
}

/// The authorities, the server's certificate, and the person's keys with theirs.
void TestOracle::makeKeys()
{
    const auto make = [this](const char* name) {
        QVERIFY(!m_sshd.makeKey(QString::fromLatin1(name), {}, false).isEmpty());
    };
    for (const char* name : {"hosts_ca", "users_ca", "other_ca", "stranger", "certified", "alone",
             "expired", "foreign"})
        make(name);
    const auto sign = [this](
                          const QString& authority, const QString& key, const QStringList& more) {
        keygen(QStringList{QStringLiteral("-q"), QStringLiteral("-s"), path(authority),
                   QStringLiteral("-I"), key}
            + more + QStringList{path(key + QStringLiteral(".pub"))});
    };
    const QString hosts = QStringLiteral("hosts_ca");
    const QString users = QStringLiteral("users_ca");
    const QStringList me{QStringLiteral("-n"), m_sshd.user()};
    sign(hosts, QStringLiteral("host_key"),
        {QStringLiteral("-h"), QStringLiteral("-n"), QStringLiteral("127.0.0.1,localhost")});
    sign(users, QStringLiteral("certified"), me);
    sign(users, QStringLiteral("alone"), me);
    QVERIFY(QFile::rename(
        path(QStringLiteral("alone-cert.pub")), path(QStringLiteral("elsewhere-cert.pub"))));
    sign(users, QStringLiteral("expired"),
        me + QStringList{QStringLiteral("-V"), QStringLiteral("20200101:20200201")});
    sign(users, QStringLiteral("foreign"), {QStringLiteral("-n"), QStringLiteral("somebody-else")});
    QVERIFY(QFile::copy(m_sshd.userKey(),
        path(QStringLiteral("%1-%2").arg(QStringLiteral("127.0.0.1"), m_sshd.user()))));
}

void TestOracle::makeKnownHosts()
{
    const QByteArray port = QByteArray::number(m_sshd.port());
    const QByteArray name = "[127.0.0.1]:" + port;
    const auto keyOf = [this](const char* file) {
        const auto fields = bytes(QString::fromLatin1(file)).split(' ');
        return QByteArray(fields.value(0) + ' ' + fields.value(1) + '\n');
    };
    const QByteArray key = keyOf("host_key.pub");
    const QByteArray authority = keyOf("hosts_ca.pub");
    write(QStringLiteral("known"), name + ' ' + key);
    write(QStringLiteral("known-") + QString::fromLatin1(port), name + ' ' + key);
    write(QStringLiteral("hashed"), name + ' ' + key);
    keygen({QStringLiteral("-q"), QStringLiteral("-H"), QStringLiteral("-f"),
        path(QStringLiteral("hashed"))});
    write(QStringLiteral("wildcard"), "[127.0.*.1]:* " + key);
    write(QStringLiteral("negated"), "*,!" + name + ",!127.0.0.1 " + key);
    write(QStringLiteral("bare"), "127.0.0.1 " + key);
    write(QStringLiteral("alias"), "gate " + key);
    write(QStringLiteral("changed"), name + ' ' + keyOf("stranger.pub"));
    write(QStringLiteral("revoked"), name + ' ' + key + "@revoked * " + key);
    write(QStringLiteral("authority"), "@cert-authority * " + authority);
    write(QStringLiteral("otherauthority"), "@cert-authority * " + keyOf("other_ca.pub"));
    write(QStringLiteral("revokedauthority"),
        "@cert-authority * " + authority + "@revoked * " + authority);
    write(QStringLiteral("empty"), {});
    write(QStringLiteral("revokedlist"), key);
    write(QStringLiteral("otherlist"), keyOf("stranger.pub"));
    keygen({QStringLiteral("-q"), QStringLiteral("-k"), QStringLiteral("-f"),
        path(QStringLiteral("krl")), path(QStringLiteral("host_key.pub"))});
}

/// relay.py is a ProxyCommand, which refuses another user or alias than it expects. ask.sh gives an
/// answer in a person's place, and notes each question.
void TestOracle::makeScripts()
{
    write(QStringLiteral("relay.py"),
        "import select, socket, sys\n"
        "host, port, user, alias = sys.argv[1:5]\n"
        "if user != '"
            + m_sshd.user().toUtf8()
            + "' or alias != 'alias' or sys.argv[5:] not in ([], ['100%']): sys.exit(1)\n"
              "s = socket.create_connection((host, int(port)))\n"
              "while True:\n"
              "    for r in select.select([0, s], [], [])[0]:\n"
              "        b = sys.stdin.buffer.raw.read(65536) if r == 0 else s.recv(65536)\n"
              "        if not b: sys.exit(0)\n"
              "        if r == 0: s.sendall(b)\n"
              "        else:\n"
              "            sys.stdout.buffer.write(b)\n"
              "            sys.stdout.buffer.flush()\n");
    write(QStringLiteral("ask.sh"),
        "#!/bin/sh\necho x >>'" + path(QStringLiteral("asked")).toUtf8()
            + "'\necho \"$SLIPWAY_TEST_ANSWER\"\n");
    QVERIFY(QFile::setPermissions(
        path(QStringLiteral("ask.sh")), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

/// The lines of one alias: what is the same for most of them, after `more`, which comes first and
/// therefore counts.
QByteArray TestOracle::common(const QByteArray& more) const
{
    const QByteArray folder = path({}).toUtf8() + '/';
    QByteArray identity = "  IdentityFile " + folder + "user_key\n";
    if (more.contains("IdentityFile"))
        identity.clear(); // files add up
    return "Host alias\n" + QByteArray(more).replace("DIR/", folder)
        + "\nHost *\n  HostName 127.0.0.1\n  Port " + QByteArray::number(m_sshd.port())
        + "\n  User " + m_sshd.user().toUtf8() + '\n' + identity
        + "  IdentitiesOnly yes\n  IdentityAgent none\n  UserKnownHostsFile " + folder
        + "known\n  GlobalKnownHostsFile /dev/null\n";
}

/// An alias whose key is refused, at a server whose key is accepted.
QByteArray TestOracle::asking(const QByteArray& lines, int port) const
{
    return common("IdentityFile DIR/stranger\nPort " + QByteArray::number(port)
        + "\nStrictHostKeyChecking accept-new\nUserKnownHostsFile DIR/asking\n" + lines);
}

Result<std::shared_ptr<Shell>> TestOracle::logIn(ListPrompter& prompter) const
{
    SshConnector::Settings settings;
    settings.configFile = path(QStringLiteral("config"));
    settings.approvedCommands = path(QStringLiteral("approved"));
    ConnectTarget target;
    target.host = QStringLiteral("alias");
    return connectWith(target, prompter, settings);
}

/// Whether ssh logs in with this answer to every question. It runs a local command then, and
/// before it opens a channel.
bool TestOracle::sshIsLetIn(const QByteArray& answer)
{
    const QString mark = path(QStringLiteral("let-in"));
    QFile::remove(mark);
    QFile::remove(path(QStringLiteral("asked")));
    qputenv("SSH_ASKPASS", path(QStringLiteral("ask.sh")).toUtf8());
    qputenv("SSH_ASKPASS_REQUIRE", "force");
    qputenv("SLIPWAY_TEST_ANSWER", answer);
    SshdFixture::runProgram(QStringLiteral("ssh"),
        {QStringLiteral("-F"), path(QStringLiteral("config")), QStringLiteral("-o"),
            QStringLiteral("PermitLocalCommand=yes"), QStringLiteral("-o"),
            QStringLiteral("LocalCommand=touch ") + mark, QStringLiteral("alias"),
            QStringLiteral("true")});
    qunsetenv("SSH_ASKPASS");
    qunsetenv("SSH_ASKPASS_REQUIRE");
    return QFile::exists(mark);
}

void TestOracle::alias_hasTheSameEnd_data()
{
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<bool>("succeeds");
    const auto row = [](const char* name, const char* lines, bool succeeds) {
        QTest::newRow(name) << QByteArray(lines) << succeeds;
    };
    row("plain", "", true);
    row("tokens of a key", "IdentityFile DIR/%h-%r", true);
    row("variable of a key", "IdentityFile ${SLIPWAY_TEST_FOLDER}/user_key", true);
    row("variable that is not set", "IdentityFile ${SLIPWAY_TEST_UNSET}/user_key", false);
    row("unknown token", "IdentityFile DIR/%z", false);
    row("tokens of known hosts", "UserKnownHostsFile DIR/known-%p", true);
    row("variable of known hosts", "UserKnownHostsFile ${SLIPWAY_TEST_FOLDER}/known", true);
    row("alias of the key, another port", "HostKeyAlias gate\nUserKnownHostsFile DIR/alias", true);
    row("unknown alias of the key", "HostKeyAlias gate", false);
    row("certificate authority", "UserKnownHostsFile DIR/authority", true);
    row("another authority", "UserKnownHostsFile DIR/otherauthority", false);
    row("revoked authority", "UserKnownHostsFile DIR/revokedauthority", false);
    row("certificate for another name", "HostKeyAlias gate\nUserKnownHostsFile DIR/authority",
        false);
    row("certificate beside the key", "IdentityFile DIR/certified", true);
    row("CertificateFile", "IdentityFile DIR/alone\nCertificateFile DIR/elsewhere-cert.pub", true);
    row("key without its certificate", "IdentityFile DIR/alone", false);
    row("expired certificate", "IdentityFile DIR/expired", false);
    row("certificate of somebody else", "IdentityFile DIR/foreign", false);
    row("a key that is not registered", "IdentityFile DIR/stranger", false);
    row("KnownHostsCommand", "UserKnownHostsFile /dev/null\nKnownHostsCommand /bin/cat DIR/known",
        true);
    row("KnownHostsCommand with tokens",
        "UserKnownHostsFile /dev/null\nKnownHostsCommand /bin/cat DIR/known-%p", true);
    row("silent KnownHostsCommand", "UserKnownHostsFile /dev/null\nKnownHostsCommand /bin/true",
        false);
    row("no keys", "PubkeyAuthentication no", false);
    row("prefers what is not offered", "PreferredAuthentications keyboard-interactive", false);
    row("prefers keys", "PreferredAuthentications password,publickey", true);
    row("changed key", "UserKnownHostsFile DIR/changed", false);
    row("revoked key", "UserKnownHostsFile DIR/revoked", false);
    row("RevokedHostKeys, a list", "RevokedHostKeys DIR/revokedlist", false);
    row("RevokedHostKeys, other keys", "RevokedHostKeys DIR/otherlist", true);
    row("RevokedHostKeys, a revocation list", "RevokedHostKeys DIR/krl", false);
    row("RevokedHostKeys, no such file", "RevokedHostKeys DIR/nothing", false);
    row("hashed", "UserKnownHostsFile DIR/hashed", true);
    row("wildcard", "UserKnownHostsFile DIR/wildcard", true);
    row("known without the port", "UserKnownHostsFile DIR/bare", true);
    row("negated", "UserKnownHostsFile DIR/negated", false);
    row("two files", "UserKnownHostsFile DIR/empty DIR/known", true);
    row("unknown key", "UserKnownHostsFile DIR/empty", false);
    row("accept-new", "UserKnownHostsFile DIR/fresh1\nStrictHostKeyChecking accept-new", true);
    row("no checking of new keys", "UserKnownHostsFile DIR/fresh2\nStrictHostKeyChecking no", true);
    row("strict", "UserKnownHostsFile DIR/empty\nStrictHostKeyChecking yes", false);
    row("IPv4", "AddressFamily inet", true);
    row("IPv6 alone", "AddressFamily inet6", false);
    row("another user", "User nobody-of-this-name", false);
    row("agent", "IdentityFile DIR/inagent\nIdentityAgent ${SLIPWAY_TEST_AGENT}", true);
    row("eight keys in the agent",
        "IdentitiesOnly no\nIdentityFile DIR/inagent\nIdentityAgent ${SLIPWAY_TEST_AGENT}", true);
    row("agent by the name of a variable", "IdentityAgent $SLIPWAY_TEST_AGENT", true);
    row("Match exec", "Match exec true\n  User nobody-of-this-name", false);
    row("Include", "Include DIR/included", false);
    row("a timeout", "ConnectTimeout 30", true);
    row("ProxyJump none", "ProxyJump none", true);
    row("ProxyCommand none", "ProxyCommand none", true);
    row("ProxyCommand with tokens", "ProxyCommand python3 DIR/relay.py %h %p %r %n", true);
    row("certificate authority behind a ProxyCommand",
        "UserKnownHostsFile DIR/authority\nProxyCommand python3 DIR/relay.py %h %p %r %n", true);
    row("another authority behind a ProxyCommand",
        "UserKnownHostsFile DIR/otherauthority\nProxyCommand python3 DIR/relay.py %h %p %r %n",
        false);
    row("certificate authority behind a jump host",
        "UserKnownHostsFile DIR/authority\nProxyJump gate\nHost gate\n"
        "HostName localhost\nUserKnownHostsFile DIR/authority",
        true);
    row("another authority behind a jump host",
        "UserKnownHostsFile DIR/otherauthority\nProxyJump gate\nHost gate\n"
        "HostName localhost\nUserKnownHostsFile DIR/authority",
        false);
    row("ProxyCommand with a percent sign", "ProxyCommand python3 DIR/relay.py %h %p %r %n 100%%",
        true);
    row("ProxyCommand with other tokens", "ProxyCommand python3 DIR/relay.py %n %p %r %h", false);
    row("ProxyCommand with a user that is wrong",
        "User nobody-of-this-name\nProxyCommand python3 DIR/relay.py %h %p %r %n", false);
    row("ProxyCommand with an unknown token", "ProxyCommand python3 DIR/relay.py %h %p %r %n %z",
        false);
    row("no passwords, refused key", "IdentityFile DIR/stranger\nPasswordAuthentication no", false);
    row("no passwords, good key", "PasswordAuthentication no", true);
    row("no dialogue, good key", "KbdInteractiveAuthentication no", true);
    row("no questions, good key", "NumberOfPasswordPrompts 0", true);
}

void TestOracle::alias_hasTheSameEnd()
{
    QFETCH(QByteArray, lines);
    QFETCH(bool, succeeds);
    write(QStringLiteral("included"), "PubkeyAuthentication no\n");
    write(QStringLiteral("config"), common(lines));
    const bool theirs = SshdFixture::runProgram(QStringLiteral("ssh"),
        {QStringLiteral("-F"), path(QStringLiteral("config")), QStringLiteral("-o"),
            QStringLiteral("BatchMode=yes"), QStringLiteral("alias"), QStringLiteral("true")});
    // What one of them adds, the other must not find.
    for (const char* fresh : {"fresh1", "fresh2"})
        QFile::remove(path(QString::fromLatin1(fresh)));
    ListPrompter prompter;
    prompter.acceptCommands = true;
    const auto shell = logIn(prompter);
    const QString why = shell.ok() ? QString() : shell.error().text();
    QVERIFY2(theirs == succeeds, "ssh itself ends otherwise than this row expects");
    QVERIFY2(shell.ok() == theirs, qPrintable(why));
    QVERIFY(shell.ok() || !why.isEmpty());
    ++m_alike;
}

void TestOracle::ignoredOptions_areSaid()
{
    write(QStringLiteral("config"), common("ForwardAgent yes\nLocalForward 1 localhost:2"));
    ListPrompter prompter;
    QVERIFY(logIn(prompter).ok());
    QCOMPARE(prompter.notices.size(), 1);
    QVERIFY2(prompter.notices.first().contains(QStringLiteral("forwardagent yes"))
            && prompter.notices.first().contains(QStringLiteral("localforward 1")),
        qPrintable(prompter.notices.first()));
}

void TestOracle::refusedKey_isFollowedByTheSameQuestions_data()
{
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<int>("questions");
    const auto row = [](const char* lines, int questions) {
        QTest::newRow(*lines ? lines : "nothing set") << QByteArray(lines) << questions;
    };
    row("", 3);
    row("PasswordAuthentication no", 0);
    row("NumberOfPasswordPrompts 1", 1);
    row("NumberOfPasswordPrompts 2", 2);
    row("NumberOfPasswordPrompts 0", 0);
    row("PreferredAuthentications publickey", 0);
    row("PreferredAuthentications password\nNumberOfPasswordPrompts 1", 1);
    row("PasswordAuthentication no\nNumberOfPasswordPrompts 2", 0);
}

void TestOracle::refusedKey_isFollowedByTheSameQuestions()
{
    QFETCH(QByteArray, lines);
    QFETCH(int, questions);
    SshdFixture sshd;
    QCOMPARE(
        sshd.start({QStringLiteral("Match all"), QStringLiteral("PasswordAuthentication yes")}),
        QString());
    write(QStringLiteral("config"), asking(lines, sshd.port()));
    QVERIFY(!sshIsLetIn("wrong"));
    QCOMPARE(int(bytes(QStringLiteral("asked")).count('\n')), questions);
    ListPrompter prompter;
    prompter.answers = QList<QStringList>(9, {QStringLiteral("wrong")});
    const auto shell = logIn(prompter);
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::Authentication);
    QCOMPARE(int(prompter.rounds.size()), questions);
}

void TestOracle::dialogue_isBegunAsOften_data()
{
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<int>("begun");
    QTest::addColumn<bool>("succeeds");
    const auto row = [](const char* name, const char* lines, const char* answer, int begun,
                         bool succeeds) {
        QTest::newRow(name) << QByteArray(lines) << QByteArray(answer) << begun << succeeds;
    };
    row("right", "", "sesame", 1, true);
    row("wrong", "", "wrong", 3, false);
    row("no dialogue", "KbdInteractiveAuthentication no", "sesame", 0, false);
    row("no dialogue, by its old name", "ChallengeResponseAuthentication no", "sesame", 0, false);
    row("no passwords", "PasswordAuthentication no", "sesame", 1, true);
    row("one question", "NumberOfPasswordPrompts 1", "wrong", 1, false);
    row("two questions", "NumberOfPasswordPrompts 2", "wrong", 2, false);
    row("no question", "NumberOfPasswordPrompts 0", "sesame", 0, false);
    row("keys alone", "PreferredAuthentications publickey,password", "sesame", 0, false);
}

/// At a server that accepts keyboard-interactive authentication alone.
void TestOracle::dialogue_isBegunAsOften()
{
    QFETCH(QByteArray, lines);
    QFETCH(QByteArray, answer);
    QFETCH(int, begun);
    QFETCH(bool, succeeds);
    Dialogue dialogue;
    dialogue.rounds = {{{}, {}, {{"Word: ", false, "sesame"}}}};
    const DialogueServer server(path({}), dialogue);
    QVERIFY(server.port() > 0);
    QFile::remove(path(QStringLiteral("asking")));
    write(QStringLiteral("config"), asking(lines, server.port()));
    QCOMPARE(sshIsLetIn(answer), succeeds);
    QCOMPARE(server.begun(), begun);
    ListPrompter prompter;
    prompter.answers = QList<QStringList>(9, {QString::fromLatin1(answer)});
    const auto shell = logIn(prompter);
    QVERIFY2(shell.ok() == succeeds, qPrintable(shell.ok() ? QString() : shell.error().text()));
    QCOMPARE(server.begun(), 2 * begun);
    QCOMPARE(int(prompter.rounds.size()), begun);
}

/// Notes whether the command had already run when it was asked about.
class WatchingPrompter : public ListPrompter {
public:
    explicit WatchingPrompter(const QString& mark)
        : m_mark(mark)
    {
    }
    QCoro::Task<bool> acceptCommand(CommandQuestion question) override
    {
        hasRunBefore = hasRunBefore || QFile::exists(m_mark);
        commands.append(question);
        co_return bool(acceptCommands);
    }

    bool hasRunBefore = false;

private:
    QString m_mark;
};

void TestOracle::knownHostsCommand_isShownBeforeItRuns()
{
    const QString mark = path(QStringLiteral("mark"));
    const QString command = QStringLiteral("/bin/sh %1 %p").arg(path(QStringLiteral("hosts.sh")));
    write(QStringLiteral("hosts.sh"),
        "touch '" + mark.toUtf8() + "'\ncat '" + path(QStringLiteral("known-")).toUtf8() + "'$1\n");
    write(QStringLiteral("config"),
        common("UserKnownHostsFile /dev/null\nKnownHostsCommand " + command.toUtf8()));
    QFile::remove(path(QStringLiteral("approved")));
    m_sshd.clearLog();
    WatchingPrompter prompter(mark);
    const auto refused = logIn(prompter);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::Refused);
    QVERIFY2(refused.error().text().contains(command), qPrintable(refused.error().text()));
    QVERIFY(!QFile::exists(mark));
    QVERIFY(!m_sshd.log().contains("userauth-request"));
    QVERIFY(prompter.keys.isEmpty());
    QCOMPARE(prompter.commands.size(), 1);
    QCOMPARE(prompter.commands[0].option, QStringLiteral("KnownHostsCommand"));
    QCOMPARE(prompter.commands[0].command, command);
    QCOMPARE(prompter.commands[0].host, QStringLiteral("alias"));
    prompter.acceptCommands = true;
    for (int time = 0; time < 2; ++time) {
        const auto shell = logIn(prompter);
        QVERIFY2(shell.ok(), qPrintable(shell.ok() ? QString() : shell.error().text()));
        QCOMPARE(prompter.commands.size(), 2); // once more: the second login knows it is allowed
    }
    QVERIFY(QFile::exists(mark));
    QVERIFY(!prompter.hasRunBefore);
}

void TestOracle::cleanupTestCase()
{
    if (m_alike >= 30)
        noteTarget("T6",
            QStringLiteral("%1 aliases of an SSH configuration: same success and same refusal as "
                           "ssh, revoked and changed keys among them")
                .arg(m_alike));
}

SLIPWAY_TEST(TestOracle, ssh_oracle)
#include "tst_oracle.moc"

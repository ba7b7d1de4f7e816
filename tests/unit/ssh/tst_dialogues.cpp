// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/sshconnector.h"
#include "tests/support/awaited.h"
#include "tests/support/dialogueserver.h"
#include "tests/support/heartbeat.h"
#include "tests/support/listprompter.h"
#include "tests/support/testmain.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;
using namespace std::chrono_literals;

namespace {

constexpr char refused[] = "refused the login";

DialogueRound promptRound(const QByteArray& text, const QByteArray& right, bool echo = false)
{
    return {{}, {}, {{text, echo, right}}};
}

DialogueRound textRound(const QByteArray& text)
{
    return {{}, text, {}};
}

} // namespace

/// The dialogues of reliability: rounds of every kind, factors in a row, and servers that say too
/// much or nothing.
class TestDialogues : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();

    void passwordThenCode_areAskedAsTheServerSentThem();
    void promptsOfOneRound_keepTheirEcho();
    void menuOfMethods_isShownWithItsInstruction();
    void keyThenCode_isTwoFactors();
    void twentyRounds_areAnswered();
    void endlessRounds_endWithAnError();
    void roundWithoutPrompts_saysWhatItWaitsFor();
    void refusedApproval_isNotAskedForAgainByItself();
    void refusedPassword_isAskedForAgain();
    void closedDialog_endsTheLogin();
    void hostileTexts_comeAsTheyAreAndBounded();
    void silenceAfterTheKeys_isATimeout();
    void silenceAtTheFirstCommand_isATimeout();

private:
    Result<std::shared_ptr<Shell>> login(
        const DialogueServer& server, Prompter& prompter, std::chrono::milliseconds step = 20s);

    QTemporaryDir m_folder;
    QString m_key;
};

void TestDialogues::initTestCase()
{
    qunsetenv("SSH_AUTH_SOCK");
    m_key = m_folder.filePath(QStringLiteral("key"));
    const int made = QProcess::execute(QStringLiteral("ssh-keygen"),
        {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
            QStringLiteral("-N"), QString(), QStringLiteral("-f"), m_key});
    QCOMPARE(made, 0);
}

Result<std::shared_ptr<Shell>> TestDialogues::login(
    const DialogueServer& server, Prompter& prompter, std::chrono::milliseconds step)
{
    SshConnector::Settings settings;
    settings.times.step = step;
    SshConnector connector(settings);
    const ConnectTarget target{QStringLiteral("127.0.0.1"), server.port(), QStringLiteral("ada"),
        m_key, m_folder.filePath(QStringLiteral("known_hosts")), false};
    return awaited(connector.connectTo(target, &prompter));
}

void TestDialogues::passwordThenCode_areAskedAsTheServerSentThem()
{
    const DialogueServer server(m_folder.path(),
        {{}, false, {promptRound("Password: ", "secret"), promptRound("Token code: ", "123456")}});
    ListPrompter prompter;
    prompter.accept = true;
    prompter.answers = {{QStringLiteral("secret")}, {QStringLiteral("123456")}};
    const auto shell = login(server, prompter);
    QVERIFY2(shell.ok(), shell.ok() ? "" : qPrintable(shell.error().text()));
    QCOMPARE(prompter.rounds.size(), 2);
    QCOMPARE(prompter.rounds[0].prompts[0].text, QStringLiteral("Password: "));
    QVERIFY(!prompter.rounds[0].prompts[0].echo);
    QCOMPARE(prompter.rounds[1].prompts[0].text, QStringLiteral("Token code: "));
    QCOMPARE(prompter.rounds[1].attempt, 1);
    QCOMPARE(server.answers(), (QByteArrayList{"secret", "123456"}));
    QCOMPARE(server.begun(), 1);
}

void TestDialogues::promptsOfOneRound_keepTheirEcho()
{
    const DialogueRound both{"Two factors", {}, {{"Login: ", true, "ada"}, {"PIN: ", false, "42"}}};
    const DialogueServer server(m_folder.path(), {{}, false, {both}});
    ListPrompter prompter;
    prompter.accept = true;
    prompter.answers = {{QStringLiteral("ada"), QStringLiteral("42")}};
    QVERIFY(login(server, prompter).ok());
    QCOMPARE(prompter.rounds.size(), 1);
    QCOMPARE(prompter.rounds[0].title, QStringLiteral("Two factors"));
    QVERIFY(prompter.rounds[0].prompts[0].echo);
    QVERIFY(!prompter.rounds[0].prompts[1].echo);
}

void TestDialogues::menuOfMethods_isShownWithItsInstruction()
{
    const QByteArray menu = "Duo two-factor login for ada\n\nEnter a passcode or select one of the "
                            "following options:\n\n 1. Duo Push to XXX-XXX-0123\n 2. Phone call";
    const DialogueRound choice{{}, menu, {{"Passcode or option (1-2): ", true, "1"}}};
    const DialogueServer server(m_folder.path(), {{}, false, {choice, textRound("Success.")}});
    ListPrompter prompter;
    prompter.accept = true;
    prompter.answers = {{QStringLiteral("1")}};
    QVERIFY(login(server, prompter).ok());
    QCOMPARE(prompter.rounds.size(), 1);
    QCOMPARE(prompter.rounds[0].instruction, QString::fromLatin1(menu));
    QCOMPARE(prompter.approvals, QStringList{QStringLiteral("Success.")});
}

void TestDialogues::keyThenCode_isTwoFactors()
{
    const DialogueServer server(
        m_folder.path(), {{}, true, {promptRound("Token code: ", "123456")}});
    ListPrompter prompter;
    prompter.accept = true;
    prompter.answers = {{QStringLiteral("123456")}};
    const auto shell = login(server, prompter);
    QVERIFY2(shell.ok(), shell.ok() ? "" : qPrintable(shell.error().text()));
    QCOMPARE(prompter.rounds.size(), 1);
    QCOMPARE(server.begun(), 1);
}

void TestDialogues::twentyRounds_areAnswered()
{
    Dialogue dialogue;
    ListPrompter prompter;
    prompter.accept = true;
    for (int i = 0; i < 20; ++i) {
        dialogue.rounds.push_back(promptRound("Next: ", QByteArray::number(i)));
        prompter.answers << QStringList{QString::number(i)};
    }
    const DialogueServer server(m_folder.path(), dialogue);
    QVERIFY(login(server, prompter).ok());
    QCOMPARE(prompter.rounds.size(), 20);
}

void TestDialogues::endlessRounds_endWithAnError()
{
    Dialogue dialogue;
    ListPrompter prompter;
    prompter.accept = true;
    for (int i = 0; i < 200; ++i) {
        dialogue.rounds.push_back(promptRound("Next: ", "x"));
        prompter.answers << QStringList{QStringLiteral("x")};
    }
    const DialogueServer server(m_folder.path(), dialogue);
    const auto shell = login(server, prompter);
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::Authentication);
    QVERIFY2(prompter.rounds.size() <= 40, qPrintable(QString::number(prompter.rounds.size())));
}

void TestDialogues::roundWithoutPrompts_saysWhatItWaitsFor()
{
    const DialogueRound push{"Duo", "Autopushing login request to phone…", {}};
    const DialogueServer server(m_folder.path(), {{}, false, {push, textRound({})}});
    ListPrompter prompter;
    prompter.accept = true;
    const auto shell = login(server, prompter);
    QVERIFY2(shell.ok(), shell.ok() ? "" : qPrintable(shell.error().text()));
    QVERIFY(prompter.rounds.isEmpty());
    QCOMPARE(prompter.approvals,
        QStringList{QStringLiteral("Duo\nAutopushing login request to phone…")});
}

void TestDialogues::refusedApproval_isNotAskedForAgainByItself()
{
    Dialogue dialogue;
    dialogue.rounds = {textRound("Pushed a request to your phone.")};
    dialogue.isRefused = true;
    const DialogueServer server(m_folder.path(), dialogue);
    ListPrompter prompter;
    prompter.accept = true;
    const auto shell = login(server, prompter);
    QVERIFY(!shell.ok());
    QVERIFY2(
        shell.error().summary.contains(QLatin1String(refused)), qPrintable(shell.error().summary));
    QCOMPARE(server.begun(), 1);
}

void TestDialogues::refusedPassword_isAskedForAgain()
{
    const DialogueServer server(m_folder.path(), {{}, false, {promptRound("Password: ", "right")}});
    ListPrompter prompter;
    prompter.accept = true;
    prompter.answers = {{QStringLiteral("wrong")}, {QStringLiteral("right")}};
    QVERIFY(login(server, prompter).ok());
    QCOMPARE(prompter.rounds.size(), 2);
    QCOMPARE(prompter.rounds[1].attempt, 2);
    QCOMPARE(server.begun(), 2);
}

void TestDialogues::closedDialog_endsTheLogin()
{
    const DialogueServer server(m_folder.path(), {{}, false, {promptRound("Password: ", "right")}});
    ListPrompter prompter;
    prompter.accept = true;
    const auto shell = login(server, prompter);
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::Cancelled);
    QCOMPARE(server.begun(), 1);
}

/// What is shown is cleaned where it is shown; here it is only bounded.
void TestDialogues::hostileTexts_comeAsTheyAreAndBounded()
{
    const QByteArray hostile = "<b>bold</b> \x1b]0;title\x07 \xe2\x80\xae";
    Dialogue dialogue;
    dialogue.banner = QByteArray(200'000, 'b');
    dialogue.rounds = {textRound(QByteArray(200'000, 'i')), {{}, hostile, {{hostile, false, "x"}}}};
    const DialogueServer server(m_folder.path(), dialogue);
    ListPrompter prompter;
    prompter.accept = true;
    prompter.answers = {{QStringLiteral("x")}};
    const auto shell = login(server, prompter);
    QVERIFY2(shell.ok(), shell.ok() ? "" : qPrintable(shell.error().text()));
    QCOMPARE(prompter.banners.size(), 1);
    QCOMPARE(prompter.banners[0].size(), 65'536);
    QCOMPARE(prompter.approvals[0].size(), 2000);
    QCOMPARE(prompter.rounds[0].instruction, QString::fromUtf8(hostile));
}

void TestDialogues::silenceAfterTheKeys_isATimeout()
{
    Dialogue dialogue;
    dialogue.staysSilent = true;
    const DialogueServer server(m_folder.path(), dialogue);
    ListPrompter prompter;
    prompter.accept = true;
    const Heartbeat heartbeat;
    const auto shell = login(server, prompter, 500ms);
    QVERIFY(!shell.ok());
    QCOMPARE(shell.error().kind, ErrorKind::Timeout);
    QVERIFY(shell.error().summary.contains(u"127.0.0.1"));
    QVERIFY2(heartbeat.worst() < 300, qPrintable(QString::number(heartbeat.worst())));
}

void TestDialogues::silenceAtTheFirstCommand_isATimeout()
{
    Dialogue dialogue;
    dialogue.rounds = {promptRound("Password: ", "right")};
    dialogue.opensNoChannel = true;
    const DialogueServer server(m_folder.path(), dialogue);
    ListPrompter prompter;
    prompter.accept = true;
    prompter.answers = {{QStringLiteral("right")}};
    const auto shell = login(server, prompter, 5s); // for the login as well
    QVERIFY2(shell.ok(), shell.ok() ? "" : qPrintable(shell.error().text()));
    const Heartbeat heartbeat;
    const auto done = awaited((*shell)->run("true"));
    QVERIFY(!done.ok());
    QCOMPARE(done.error().kind, ErrorKind::Timeout);
    QVERIFY2(done.error().summary.contains(u"for a session"), qPrintable(done.error().summary));
    QVERIFY2(heartbeat.worst() < 300, qPrintable(QString::number(heartbeat.worst())));
}

SLIPWAY_TEST(TestDialogues, ssh_dialogues)
#include "tst_dialogues.moc"

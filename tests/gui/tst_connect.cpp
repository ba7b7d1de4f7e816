// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/secrets/loginpasswords.h"
#include "rig.h"
#include "tests/support/targets.h"
#include "tests/support/testmain.h"
#include "ui/connect/connectdialog.h"
#include "ui/connect/connectflow.h"
#include "ui/connect/hostkeypage.h"
#include "ui/parts/words.h"

#include <QCheckBox>
#include <QCoroTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

using ShellResult = Result<std::shared_ptr<Shell>>;

/// A login as the person lives it, with a connector that plays the server.
class TestConnect : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void rounds_reachThePersonVerbatim();
    void hostKey_isShownAndNotAcceptedByDefault();
    void hostKey_refused_endsTheLogin();
    void changedHostKey_isAHardStop();
    void failure_showsTheRemedyAndTriesAgain();
    void cancel_endsTheLogin();
    void command_isShownAndNotRunByDefault();
    void silentConnection_isSaid();
    void lostConnection_isTriedAgainByItself();
    void lostConnection_waitsForThePersonWhoGaveACode();
    void password_isKeptIfThePersonTicksTheBox();
    void forgetCommand_isFound();

private:
    ConnectDialog* open(Rig& rig);
    template <typename T> T* shown(ConnectDialog* dialog, const char* name)
    {
        T* found = dialog->findChild<T*>(QString::fromLatin1(name));
        return found && found->isVisible() ? found : nullptr;
    }
    /// All that can be read there.
    static QString words(const QWidget* part)
    {
        QStringList texts;
        for (const QLabel* label : part->findChildren<QLabel*>()) {
            if (label->isVisible()) {
                texts << label->text();
            }
        }
        return texts.join(u'\n');
    }
};

ConnectDialog* TestConnect::open(Rig& rig)
{
    rig.start();
    rig.window().connectFlow()->connectTo(u"kestrel"_s);
    ConnectDialog* dialog = rig.window().connectFlow()->dialog();
    dialog->findChild<QLineEdit*>(u"userName"_s)->setText(u"ada"_s);
    QTest::mouseClick(dialog->findChild<QPushButton*>(u"startConnect"_s), Qt::LeftButton);
    return dialog;
}

void TestConnect::rounds_reachThePersonVerbatim()
{
    Rig rig;
    QStringList said;
    QString user;
    rig.connector().login = [&](ConnectTarget target,
                                Prompter* prompter) -> QCoro::Task<ShellResult> {
        user = target.user;
        prompter->showBanner(u"<b>Authorised use only</b>\nBe kind."_s);
        PromptRound first{PromptRound::Kind::KeyboardInteractive, u"kestrel"_s, u"ada"_s, {}, {},
            u"Type <both>:"_s, {{u"Password: "_s, false}, {u"Menu <img src=x> 1-3: "_s, true}}, 1};
        const auto one = co_await prompter->answer(first);
        said << one.value_or(QStringList());
        PromptRound second{PromptRound::Kind::KeyboardInteractive, u"kestrel"_s, u"ada"_s, {}, {},
            {}, {{u"Token code: "_s, false}}, 2};
        const auto two = co_await prompter->answer(second);
        said << two.value_or(QStringList());
        std::shared_ptr<Shell> shell = StubConnector::slurmShell();
        co_return shell;
    };
    const QPointer<ConnectDialog> dialog = open(rig);
    QTRY_VERIFY(shown<QLineEdit>(dialog, "answer1"));
    QCOMPARE(user, u"ada"_s);
    QCOMPARE(shown<QPlainTextEdit>(dialog, "banner")->toPlainText(),
        u"<b>Authorised use only</b>\nBe kind."_s);
    QCOMPARE(shown<QLabel>(dialog, "instruction")->text(), u"Type <both>:"_s);
    QVERIFY2(words(dialog).contains(u"Log in to kestrel as ada"_s), qPrintable(words(dialog)));
    auto* password = shown<QLineEdit>(dialog, "answer0");
    auto* menu = shown<QLineEdit>(dialog, "answer1");
    QCOMPARE(password->echoMode(), QLineEdit::Password);
    QCOMPARE(menu->echoMode(), QLineEdit::Normal);
    QCOMPARE(menu->accessibleName(), u"Menu <img src=x> 1-3: "_s);
    for (QLabel* label : dialog->findChildren<QLabel*>()) {
        QCOMPARE(label->textFormat(), Qt::PlainText);
    }
    QVERIFY(!shown<QLabel>(dialog, "refused"));
    QTest::keyClicks(password, u"secret"_s);
    QTest::keyClick(password, Qt::Key_Return); // to the next field
    QTest::keyClicks(menu, u"1"_s);
    QTest::keyClick(menu, Qt::Key_Return);
    QTRY_VERIFY(shown<QLabel>(dialog, "refused")); // attempt 2
    QVERIFY(!shown<QLineEdit>(dialog, "answer1"));
    QTest::keyClicks(shown<QLineEdit>(dialog, "answer0"), u"424242"_s);
    QTest::keyClick(shown<QLineEdit>(dialog, "answer0"), Qt::Key_Return);
    QTRY_COMPARE(
        rig.engine().sessions()->connection(u"kestrel"_s).phase, ConnectionState::Phase::Connected);
    QCOMPARE(said, (QStringList{u"secret"_s, u"1"_s, u"424242"_s}));
    const auto* card = rig.window().findChild<QWidget*>(u"connectionCard"_s);
    QTRY_VERIFY(card->accessibleDescription().contains(u"Calls to the scheduler"_s));
    // When it was asked is written there; how often is in the tool tip.
    const auto updated = [card]() -> const QLabel* {
        for (const QLabel* label : card->findChildren<QLabel*>()) {
            if (label->isVisible() && label->text().startsWith(u"updated "_s)) {
                return label;
            }
        }
        return nullptr;
    };
    QTRY_VERIFY(updated());
    QVERIFY2(!words(card).contains(u"alls"_s), qPrintable(words(card)));
    QVERIFY2(updated()->toolTip().contains(u"Calls to the scheduler in the last minute: "_s),
        qPrintable(updated()->toolTip()));
    QTRY_VERIFY(!dialog);
}

void TestConnect::hostKey_isShownAndNotAcceptedByDefault()
{
    Rig rig;
    std::optional<bool> accepted;
    rig.connector().login = [&](ConnectTarget, Prompter* prompter) -> QCoro::Task<ShellResult> {
        HostKeyQuestion question{u"kestrel.hpc.nrel.gov"_s, 22, u"ssh-ed25519"_s,
            u"SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"_s};
        const bool yes = co_await prompter->acceptHostKey(question);
        accepted = yes;
        std::shared_ptr<Shell> shell = StubConnector::slurmShell();
        co_return shell;
    };
    const QPointer<ConnectDialog> dialog = open(rig);
    QTRY_VERIFY(shown<QLabel>(dialog, "fingerprint"));
    auto* fingerprint = shown<QLabel>(dialog, "fingerprint");
    QCOMPARE(QString(fingerprint->text()).remove(u' ').remove(u'\n'),
        u"SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"_s);
    QVERIFY(fingerprint->font().pointSizeF() >= 14);
    QVERIFY2(words(dialog).contains(
                 u"If it differs, stop: someone may be intercepting the connection."_s),
        qPrintable(words(dialog)));
    QTest::keyClick(dialog, Qt::Key_Return); // Enter alone accepts nothing
    QTest::qWait(30);
    QVERIFY(accepted != std::optional(true));
    QVERIFY(shown<QPushButton>(dialog, "acceptKey")
        && !shown<QPushButton>(dialog, "acceptKey")->isDefault());
    QTest::mouseClick(shown<QPushButton>(dialog, "acceptKey"), Qt::LeftButton);
    QTRY_COMPARE(accepted, std::optional(true));
    QTRY_VERIFY(!dialog);
}

void TestConnect::hostKey_refused_endsTheLogin()
{
    Rig rig;
    rig.connector().login = [&](ConnectTarget, Prompter* prompter) -> QCoro::Task<ShellResult> {
        HostKeyQuestion question{u"kestrel"_s, 2222, u"ssh-rsa"_s, u"SHA256:abc"_s};
        const bool yes = co_await prompter->acceptHostKey(question);
        co_return Error{ErrorKind::HostKey, yes ? u"accepted"_s : u"not accepted"_s};
    };
    const QPointer<ConnectDialog> dialog = open(rig);
    QTRY_VERIFY(shown<QPushButton>(dialog, "stopKey"));
    QTest::mouseClick(shown<QPushButton>(dialog, "stopKey"), Qt::LeftButton);
    QTRY_VERIFY(!dialog);
    QCOMPARE(rig.engine().sessions()->connection(u"kestrel"_s).phase,
        ConnectionState::Phase::Disconnected);
}

void TestConnect::changedHostKey_isAHardStop()
{
    Rig rig;
    rig.connector().login = [&](ConnectTarget, Prompter*) -> QCoro::Task<ShellResult> {
        co_return Error{ErrorKind::HostKey, u"The host key of kestrel has changed."_s,
            u"If its staff confirm the new key, forget the old one: ssh-keygen -R kestrel"_s,
            "new key: SHA256:zzz"};
    };
    const QPointer<ConnectDialog> dialog = open(rig);
    QTRY_VERIFY(shown<QLabel>(dialog, "forgetCommand"));
    QCOMPARE(shown<QLabel>(dialog, "forgetCommand")->text(), u"ssh-keygen -R kestrel"_s);
    for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
        if (button->isVisible()) {
            QVERIFY2(!button->text().contains(u"ccept"_s) && !button->text().contains(u"again"_s),
                qPrintable(button->text()));
        }
    }
    QTest::mouseClick(shown<QPushButton>(dialog, "closeConnect"), Qt::LeftButton);
    QTRY_VERIFY(!dialog);
}

void TestConnect::failure_showsTheRemedyAndTriesAgain()
{
    Rig rig;
    rig.connector().login = [&](ConnectTarget, Prompter*) -> QCoro::Task<ShellResult> {
        co_return Error{
            ErrorKind::Network, u"No answer from kestrel."_s, u"Is the VPN on?"_s, "errno 110"};
    };
    const QPointer<ConnectDialog> dialog = open(rig);
    QTRY_VERIFY(shown<QLabel>(dialog, "errorSummary"));
    QCOMPARE(shown<QLabel>(dialog, "errorSummary")->text(), u"No answer from kestrel."_s);
    QVERIFY(!shown<QPlainTextEdit>(dialog, "errorRaw")); // folded
    const auto buttons = dialog->findChildren<QPushButton*>();
    const auto again = std::find_if(buttons.begin(), buttons.end(),
        [](QPushButton* one) { return one->isVisible() && one->text() == u"Try again"_s; });
    QVERIFY(again != buttons.end());
    QTest::mouseClick(*again, Qt::LeftButton);
    QTRY_VERIFY(shown<QLineEdit>(dialog, "userName"));
    dialog->reject();
    QTRY_VERIFY(!dialog);
}

void TestConnect::cancel_endsTheLogin()
{
    Rig rig;
    bool gaveUp = false;
    rig.connector().login = [&](ConnectTarget, Prompter* prompter) -> QCoro::Task<ShellResult> {
        PromptRound round{PromptRound::Kind::Password, u"kestrel"_s, u"ada"_s, {}, {}, {},
            {{u"Password:"_s, false}}, 1};
        const auto answers = co_await prompter->answer(round);
        gaveUp = !answers;
        co_return Error{ErrorKind::Cancelled, u"given up"_s};
    };
    const QPointer<ConnectDialog> dialog = open(rig);
    QTRY_VERIFY(shown<QLineEdit>(dialog, "answer0"));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!dialog);
    QTRY_VERIFY(gaveUp);
    QCOMPARE(rig.engine().sessions()->connection(u"kestrel"_s).phase,
        ConnectionState::Phase::Disconnected);
}

void TestConnect::command_isShownAndNotRunByDefault()
{
    Rig rig;
    bool ran = false;
    rig.connector().login = [&ran](ConnectTarget, Prompter* prompter) -> QCoro::Task<ShellResult> {
        const CommandQuestion question{
            u"kestrel"_s, u"ProxyCommand"_s, u"nc <b>gate</b> 22; rm -rf ~"_s};
        prompter->showNotice(u"Logging in to the jump host gate (1 of 1)."_s);
        const bool yes = co_await prompter->acceptCommand(question);
        ran |= yes;
        co_return Error{ErrorKind::Refused, u"The ProxyCommand was not run."_s};
    };
    QPointer<ConnectDialog> dialog(open(rig));
    QTRY_VERIFY(shown<QLabel>(dialog, "localCommand"));
    auto* command = shown<QLabel>(dialog, "localCommand");
    QCOMPARE(command->text(), u"nc <b>gate</b> 22; rm -rf ~"_s);
    QCOMPARE(command->textFormat(), Qt::PlainText);
    QVERIFY(words(dialog).contains(u"kestrel with a ProxyCommand"_s));
    auto* refuse = shown<QPushButton>(dialog, "refuseCommand");
    QTRY_VERIFY(refuse->hasFocus()); // the default does not run it
    QTest::keyClick(refuse, Qt::Key_Space);
    QTRY_VERIFY(words(dialog).contains(u"was not run"_s));
    QVERIFY(!ran);
}

void TestConnect::silentConnection_isSaid()
{
    Rig rig;
    const auto shell = StubConnector::slurmShell();
    rig.connector().shell = shell;
    rig.start();
    rig.connectTo(u"kestrel"_s);
    auto* sessions = rig.engine().sessions();
    const auto* card = rig.window().findChild<QWidget*>(u"connectionCard"_s);
    emit shell->linkStateChanged(LinkState::Stalled);
    const ConnectionState state = sessions->connection(u"kestrel"_s);
    QCOMPARE(state.phase, ConnectionState::Phase::Stalled);
    QVERIFY2(state.sentence.contains(u"no answer from"_s), qPrintable(state.sentence));
    QTRY_VERIFY2(words(card).contains(state.sentence), qPrintable(words(card)));
    const StateWord word = stateWord(state.phase);
    QCOMPARE(word.word, u"not responding"_s);
    QCOMPARE(word.tint, Tint::Warning);
    emit shell->linkStateChanged(LinkState::Up);
    QCOMPARE(sessions->connection(u"kestrel"_s).phase, ConnectionState::Phase::Connected);
    QTRY_VERIFY2(words(card).contains(u"connected as"_s), qPrintable(words(card)));
}

void TestConnect::lostConnection_isTriedAgainByItself()
{
    Rig rig;
    auto first = StubConnector::slurmShell();
    rig.connector().shell = first;
    rig.start();
    rig.connectTo(u"kestrel"_s);
    auto* sessions = rig.engine().sessions();
    rig.connector().shell = nullptr;
    rig.connector().login = [](ConnectTarget, Prompter*) -> QCoro::Task<ShellResult> {
        co_return Error{ErrorKind::Network, u"kestrel could not be reached."_s};
    };
    const int before = rig.connector().calls;
    QSignalSpy connected(sessions, &Sessions::connected);
    first->loseLink();
    QCOMPARE(sessions->connection(u"kestrel"_s).phase, ConnectionState::Phase::Reconnecting);
    const auto* card = rig.window().findChild<QWidget*>(u"connectionCard"_s);
    QTRY_VERIFY2(words(card).contains(u"reconnecting in 1 s"_s), qPrintable(words(card)));
    QTRY_VERIFY(rig.connector().calls >= before + 2); // after 1 s, and 2 s after that
    QCOMPARE(sessions->connection(u"kestrel"_s).phase, ConnectionState::Phase::Reconnecting);
    rig.connector().login = {};
    auto* again = rig.window().findChild<QPushButton*>(u"connectAgain"_s);
    QTRY_VERIFY(again->isVisible());
    QCOMPARE(again->text(), u"Connect now"_s);
    QTest::mouseClick(again, Qt::LeftButton);
    QTRY_COMPARE(sessions->connection(u"kestrel"_s).phase, ConnectionState::Phase::Connected);
    QCOMPARE(connected.count(), 1);
    QTRY_VERIFY(!again->isVisible());
}

void TestConnect::lostConnection_waitsForThePersonWhoGaveACode()
{
    Rig rig;
    auto first = StubConnector::slurmShell();
    rig.connector().login = [&first](
                                ConnectTarget, Prompter* prompter) -> QCoro::Task<ShellResult> {
        PromptRound round;
        round.host = u"kestrel"_s;
        round.prompts = {{u"Token code: "_s, false}};
        const auto answers = co_await prompter->answer(round);
        if (!answers)
            co_return Error{ErrorKind::Cancelled, u"no answer"_s};
        co_return std::shared_ptr<Shell>(first);
    };
    QPointer<ConnectDialog> dialog(open(rig));
    QTRY_VERIFY(shown<QLineEdit>(dialog, "answer0"));
    QTest::keyClicks(shown<QLineEdit>(dialog, "answer0"), u"123456"_s);
    QTest::keyClick(shown<QLineEdit>(dialog, "answer0"), Qt::Key_Return);
    auto* sessions = rig.engine().sessions();
    QTRY_COMPARE(sessions->connection(u"kestrel"_s).phase, ConnectionState::Phase::Connected);
    const int calls = rig.connector().calls;
    first->loseLink();
    QCOMPARE(sessions->connection(u"kestrel"_s).phase, ConnectionState::Phase::NeedsUser);
    auto* again = rig.window().findChild<QPushButton*>(u"connectAgain"_s);
    QTRY_VERIFY(again->isVisible());
    QCOMPARE(again->text(), u"Connect…"_s);
    QTest::qWait(2500); // longer than the first pause
    QCOMPARE(rig.connector().calls, calls);
    noteTarget("T5",
        u"one code asked; after the connection was lost 0 attempts, and the person is asked again"_s);
    QTest::mouseClick(again, Qt::LeftButton);
    QVERIFY(rig.window().connectFlow()->dialog());
}

/// And a lost connection then comes back by itself, because nobody needs to be asked.
void TestConnect::password_isKeptIfThePersonTicksTheBox()
{
    Rig rig;
    auto first = StubConnector::slurmShell();
    QList<QStringList> said;
    rig.connector().login = [&](ConnectTarget, Prompter* prompter) -> QCoro::Task<ShellResult> {
        PromptRound round;
        round.kind = PromptRound::Kind::KeyboardInteractive;
        round.host = u"kestrel"_s;
        round.user = u"ada"_s;
        round.prompts = {{u"Password: "_s, false}};
        const auto answers = co_await prompter->answer(round);
        if (!answers)
            co_return Error{ErrorKind::Cancelled, u"no answer"_s};
        said << *answers;
        co_return std::shared_ptr<Shell>(std::exchange(first, StubConnector::slurmShell()));
    };
    const auto live = first;
    QPointer<ConnectDialog> dialog(open(rig));
    QTRY_VERIFY(shown<QCheckBox>(dialog, "keepAnswer"));
    auto* keep = shown<QCheckBox>(dialog, "keepAnswer");
    QVERIFY(!keep->isChecked()); // only if asked
    QTest::keyClick(keep, Qt::Key_Space);
    QTest::keyClicks(shown<QLineEdit>(dialog, "answer0"), u"sesame"_s);
    QTest::keyClick(shown<QLineEdit>(dialog, "answer0"), Qt::Key_Return);
    auto* sessions = rig.engine().sessions();
    QTRY_COMPARE(sessions->connection(u"kestrel"_s).phase, ConnectionState::Phase::Connected);
    QTRY_COMPARE(
        LoginPasswords(rig.engine().secrets()).names(), QStringList{u"login:ada@kestrel"_s});
    live->loseLink();
    QCOMPARE(sessions->connection(u"kestrel"_s).phase, ConnectionState::Phase::Reconnecting);
    QTRY_COMPARE(sessions->connection(u"kestrel"_s).phase, ConnectionState::Phase::Connected);
    QCOMPARE(said, (QList<QStringList>{{u"sesame"_s}, {u"sesame"_s}}));
}

void TestConnect::forgetCommand_isFound()
{
    const Error error{
        ErrorKind::HostKey, {}, u"Run: ssh-keygen -f '/home/a b/known_hosts' -R '[h]:22'"_s};
    QCOMPARE(forgetCommand(error), u"ssh-keygen -f '/home/a b/known_hosts' -R '[h]:22'"_s);
    QCOMPARE(forgetCommand({ErrorKind::HostKey, {}, u"Ask."_s}), QString());
}

SLIPWAY_GUI_TEST(TestConnect, gui_connect)
#include "tst_connect.moc"

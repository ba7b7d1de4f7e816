// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/secrets/keepingprompter.h"
#include "tests/support/awaited.h"
#include "tests/support/listprompter.h"
#include "tests/support/memorykeychain.h"
#include "tests/support/testmain.h"

#include <QTemporaryDir>
#include <QTest>

using namespace slipway;
using Kind = PromptRound::Kind;

namespace {

/// A person who ticks the box, or does not.
class TickingPrompter : public ListPrompter {
public:
    bool keepsAnswer() const override { return ticks; }
    bool ticks = false;
};

PromptRound roundOf(Kind kind, const QString& prompt, const QString& instruction = {})
{
    PromptRound round;
    round.kind = kind;
    round.host = QStringLiteral("login.example.org");
    round.user = QStringLiteral("demo");
    round.instruction = instruction;
    round.prompts = {{prompt, false}};
    return round;
}

const QString loginName = QStringLiteral("login:demo@login.example.org");

} // namespace

/// Passwords of logins in the keychain: which rounds may be answered from it, and when it is
/// written.
class TestLoginPasswords : public QObject {
    Q_OBJECT

private slots:
    void init();
    void rounds_thatMayBeKept_data();
    void rounds_thatMayBeKept();
    void names_areThoseOfLogins_data();
    void names_areThoseOfLogins();
    void password_isKeptOnlyIfAsked_data();
    void password_isKeptOnlyIfAsked();
    void keptPassword_answersOnceAndTheCodeIsAsked();
    void refusedPassword_isNotSentAgain();
    void secondLogin_withTheSamePromptAsksThePerson();
    void brokenKeychain_asksThePerson();
    void otherSecrets_areNotListed();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<MemoryKeychain::Table> m_table;
    std::unique_ptr<SecretStore> m_store;
};

void TestLoginPasswords::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_table = std::make_shared<MemoryKeychain::Table>();
    m_store = std::make_unique<SecretStore>(m_folder->filePath(QStringLiteral("config")));
    m_store->setKeychain(std::make_unique<MemoryKeychain>(m_table));
}

void TestLoginPasswords::rounds_thatMayBeKept_data()
{
    QTest::addColumn<PromptRound>("round");
    QTest::addColumn<QString>("name");
    const auto row = [](const char* name, const PromptRound& round, const QString& kept = {}) {
        QTest::newRow(name) << round << kept;
    };
    const auto asked = [](const char* prompt, const char* instruction = "") {
        return roundOf(
            Kind::KeyboardInteractive, QString::fromUtf8(prompt), QString::fromUtf8(instruction));
    };
    row("the method password", roundOf(Kind::Password, QStringLiteral("Password:")), loginName);
    row("PAM", asked("Password: "), loginName);
    row("PAM, with the names", asked("(demo@login) Password for demo@login:"), loginName);
    row("TACC's token code", asked("TACC Token Code:"));
    row("NREL's password with a code", asked("Password+OTP:"));
    row("a passcode", asked("Enter PASSCODE:"));
    row("Duo's menu", asked("Passcode or option (1-3): ", "Duo two-factor login for demo"));
    row("a password field below Duo's text", asked("Password:", "Duo two-factor login for demo"));
    row("OATH", asked("One-time password (OATH) for `demo': "));
    row("a code by mail", asked("Verification code: "));
    row("a text that asks for both",
        asked("Password:", "Enter your password followed by your 6-digit PIN"));
    row("an empty prompt", asked(""));
    PromptRound two = asked("Password:");
    two.prompts.push_back({QStringLiteral("Password again:"), false});
    row("two fields", two);
    PromptRound shown = asked("Password:");
    shown.prompts.front().echo = true;
    row("what is typed is shown", shown);
    PromptRound nobody = asked("Password:");
    nobody.user.clear();
    row("no user name", nobody);
    PromptRound key = roundOf(Kind::Passphrase, QStringLiteral("Passphrase:"));
    key.keyFile = QStringLiteral("/home/demo/.ssh/id ed");
    row("a passphrase", key, QStringLiteral("passphrase:/home/demo/.ssh/id ed"));
    key.keyFile = QStringLiteral("/home/x\ny");
    row("a key with a line break in its name", key);
}

void TestLoginPasswords::rounds_thatMayBeKept()
{
    QFETCH(PromptRound, round);
    QTEST(LoginPasswords::nameFor(round), "name");
}

void TestLoginPasswords::names_areThoseOfLogins_data()
{
    QTest::addColumn<bool>("is");
    for (const char* name : {"login:demo@host", "login:d.e@[::1]", "passphrase:/a b"})
        QTest::newRow(name) << true;
    for (const char* name : {"", "HF_TOKEN", "registry:nvcr.io", "login:", "login:demo",
             "login:@host", "login:a b@host", "login:a@b\n", "passphrase:", "passphrase:id"})
        QTest::newRow(name) << false;
}

void TestLoginPasswords::names_areThoseOfLogins()
{
    QTEST(LoginPasswords::isName(QString::fromUtf8(QTest::currentDataTag())), "is");
}

void TestLoginPasswords::password_isKeptOnlyIfAsked_data()
{
    QTest::addColumn<bool>("ticks");
    QTest::newRow("asked") << true;
    QTest::newRow("not asked") << false;
}

void TestLoginPasswords::password_isKeptOnlyIfAsked()
{
    QFETCH(bool, ticks);
    TickingPrompter person;
    person.ticks = ticks;
    person.answers = {{QStringLiteral("sesame")}, {QStringLiteral("123456")}};
    KeepingPrompter keeping(&person, m_store.get());
    QCOMPARE(awaited(keeping.answer(roundOf(Kind::Password, QStringLiteral("Password:")))),
        QStringList{QStringLiteral("sesame")});
    QVERIFY(person.rounds.last().mayBeKept);
    QCOMPARE(
        awaited(keeping.answer(roundOf(Kind::KeyboardInteractive, QStringLiteral("Token code:")))),
        QStringList{QStringLiteral("123456")});
    QVERIFY(!person.rounds.last().mayBeKept);
    QVERIFY(m_table->values.isEmpty()); // the login has not succeeded yet
    const auto done = awaited(KeepingPrompter::keep(m_store.get(), keeping.takeAnswers()));
    QVERIFY2(done.ok(), done.ok() ? "" : qPrintable(done.error().text()));
    QCOMPARE(m_table->values.value(loginName), ticks ? QByteArray("sesame") : QByteArray());
    QCOMPARE(m_table->values.size(), ticks ? 1 : 0);
    QCOMPARE(LoginPasswords(m_store.get()).names(), ticks ? QStringList{loginName} : QStringList());
}

void TestLoginPasswords::keptPassword_answersOnceAndTheCodeIsAsked()
{
    QVERIFY(awaited(LoginPasswords(m_store.get()).keep(loginName, QStringLiteral("sesame"))).ok());
    TickingPrompter person;
    person.answers = {{QStringLiteral("123456")}};
    KeepingPrompter keeping(&person, m_store.get());
    QCOMPARE(
        awaited(keeping.answer(roundOf(Kind::KeyboardInteractive, QStringLiteral("Password: ")))),
        QStringList{QStringLiteral("sesame")});
    QCOMPARE(person.rounds.size(), 0);
    QCOMPARE(person.notices.size(), 1);
    QVERIFY(person.notices.first().contains(u"keychain"));
    QCOMPARE(
        awaited(keeping.answer(roundOf(Kind::KeyboardInteractive, QStringLiteral("Token code:")))),
        QStringList{QStringLiteral("123456")});
    QCOMPARE(person.rounds.size(), 1);
    QVERIFY(keeping.takeAnswers().isEmpty());
}

void TestLoginPasswords::refusedPassword_isNotSentAgain()
{
    QVERIFY(awaited(LoginPasswords(m_store.get()).keep(loginName, QStringLiteral("old"))).ok());
    TickingPrompter person;
    person.ticks = true;
    person.answers = {{QStringLiteral("new")}};
    KeepingPrompter keeping(&person, m_store.get());
    PromptRound round = roundOf(Kind::Password, QStringLiteral("Password:"));
    QCOMPARE(awaited(keeping.answer(round)), QStringList{QStringLiteral("old")});
    round.attempt = 2;
    QCOMPARE(awaited(keeping.answer(round)), QStringList{QStringLiteral("new")});
    QVERIFY(person.rounds.last().mayBeKept);
    QVERIFY(awaited(KeepingPrompter::keep(m_store.get(), keeping.takeAnswers())).ok());
    QCOMPARE(m_table->values.value(loginName), QByteArray("new"));
}

void TestLoginPasswords::secondLogin_withTheSamePromptAsksThePerson()
{
    QVERIFY(awaited(LoginPasswords(m_store.get()).keep(loginName, QStringLiteral("sesame"))).ok());
    TickingPrompter person;
    KeepingPrompter keeping(&person, m_store.get());
    const PromptRound round = roundOf(Kind::KeyboardInteractive, QStringLiteral("Password: "));
    QCOMPARE(awaited(keeping.answer(round)), QStringList{QStringLiteral("sesame")});
    // A server that asks the same again, without calling it a refusal, gets no second copy by
    // itself.
    QVERIFY(!awaited(keeping.answer(round)));
    QCOMPARE(person.rounds.size(), 1);
}

void TestLoginPasswords::brokenKeychain_asksThePerson()
{
    QVERIFY(awaited(LoginPasswords(m_store.get()).keep(loginName, QStringLiteral("sesame"))).ok());
    m_table->refusal = Error{ErrorKind::Unsupported, QStringLiteral("It is locked.")};
    TickingPrompter person;
    person.answers = {{QStringLiteral("typed")}};
    KeepingPrompter keeping(&person, m_store.get());
    QCOMPARE(awaited(keeping.answer(roundOf(Kind::Password, QStringLiteral("Password:")))),
        QStringList{QStringLiteral("typed")});
    QVERIFY(person.notices.value(0).contains(u"It is locked."));
}

void TestLoginPasswords::otherSecrets_areNotListed()
{
    QVERIFY(awaited(m_store->keep(QStringLiteral("HF_TOKEN"), "hf")).ok());
    QVERIFY(awaited(LoginPasswords(m_store.get()).keep(loginName, QStringLiteral("sesame"))).ok());
    QCOMPARE(m_store->names(), QStringList{QStringLiteral("HF_TOKEN")});
    QCOMPARE(LoginPasswords(m_store.get()).names(), QStringList{loginName});
    QVERIFY(awaited(LoginPasswords(m_store.get()).forget(loginName)).ok());
    QVERIFY(!m_table->values.contains(loginName));
    QCOMPARE(int(awaited(LoginPasswords(m_store.get()).forget(loginName)).error().kind),
        int(ErrorKind::NotFound));
}

SLIPWAY_TEST(TestLoginPasswords, secrets_logins)
#include "tst_loginpasswords.moc"

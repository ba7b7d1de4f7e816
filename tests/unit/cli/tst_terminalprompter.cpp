// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/output.h"
#include "app/cli/terminalprompter.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

#include <fcntl.h>
#include <unistd.h>

using namespace slipway;

/// What a server's texts may make the terminal do: nothing but show them.
class TestTerminalPrompter : public QObject {
    Q_OBJECT

private slots:
    void hostileText_isHarmlessAndBounded_data();
    void hostileText_isHarmlessAndBounded();
    void text_isShownAsItIs();
    void menu_isShownOnLines();
    void command_isShownWhole();
};

namespace {

constexpr qsizetype mostBytes = 200'000;

/// What is printed on the standard error while `use` asks, and `answers` is on the standard input.
QByteArray printed(const QByteArray& answers, const std::function<void(TerminalPrompter&)>& use)
{
    const QTemporaryDir folder;
    QFile in(folder.filePath(QStringLiteral("in")));
    QFile err(folder.filePath(QStringLiteral("err")));
    if (!in.open(QIODevice::ReadWrite) || !err.open(QIODevice::ReadWrite)
        || in.write(answers) != answers.size() || !in.flush() || !in.seek(0))
        qFatal("no files in %s", qPrintable(folder.path()));
    const int usualIn = ::dup(STDIN_FILENO);
    const int usualErr = ::dup(STDERR_FILENO);
    ::dup2(in.handle(), STDIN_FILENO);
    ::dup2(err.handle(), STDERR_FILENO);
    ::lseek(STDIN_FILENO, 0, SEEK_SET);
    Output output;
    TerminalPrompter prompter(&output);
    use(prompter);
    ::dup2(usualIn, STDIN_FILENO);
    ::dup2(usualErr, STDERR_FILENO);
    ::close(usualIn);
    ::close(usualErr);
    err.seek(0);
    return err.readAll();
}

/// The first character that a terminal would act on; 0: none.
uint controlIn(const QByteArray& bytes)
{
    for (const QChar c : QString::fromUtf8(bytes)) {
        const uint code = c.unicode();
        const bool bidi = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
            || code == 0x200e || code == 0x200f || code == 0x061c;
        if (bidi || code == 0x2028 || code == 0x2029 || (code < 32 && code != '\n')
            || (code >= 127 && code < 160))
            return code;
    }
    return 0;
}

/// "Password" after what clears a screen, makes a link, rings, and turns the reading order round.
QString hostile()
{
    return QStringLiteral(
               "\x1b[2J\x1b]0;title\x07\x1b]8;;http://evil.example/\x1b\\link\x1b]8;;\x07"
               "\u009b31mred\u009d0;x\u009c \b\b\b\x7f\v\f\u202e\u2066drow\u2069\u202a"
               "\u200f\u061c\u2028\u2029\r")
        + QString(1, QChar(0)) + QStringLiteral("Password");
}

} // namespace

void TestTerminalPrompter::hostileText_isHarmlessAndBounded_data()
{
    using Use = std::function<void(TerminalPrompter&, const QString&)>;
    QTest::addColumn<Use>("use");
    const auto answer = [](TerminalPrompter& prompter, const PromptRound& round) {
        const auto answers = awaited(prompter.answer(round));
        QVERIFY(answers.has_value());
        QCOMPARE(answers->size(), qsizetype(round.prompts.size()));
    };
    const auto row = [](const char* name, const Use& use) { QTest::newRow(name) << use; };
    row("banner", [](auto& prompter, const QString& text) { prompter.showBanner(text); });
    row("notice", [](auto& prompter, const QString& text) { prompter.showNotice(text); });
    row("approval", [](auto& prompter, const QString& text) { prompter.noteApproval(text); });
    row("title", [answer](auto& prompter, const QString& text) {
        PromptRound round;
        round.title = text;
        answer(prompter, round);
    });
    row("instruction", [answer](auto& prompter, const QString& text) {
        PromptRound round;
        round.instruction = text;
        answer(prompter, round);
    });
    row("prompt", [answer](auto& prompter, const QString& text) {
        PromptRound round;
        round.prompts = {{text, true}, {text, false}};
        answer(prompter, round);
    });
    row("key file", [answer](auto& prompter, const QString& text) {
        PromptRound round;
        round.kind = PromptRound::Kind::Passphrase;
        round.keyFile = text;
        answer(prompter, round);
    });
    row("host name", [](auto& prompter, const QString& text) {
        QVERIFY(awaited(prompter.acceptHostKey({text, 22, text, text})));
    });
    row("host of a command", [](auto& prompter, const QString& text) {
        QVERIFY(awaited(prompter.acceptCommand({text, text, QStringLiteral("nc %h")})));
    });
}

void TestTerminalPrompter::hostileText_isHarmlessAndBounded()
{
    using Use = std::function<void(TerminalPrompter&, const QString&)>;
    QFETCH(Use, use);
    const QString long1 = hostile() + QString(2'000'000, u'x');
    const QString long2 = hostile() + QStringLiteral("y\n").repeated(1'000'000);
    for (const QString& text : {hostile(), long1, long2}) {
        const QByteArray shown =
            printed("yes\nyes\n", [&](TerminalPrompter& prompter) { use(prompter, text); });
        QVERIFY2(shown.contains("Password"), shown.left(300).constData());
        QVERIFY2(controlIn(shown) == 0, qPrintable(QString::number(controlIn(shown), 16)));
        QVERIFY2(shown.size() < mostBytes, qPrintable(QString::number(shown.size())));
        QVERIFY2(shown.count('\n') < 500, qPrintable(QString::number(shown.count('\n'))));
    }
}

void TestTerminalPrompter::text_isShownAsItIs()
{
    const QByteArray shown = printed({}, [](TerminalPrompter& prompter) {
        prompter.showBanner(QStringLiteral("Grüße\r\n\r\n日本語 👋 1\t2\r\n"));
    });
    QCOMPARE(shown, QByteArray("Grüße\n\n日本語 👋 1 2\n\n"));
}

void TestTerminalPrompter::menu_isShownOnLines()
{
    std::optional<QStringList> answers;
    const QByteArray shown = printed("1\n", [&answers](TerminalPrompter& prompter) {
        PromptRound round;
        round.prompts = {{QStringLiteral("Choose:\r\n 1. Push\r\n\r\nOption (1-1): "), true}};
        answers = awaited(prompter.answer(round));
    });
    QCOMPARE(shown, QByteArray("Choose:\n 1. Push\n\nOption (1-1): "));
    QCOMPARE(answers, std::optional(QStringList{QStringLiteral("1")}));
}

/// The person allows all of it, so its end must not be out of sight.
void TestTerminalPrompter::command_isShownWhole()
{
    const QString command =
        QStringLiteral("nc \x1b[8m") + QString(3000, u' ') + QStringLiteral("\nrm end");
    bool allowed = true;
    const QByteArray shown = printed("no\n", [&](TerminalPrompter& prompter) {
        allowed = awaited(
            prompter.acceptCommand({QStringLiteral("h"), QStringLiteral("ProxyCommand"), command}));
    });
    QVERIFY(!allowed);
    QVERIFY(shown.contains("rm end"));
    QCOMPARE(controlIn(shown), 0U);
    QCOMPARE(int(shown.count('\n')), 2);
}

Q_DECLARE_METATYPE(std::function<void(slipway::TerminalPrompter&, const QString&)>)

SLIPWAY_TEST(TestTerminalPrompter, cli_terminalprompter)
#include "tst_terminalprompter.moc"

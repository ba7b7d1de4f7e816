// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/terminalprompter.h"

#include "app/cli/interrupts.h"
#include "app/cli/output.h"
#include "remote/base/tr.h"

#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace slipway {

namespace {

constexpr qsizetype longestAnswer = 4096;

/// Turns the echo of the terminal off during its lifetime.
class NoEcho {
public:
    NoEcho()
    {
        if (tcgetattr(STDIN_FILENO, &m_before) != 0)
            return;
        termios silent = m_before;
        silent.c_lflag &= ~tcflag_t(ECHO);
        m_set = tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0;
    }
    ~NoEcho()
    {
        if (m_set)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &m_before);
    }
    NoEcho(const NoEcho&) = delete;
    NoEcho& operator=(const NoEcho&) = delete;

private:
    termios m_before{};
    bool m_set = false;
};

/// Reads one line byte by byte, so that the rest is left for the next prompt.
std::optional<QString> readLine()
{
    QByteArray line;
    char byte = 0;
    for (;;) {
        const ssize_t got = read(STDIN_FILENO, &byte, 1);
        if (got < 0 && errno == EINTR && !Interrupts::pending())
            continue;
        if (got < 0 || (got == 0 && line.isEmpty()))
            return {};
        if (got == 0 || byte == '\n')
            break;
        if (line.size() < longestAnswer)
            line += byte;
    }
    if (line.endsWith('\r'))
        line.chop(1);
    return QString::fromUtf8(line);
}

void show(const QString& text)
{
    const QByteArray bytes = terminalText(text).toUtf8();
    fwrite(bytes.constData(), 1, std::size_t(bytes.size()), stderr);
    fflush(stderr);
}

std::optional<QString> ask(const Prompt& prompt)
{
    show(prompt.text.endsWith(u' ') ? prompt.text : prompt.text + u' ');
    if (prompt.echo)
        return readLine();
    const NoEcho silent;
    const std::optional<QString> line = readLine();
    fputs("\n", stderr); // the newline that was typed was not shown
    return line;
}

} // namespace

TerminalPrompter::TerminalPrompter(Output* output)
    : m_output(output)
{
}

QCoro::Task<std::optional<QStringList>> TerminalPrompter::answer(PromptRound round)
{
    m_output->clearProgress();
    if (round.attempt > 1)
        m_output->note(tr("The answer was not accepted."));
    for (const QString& text : {round.title, round.instruction}) {
        for (const QString& line : text.split(u'\n', Qt::SkipEmptyParts))
            m_output->note(line);
    }
    if (round.kind == PromptRound::Kind::Passphrase && !round.keyFile.isEmpty())
        m_output->note(tr("The key %1 is protected by a passphrase.").arg(round.keyFile));
    QStringList answers;
    for (const Prompt& prompt : round.prompts) {
        const std::optional<QString> line = ask(prompt);
        if (!line)
            co_return std::nullopt;
        answers << *line;
    }
    co_return answers;
}

QCoro::Task<bool> TerminalPrompter::acceptHostKey(HostKeyQuestion question)
{
    m_output->clearProgress();
    m_output->note(
        tr("You have not connected to %1 port %2 before. The fingerprint of its %3 host key is")
            .arg(question.host)
            .arg(question.port)
            .arg(question.keyType));
    m_output->note(QStringLiteral("    ") + question.sha256);
    m_output->note(tr("Compare it with the fingerprint that the site publishes."));
    show(tr("Do they match (yes/no)? "));
    const std::optional<QString> line = readLine();
    co_return line && line->trimmed().compare(u"yes", Qt::CaseInsensitive) == 0;
}

QCoro::Task<bool> TerminalPrompter::acceptCommand(CommandQuestion question)
{
    m_output->clearProgress();
    m_output->note(
        tr("The SSH configuration connects to %1 with a %2, which runs on this computer:")
            .arg(question.host, question.option));
    m_output->note(QStringLiteral("    ") + question.command);
    show(tr("Run it, now and whenever you connect there (yes/no)? "));
    const std::optional<QString> line = readLine();
    co_return line && line->trimmed().compare(u"yes", Qt::CaseInsensitive) == 0;
}

void TerminalPrompter::showNotice(const QString& text)
{
    m_output->note(text);
}

void TerminalPrompter::showBanner(const QString& text)
{
    for (const QString& line : text.split(u'\n'))
        m_output->note(line);
}

} // namespace slipway

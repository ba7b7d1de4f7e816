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
// What a server may make the terminal print at once.
constexpr qsizetype longestText = 16 * 1024;
constexpr qsizetype longestName = 1000; ///< of a host, a file
constexpr qsizetype mostLines = 200;

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

QString cut(const QString& text, qsizetype most)
{
    return text.size() > most ? QString(text.first(most) + u'…') : text;
}

/// The lines of a server's text, which end in CR LF or LF; the last one may be empty.
QStringList linesOf(const QString& text)
{
    QStringList lines = cut(text, longestText).remove(u'\r').split(u'\n');
    if (lines.size() > mostLines)
        lines = lines.first(mostLines) + QStringList{QStringLiteral("…")};
    return lines;
}

/// A name in a sentence: on one line, whatever it holds.
QString name(const QString& text)
{
    return terminalText(cut(text, longestName));
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
        for (const QString& line : linesOf(text)) {
            if (!line.isEmpty())
                m_output->note(line);
        }
    }
    if (round.kind == PromptRound::Kind::Passphrase && !round.keyFile.isEmpty())
        m_output->note(tr("The key %1 is protected by a passphrase.").arg(name(round.keyFile)));
    QStringList answers;
    for (const Prompt& prompt : round.prompts) {
        // A prompt may be a menu: its last line is what is asked.
        QStringList lines = linesOf(prompt.text);
        const QString last = lines.takeLast();
        for (const QString& line : lines)
            m_output->note(line);
        const std::optional<QString> line = ask({last, prompt.echo});
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
            .arg(name(question.host))
            .arg(question.port)
            .arg(name(question.keyType)));
    m_output->note(QStringLiteral("    ") + name(question.sha256));
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
            .arg(name(question.host), name(question.option)));
    // The whole of it: the person allows what they see.
    m_output->note(QStringLiteral("    ") + terminalText(question.command));
    show(tr("Run it, now and whenever you connect there (yes/no)? "));
    const std::optional<QString> line = readLine();
    co_return line && line->trimmed().compare(u"yes", Qt::CaseInsensitive) == 0;
}

void TerminalPrompter::showNotice(const QString& text)
{
    for (const QString& line : linesOf(text))
        m_output->note(line);
}

void TerminalPrompter::showBanner(const QString& text)
{
    for (const QString& line : linesOf(text))
        m_output->note(line);
}

} // namespace slipway

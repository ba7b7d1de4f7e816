// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/dockerrun.h"
#include "app/project/dockerwords.h"

#include <QFileInfo>
#include <QMap>
#include <QRegularExpression>

namespace slipway {

namespace {

/// ShellScan follows a command line far enough to know whether it may stand in a script as it is,
/// and where it may be broken. What it does not understand is not plain. Lives for one RUN.
class ShellScan {
public:
    void feed(const QString& piece)
    {
        for (qsizetype i = 0; i < piece.size(); ++i) {
            const QChar c = piece.at(i);
            const QChar before = m_before;
            m_before = c;
            if (m_quote == u'\'') {
                m_quote = c == u'\'' ? QChar() : m_quote;
            } else if (c == u'\\') {
                m_endsEscaped = ++i >= piece.size();
                m_before = u'x';
            } else if (m_quote == u'"') {
                m_quote = c == u'"' ? QChar() : m_quote;
            } else if (c == u'\'' || c == u'"') {
                m_quote = c;
            } else if (c == u'`') {
                m_inBackticks = !m_inBackticks;
            } else if (c == u'(') {
                ++m_depth;
            } else if (c == u')') {
                m_isOdd = m_isOdd || --m_depth < 0;
            } else if (c == u'#' && (before.isNull() || before.isSpace() || before == u';')) {
                m_isOdd = true; // a comment would end with a line that Docker has joined
            }
        }
    }
    bool mayBreak() const { return m_quote.isNull() && !m_inBackticks && !m_endsEscaped; }
    bool isComplete() const { return mayBreak() && m_depth == 0 && !m_isOdd; }

private:
    QChar m_quote, m_before;
    int m_depth = 0;
    bool m_inBackticks = false, m_isOdd = false, m_endsEscaped = false;
};

/// Whether words that open something in the shell have their partners.
bool hasPartners(const QString& text)
{
    static const QRegularExpression form(
        QStringLiteral("(?<![\\w-])(if|fi|then|case|esac|for|while|until|do|done|select|function|"
                       "coproc)(?![\\w-])"));
    QMap<QString, int> counts;
    for (const auto& match : form.globalMatch(text))
        ++counts[match.captured(1)];
    const auto count = [&counts](const char* word) { return counts.value(QLatin1String(word)); };
    return count("if") == count("fi") && count("case") == count("esac")
        && count("for") + count("while") + count("until") == count("do")
        && count("do") == count("done") && count("then") <= count("fi")
        && count("select") + count("function") + count("coproc") == 0
        && text.count(u'{') == text.count(u'}');
}

bool isPlain(const QString& text, const ShellScan& scan)
{
    static const QRegularExpression openEnd(QStringLiteral("[&|;(]\\s*$|^\\s*[&|;)]"));
    return scan.isComplete() && !text.contains(u"<<") && !text.contains(u"{{")
        && !text.contains(openEnd) && !beginsSection(text) && hasPartners(text);
}

/// Whether a command could leave something behind in the shell that runs it.
bool changesShell(const QString& text)
{
    static const QRegularExpression form(QStringLiteral(
        R"((^|[\s;&|({])(cd|pushd|popd|export|set|unset|source|umask|exec|exit|return|alias|trap|)"
        R"(eval|read|ulimit|shift|local|readonly|declare|hash|shopt|for|while|until|getopts|break|)"
        R"(continue|\.)(?=[\s;&|)]|$)|(^|[;&|({])\s*[A-Za-z_]\w*\+?=|\$\{\w+:?=|\(\s*\)|[;`])"));
    static const QRegularExpression background(QStringLiteral("(?<![&>])&(?!&)"));
    return text.contains(form) || text.contains(background);
}

/// Whether a command that fails in the middle may be ignored: not with “&&” and “||” alone.
bool ignoresFailures(const QString& text)
{
    return text.contains(u';') || text.contains(u'\n');
}

/// The pieces with their line breaks where the shell reads them in the same way.
QStringList brokenLines(const QStringList& pieces)
{
    QStringList lines;
    ShellScan scan;
    bool mayBreak = false;
    for (const QString& piece : pieces) {
        // A word that goes on in the next line would get the indentation in its middle.
        const bool isNewWord = !lines.isEmpty()
            && (lines.last().endsWith(u' ') || lines.last().endsWith(u'\t')
                || piece.startsWith(u' ') || piece.startsWith(u'\t'));
        const bool breaks = mayBreak && isNewWord && !beginsSection(piece);
        if (lines.isEmpty() || (breaks && !piece.trimmed().isEmpty()))
            lines << piece;
        else
            lines.last() += piece;
        scan.feed(piece);
        mayBreak = scan.mayBreak();
    }
    for (qsizetype i = 0; i < lines.size(); ++i) {
        lines[i] = (i > 0 ? QStringLiteral("    ") : QString()) + lines.at(i).trimmed();
        if (i + 1 < lines.size())
            lines[i] += QStringLiteral(" \\");
    }
    return lines;
}

QStringList scriptLines(const DockerHeredoc& script, const DockerShell& shell)
{
    const QString content = script.content();
    if (!content.startsWith(u"#!"))
        return {shell.command(content)};
    return {QStringLiteral("slipway_script=$(mktemp)"),
        QStringLiteral("printf %s ") + sectionWord(content)
            + QStringLiteral(" > \"$slipway_script\""),
        QStringLiteral("chmod +x \"$slipway_script\""), QStringLiteral("\"$slipway_script\""),
        QStringLiteral("rm -f \"$slipway_script\"")};
}

} // namespace

QString DockerShell::command(const QString& text) const
{
    QStringList quoted;
    for (const QString& word : words)
        quoted << sectionWord(word);
    return quoted.join(u' ') + u' ' + sectionWord(text);
}

bool isBash(const QStringList& words)
{
    return QFileInfo(words.value(0)).fileName() == u"bash";
}

std::optional<QStringList> shellOptions(const QStringList& words)
{
    static const QRegularExpression form(QStringLiteral("\\A-([euxc]*)(o?)([euxc]*)\\z"));
    static const QRegularExpression name(QStringLiteral("\\A[a-z]{1,20}\\z"));
    const QString program = QFileInfo(words.value(0)).fileName();
    if ((program != u"bash" && program != u"sh") || !words.last().endsWith(u'c'))
        return {};
    QStringList options;
    for (qsizetype i = 1; i < words.size(); ++i) {
        const auto match = form.match(words.at(i));
        if (!match.hasMatch() || words.at(i) == u"-")
            return {};
        const QString letters = match.captured(1) + match.captured(3);
        for (const QChar c : letters)
            if (c != u'c' && c != u'e') // %post always has -e
                options << QStringLiteral("-") + c;
        if (match.captured(2).isEmpty())
            continue;
        if (!name.match(words.value(++i)).hasMatch())
            return {};
        if (words.at(i) != u"errexit")
            options << QStringLiteral("-o ") + words.at(i);
    }
    return options;
}

QStringList runLines(const DockerInstruction& run, const DockerShell& shell)
{
    if (const auto words = run.words(); words && !words->isEmpty()) {
        QStringList quoted;
        for (const QString& word : *words)
            quoted << sectionWord(word);
        return {quoted.join(u' ')};
    }
    QString text = run.text();
    if (run.heredocs.size() == 1 && run.heredocs.front().mark == text)
        return scriptLines(run.heredocs.front(), shell);
    for (const DockerHeredoc& heredoc : run.heredocs) {
        text += u'\n';
        for (const QString& line : heredoc.lines)
            text += line + u'\n';
        text += heredoc.name;
    }
    ShellScan scan;
    scan.feed(text);
    if (!shell.isSection || !isPlain(text, scan))
        return {shell.command(text)};
    QStringList lines = brokenLines(run.pieces);
    if (!changesShell(text))
        return lines;
    for (QString& line : lines)
        line.prepend(QStringLiteral("    "));
    if (ignoresFailures(text))
        lines.prepend(QStringLiteral("    set +e"));
    lines.prepend(QStringLiteral("("));
    lines.append(QStringLiteral(")"));
    return lines;
}

} // namespace slipway

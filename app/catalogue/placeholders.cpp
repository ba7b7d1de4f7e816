// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/placeholders.h"

#include "app/catalogue/names.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

namespace slipway {

namespace {

constexpr qsizetype widestLine = 88;

/// "{sizes}", but not "${sizes}", which belongs to the shell.
const QRegularExpression& placeholder()
{
    static const QRegularExpression form(QStringLiteral(R"((?<!\$)\{([a-z][a-z0-9_]*)\})"));
    return form;
}

/// The state of the shell while it reads a line, one character at a time.
struct QuoteState {
    QChar quote; ///< ' or " while inside one
    bool escaped = false;

    void read(QChar c)
    {
        if (escaped) {
            escaped = false;
        } else if (c == u'\\' && quote != u'\'') {
            escaped = true;
        } else if (quote.isNull()) {
            if (c == u'\'' || c == u'"')
                quote = c;
        } else if (c == quote) {
            quote = {};
        }
    }
    bool outside() const { return quote.isNull() && !escaped; }
};

} // namespace

QStringList placeholderNames(const QString& command)
{
    QStringList names;
    for (const auto& match : placeholder().globalMatch(command))
        names << match.captured(1);
    names.removeDuplicates();
    return names;
}

QString placeholderProblem(const QString& command)
{
    QuoteState state;
    qsizetype at = 0;
    for (const auto& match : placeholder().globalMatch(command)) {
        for (; at < match.capturedStart(); ++at)
            state.read(command.at(at));
        if (!state.outside())
            return tr("{%1} is inside quotes, which a value could close; move it outside.")
                .arg(match.captured(1));
    }
    for (; at < command.size(); ++at)
        state.read(command.at(at));
    if (!state.outside())
        return tr("a quote is not closed.");
    if (placeholderNames(command).isEmpty())
        return {};
    static const QRegularExpression unsafe(QStringLiteral(R"(`|<<|(?:^|\s)#|\$'|\$")"));
    const auto match = unsafe.match(command);
    if (match.hasMatch())
        return tr("“%1” cannot be combined with placeholders; use $(…) or a file of the recipe.")
            .arg(match.captured().trimmed());
    return {};
}

QStringList commandWords(const QString& line)
{
    QStringList words;
    QString word;
    QuoteState state;
    int braces = 0; // of ${NAME+some words}, which is one word here
    for (const QChar c : line) {
        if (state.outside() && c == u'{' && word.endsWith(u'$'))
            ++braces;
        else if (state.outside() && c == u'}' && braces > 0)
            --braces;
        if (state.outside() && braces == 0 && (c == u' ' || c == u'\t')) {
            if (!word.isEmpty())
                words << word;
            word.clear();
            continue;
        }
        state.read(c);
        word += c;
    }
    if (!word.isEmpty())
        words << word;
    return words;
}

QString fillPlaceholders(
    const QString& text, const QMap<QString, QString>& values, const QMap<QString, QString>& raw)
{
    QString filled;
    qsizetype from = 0;
    for (const auto& match : placeholder().globalMatch(text)) {
        const QString name = match.captured(1);
        filled += text.mid(from, match.capturedStart() - from);
        filled += raw.contains(name) ? raw.value(name) : shellWord(values.value(name));
        from = match.capturedEnd();
    }
    return filled + text.mid(from);
}

QString wrapWords(const QStringList& words, int indent)
{
    const QString newLine = QStringLiteral(" \\\n") + QString(indent, u' ');
    QString text;
    qsizetype column = 0;
    for (qsizetype i = 0; i < words.size();) {
        // An option and what belongs to it are one unit.
        QString unit = words.at(i++);
        const bool option = unit.startsWith(u'-') && !unit.contains(u'=');
        if (option && i < words.size() && !words.at(i).startsWith(u'-'))
            unit += u' ' + words.at(i++);
        if (!text.isEmpty()) {
            if (column + 1 + unit.size() > widestLine) {
                text += newLine;
                column = indent;
            } else {
                text += u' ';
                ++column;
            }
        }
        text += unit;
        column += unit.size();
    }
    return text;
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/output.h"

#include <QJsonDocument>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace slipway {

namespace {

void write(FILE* stream, const QString& text)
{
    const QByteArray bytes = text.toUtf8();
    fwrite(bytes.constData(), 1, std::size_t(bytes.size()), stream);
    fflush(stream);
}

bool errorsGoToTerminal()
{
    return isatty(STDERR_FILENO);
}

int terminalColumns()
{
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

} // namespace

QString terminalText(const QString& text)
{
    QString safe = text;
    for (QChar& c : safe) {
        const bool bidi = (c >= QChar(0x202a) && c <= QChar(0x202e))
            || (c >= QChar(0x2066) && c <= QChar(0x2069)) || c == QChar(0x061c)
            || c == QChar(0x200e) || c == QChar(0x200f);
        const bool line = c == QChar(0x2028) || c == QChar(0x2029);
        if (c == u'\t')
            c = u' ';
        else if (c.category() == QChar::Other_Control || bidi || line)
            c = QChar(0xfffd);
    }
    return safe;
}

int terminalWidth(const QString& text)
{
    int width = 0;
    for (const QChar c : text)
        width += c.category() == QChar::Mark_NonSpacing || c.isLowSurrogate() ? 0 : 1;
    return width;
}

void Output::line(const QString& text)
{
    clearProgress();
    write(stdout, text + u'\n');
}

void Output::raw(const QByteArray& bytes)
{
    clearProgress();
    fwrite(bytes.constData(), 1, std::size_t(bytes.size()), stdout);
    fflush(stdout);
}

void Output::object(const QJsonObject& object)
{
    clearProgress();
    raw(QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n');
}

void Output::table(const QStringList& headings, const std::vector<QStringList>& rows)
{
    std::vector<int> widths(std::size_t(headings.size()));
    const auto widen = [&widths](const QStringList& row) {
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] = std::max(widths[i], terminalWidth(row.value(qsizetype(i))));
    };
    widen(headings);
    for (const QStringList& row : rows)
        widen(row);
    const auto print = [this, &widths](const QStringList& row) {
        QString text;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const QString cell = terminalText(row.value(qsizetype(i)));
            text += cell;
            if (i + 1 < widths.size())
                text += QString(widths[i] - terminalWidth(cell) + 2, u' ');
        }
        while (text.endsWith(u' '))
            text.chop(1);
        line(text);
    };
    print(headings);
    for (const QStringList& row : rows)
        print(row);
}

void Output::progress(const QString& text)
{
    if (text == m_progress)
        return;
    m_progress = text;
    const QString safe = terminalText(text);
    if (!errorsGoToTerminal()) {
        write(stderr, safe + u'\n');
        return;
    }
    write(stderr, QStringLiteral("\r\033[K") + safe.left(terminalColumns() - 1));
    m_progressShown = true;
}

void Output::clearProgress()
{
    if (!m_progressShown)
        return;
    write(stderr, QStringLiteral("\r\033[K"));
    m_progressShown = false;
    m_progress.clear();
}

void Output::note(const QString& text)
{
    clearProgress();
    for (const QString& line : text.split(u'\n'))
        write(stderr, terminalText(line) + u'\n');
}

void Output::error(const Error& error)
{
    clearProgress();
    if (json) {
        object({{QStringLiteral("error"), errorKindName(error.kind)},
            {QStringLiteral("summary"), error.summary}, {QStringLiteral("remedy"), error.remedy},
            {QStringLiteral("detail"), QString::fromUtf8(error.detail)}});
        return;
    }
    for (const QString& text : error.text().split(u'\n'))
        note(text);
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/scriptview.h"

#include "ui/look/colours.h"

#include <QApplication>
#include <QEvent>
#include <QRegularExpression>
#include <QScrollBar>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

/// The position at which an unquoted '#' starts a comment; -1: none.
qsizetype commentStart(const QString& text)
{
    QChar quote;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (!quote.isNull()) {
            quote = c == quote ? QChar() : quote;
        } else if (c == u'\\') {
            ++i;
        } else if (c == u'"' || c == u'\'') {
            quote = c;
        } else if (c == u'#' && (i == 0 || text[i - 1].isSpace())) {
            return i;
        }
    }
    return -1;
}

} // namespace

void ShellColours::highlightBlock(const QString& text)
{
    const Colours& colours = Colours::now();
    if (text.startsWith(u"#SBATCH"_s)) {
        setFormat(0, 7, colours.accent);
        const qsizetype comment = text.indexOf(u" #"_s, 7);
        if (comment > 0) {
            setFormat(int(comment), int(text.size() - comment), colours.secondText);
        }
        return;
    }
    static const QRegularExpression flag(u"(?<=\\s)--nv(?=\\s|$)"_s);
    for (auto match = flag.globalMatch(text); match.hasNext();) {
        const auto found = match.next();
        QTextCharFormat format;
        format.setForeground(colours.accent);
        format.setFontWeight(QFont::Bold);
        setFormat(int(found.capturedStart()), int(found.capturedLength()), format);
    }
    const qsizetype comment = commentStart(text);
    if (comment >= 0) {
        setFormat(int(comment), int(text.size() - comment), colours.secondText);
    }
}

ScriptView::ScriptView(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_colours(new ShellColours(document()))
{
    setProperty("code", true);
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

void ScriptView::setScript(const QByteArray& bytes)
{
    const QString text = QString::fromUtf8(bytes);
    if (text == toPlainText()) {
        return;
    }
    const int down = verticalScrollBar()->value();
    const int right = horizontalScrollBar()->value();
    setPlainText(text);
    verticalScrollBar()->setValue(down);
    horizontalScrollBar()->setValue(right);
}

void ScriptView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_colours) {
        m_colours->rehighlight();
    }
}

} // namespace slipway

#include "moc_scriptview.cpp"

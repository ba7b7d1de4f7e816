// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/definitionedit.h"

#include "app/project/definitionlint.h"
#include "ui/look/colours.h"

#include <QEvent>
#include <QRegularExpression>
#include <QTextBlock>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

enum Place { InHeader = 0, InSection = 1 };

const QRegularExpression& headerKey()
{
    static const QRegularExpression key(u"\\A\\s*([A-Za-z]+)\\s*:"_s);
    return key;
}

} // namespace

void DefinitionColours::highlightBlock(const QString& text)
{
    const Colours& colours = Colours::now();
    const QString section = definitionSection(text);
    const auto key = headerKey().match(text);
    const bool begins =
        key.hasMatch() && key.captured(1).toLower() == u"bootstrap"_s && !text.startsWith(u' ');
    const bool inHeader = previousBlockState() != InSection || begins;
    setCurrentBlockState(section.isEmpty() && inHeader ? InHeader : InSection);
    QTextCharFormat strong;
    strong.setFontWeight(QFont::Bold);
    strong.setForeground(colours.accent);
    if (!section.isEmpty()) {
        if (!isDefinitionSection(section)) {
            strong.setForeground(colours.error);
        }
        setFormat(0, int(section.size()) + 1, strong);
    } else if (text.trimmed().startsWith(u'#')) {
        setFormat(0, int(text.size()), colours.secondText);
    } else if (inHeader && key.hasMatch()) {
        setFormat(0, int(key.capturedEnd(1)), strong);
    }
}

DefinitionEdit::DefinitionEdit(QWidget* parent)
    : QPlainTextEdit(parent)
    , m_colours(new DefinitionColours(document()))
{
    setProperty("code", true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
}

void DefinitionEdit::showLines(int first, int last)
{
    selectLines(this, first, last);
}

void DefinitionEdit::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        m_colours->rehighlight();
    }
}

void selectLines(QPlainTextEdit* edit, int first, int last)
{
    const QTextBlock begin = edit->document()->findBlockByNumber(first - 1);
    const QTextBlock end = edit->document()->findBlockByNumber(qMax(first, last) - 1);
    if (!begin.isValid()) {
        return;
    }
    QTextCursor cursor(begin);
    cursor.setPosition(
        (end.isValid() ? end : begin).position() + (end.isValid() ? end : begin).length() - 1,
        QTextCursor::KeepAnchor);
    edit->setTextCursor(cursor);
    edit->ensureCursorVisible();
}

} // namespace slipway

#include "moc_definitionedit.cpp"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/differenceview.h"

#include "remote/base/counted.h"
#include "ui/look/colours.h"

#include <QEvent>
#include <QTextBlock>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;
using Kind = DifferenceLine::Kind;

DifferenceView::DifferenceView(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setProperty("code", true);
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Differences between the two scripts"));
    setObjectName(u"difference"_s);
}

void DifferenceView::setDifference(const std::vector<DifferenceLine>& lines)
{
    if (lines == m_lines && !document()->isEmpty()) {
        return;
    }
    m_lines = lines;
    QStringList texts;
    for (const DifferenceLine& line : lines) {
        texts << differenceText(line);
    }
    setPlainText(lines.empty() ? tr("The two scripts are identical.") : texts.join(u'\n'));
    setAccessibleDescription(summary());
    applyColours();
}

QString DifferenceView::summary() const
{
    const auto count = [this](Kind kind) {
        return std::count_if(m_lines.begin(), m_lines.end(),
            [kind](const DifferenceLine& line) { return line.kind == kind; });
    };
    if (m_lines.empty()) {
        return tr("The two scripts are identical.");
    }
    return tr("%1, %2").arg(
        counted(count(Kind::Removed), tr("1 line removed"), tr("%1 lines removed")),
        counted(count(Kind::Added), tr("1 line added"), tr("%1 lines added")));
}

void DifferenceView::applyColours()
{
    const Colours& colours = Colours::now();
    QTextCursor cursor(document());
    QTextBlock block = document()->begin();
    for (const DifferenceLine& line : m_lines) {
        QTextBlockFormat ground;
        QTextCharFormat ink;
        ink.setForeground(colours.text);
        if (line.kind == Kind::Added || line.kind == Kind::Removed) {
            const QColor tint = line.kind == Kind::Added ? colours.done : colours.error;
            ground.setBackground(colours.soft(tint));
            ink.setForeground(colours.ink(tint));
        } else if (line.kind == Kind::Place) {
            ink.setForeground(colours.secondText);
        }
        cursor.setPosition(block.position());
        cursor.setBlockFormat(ground);
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        cursor.setCharFormat(ink);
        block = block.next();
    }
}

void DifferenceView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        applyColours();
    }
}

} // namespace slipway

#include "moc_differenceview.cpp"

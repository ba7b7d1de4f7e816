// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/numbermarker.h"

#include "ui/parts/announce.h"

#include <QAction>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>
#include <memory>

namespace slipway {

using namespace Qt::StringLiterals;

NumberMarker::NumberMarker(QPlainTextEdit* view)
    : QObject(view)
    , m_view(view)
    , m_draw(new QAction(tr("Draw this number…"), this))
{
    m_draw->setObjectName(u"drawNumber"_s);
    m_draw->setShortcut(Qt::CTRL | Qt::Key_D);
    m_draw->setShortcutContext(Qt::WidgetShortcut);
    view->addAction(m_draw);
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_draw, &QAction::triggered, this, &NumberMarker::choose);
    connect(view, &QWidget::customContextMenuRequested, this, &NumberMarker::showMenu);
}

/// For what is marked, or else for what is below the pointer.
void NumberMarker::showMenu(const QPoint& place)
{
    if (!m_view->textCursor().hasSelection()) {
        m_view->setTextCursor(m_view->cursorForPosition(place));
    }
    const std::unique_ptr<QMenu> menu(m_view->createStandardContextMenu());
    menu->addSeparator();
    menu->addAction(m_draw);
    menu->exec(m_view->viewport()->mapToGlobal(place));
}

void NumberMarker::choose()
{
    const QTextCursor cursor = m_view->textCursor();
    const QTextBlock block = m_view->document()->findBlock(cursor.selectionStart());
    const qsizetype begin = cursor.selectionStart() - block.position();
    const qsizetype length = std::min<qsizetype>(
        cursor.selectionEnd() - cursor.selectionStart(), block.length() - 1 - begin);
    const auto taught = taughtNumber(block.text(), begin, length);
    if (taught.ok()) {
        emit marked(block.text(), *taught);
        return;
    }
    const QString why = QString(taught.error().summary % u' ' % taught.error().remedy).trimmed();
    const QPoint below = m_view->cursorRect(cursor).bottomLeft();
    QToolTip::showText(m_view->viewport()->mapToGlobal(below), why, m_view);
    announce(m_view, why);
}

} // namespace slipway

#include "moc_numbermarker.cpp"

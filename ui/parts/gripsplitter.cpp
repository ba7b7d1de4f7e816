// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/gripsplitter.h"

#include "ui/look/colours.h"

#include <QKeyEvent>
#include <QPainter>
#include <QSettings>

namespace slipway {

namespace {

constexpr int gripLength = 36;
constexpr int gripWidth = 3;
constexpr int linesOfPage = 6;

/// The divider of a GripSplitter, with a grip that shows the focus. GUI thread; the splitter owns
/// it.
class GripHandle : public QSplitterHandle {
public:
    GripHandle(const QString& name, QSplitter* splitter)
        : QSplitterHandle(splitter->orientation(), splitter)
    {
        setFocusPolicy(Qt::StrongFocus);
        setAccessibleName(name);
    }

protected:
    void keyPressEvent(QKeyEvent* event) override
    {
        const bool down = orientation() == Qt::Vertical;
        const int here = down ? y() : x();
        const int line = fontMetrics().lineSpacing();
        const int end = down ? splitter()->height() : splitter()->width();
        const int key = event->key();
        if (key == (down ? Qt::Key_Up : Qt::Key_Left)) {
            moveSplitter(here - line);
        } else if (key == (down ? Qt::Key_Down : Qt::Key_Right)) {
            moveSplitter(here + line);
        } else if (key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            moveSplitter(here + (key == Qt::Key_PageUp ? -1 : 1) * linesOfPage * line);
        } else if (key == Qt::Key_Home || key == Qt::Key_End) {
            moveSplitter(key == Qt::Key_Home ? 0 : end);
        } else {
            QSplitterHandle::keyPressEvent(event);
        }
    }

    void focusInEvent(QFocusEvent* event) override
    {
        QSplitterHandle::focusInEvent(event);
        update();
    }

    void focusOutEvent(QFocusEvent* event) override
    {
        QSplitterHandle::focusOutEvent(event);
        update();
    }

    void paintEvent(QPaintEvent*) override
    {
        const Colours& colours = Colours::now();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(hasFocus() ? colours.accent : colours.line);
        const bool down = orientation() == Qt::Vertical;
        const double thick = hasFocus() ? gripWidth + 1 : gripWidth;
        const QSizeF size = down ? QSizeF(gripLength, thick) : QSizeF(thick, gripLength);
        QRectF grip(QPointF(), size);
        grip.moveCenter(QRectF(rect()).center());
        painter.drawRoundedRect(grip, thick / 2, thick / 2);
    }
};

} // namespace

GripSplitter::GripSplitter(
    Qt::Orientation orientation, const QString& key, const QString& name, QWidget* parent)
    : QSplitter(orientation, parent)
    , m_key(key)
    , m_name(name)
{
    setHandleWidth(16);
    setChildrenCollapsible(false);
    connect(this, &QSplitter::splitterMoved, this, [this] {
        m_placed = true;
        if (m_remembers) {
            QSettings().setValue(m_key, saveState());
        }
    });
}

void GripSplitter::restorePosition()
{
    // Qt has the divider after both sides. Its first handle, which is never shown, is between them.
    setTabOrder(handle(0), handle(1));
    if (const QByteArray state = QSettings().value(m_key).toByteArray(); !state.isEmpty()) {
        m_placed = restoreState(state);
        setHandleWidth(16); // and what else the state has of an older look
        setChildrenCollapsible(false);
    }
}

QSplitterHandle* GripSplitter::createHandle()
{
    return new GripHandle(m_name, this);
}

} // namespace slipway

#include "moc_gripsplitter.cpp"

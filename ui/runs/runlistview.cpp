// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runlistview.h"

#include "ui/runs/rundelegate.h"

#include <QContextMenuEvent>
#include <QKeyEvent>

#include <utility>

namespace slipway {

RunListView::RunListView(QWidget* parent)
    : QListView(parent)
{
    setSelectionMode(ExtendedSelection);
    setMouseTracking(true);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void RunListView::keyPressEvent(QKeyEvent* event)
{
    const bool plain = event->modifiers() == Qt::NoModifier;
    if (plain && event->key() == Qt::Key_C) {
        emit compareAsked();
    } else if (plain && event->key() == Qt::Key_F2 && currentIndex().isValid()) {
        emit labelsAsked(currentIndex());
    } else {
        QListView::keyPressEvent(event);
    }
}

/// Ticks, if the point is on a box; what is selected stays.
bool RunListView::tickAt(const QMouseEvent& event)
{
    const QPoint point = event.position().toPoint();
    const QModelIndex index = indexAt(point);
    if (event.button() != Qt::LeftButton || event.modifiers() != Qt::NoModifier || !index.isValid()
        || !RunDelegate::isOnBox(visualRect(index), index, point)) {
        return false;
    }
    const bool ticked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    model()->setData(index, ticked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
    return true;
}

void RunListView::mousePressEvent(QMouseEvent* event)
{
    m_ticking = tickAt(*event);
    if (!m_ticking) {
        QListView::mousePressEvent(event);
    }
}

void RunListView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!std::exchange(m_ticking, false)) {
        QListView::mouseReleaseEvent(event);
    }
}

/// The second press of two fast ones ticks as well.
void RunListView::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_ticking = tickAt(*event);
    if (!m_ticking) {
        QListView::mouseDoubleClickEvent(event);
    }
}

void RunListView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
    const QModelIndex index = byMouse ? indexAt(event->pos()) : currentIndex();
    if (index.isValid()) {
        emit menuAsked(index,
            byMouse ? event->globalPos() : viewport()->mapToGlobal(visualRect(index).center()));
    }
}

} // namespace slipway

#include "moc_runlistview.cpp"

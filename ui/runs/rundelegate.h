// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStyledItemDelegate>

namespace slipway {

/// RunDelegate paints a run as a row of two lines: title, what differs from the defaults, state and
/// tags, then its last number or why it failed; a small curve, where and how long on the right; and
/// a box to tick where the model has ticks. Headings are rows of their own. Plain text only. Lives
/// on the GUI thread, owned by the list that uses it.
class RunDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    /// Whether a point of the view is on the box of the row at `rect`.
    static bool isOnBox(const QRect& rect, const QModelIndex& index, const QPoint& point);

protected:
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
        const QModelIndex& index) override;
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStyledItemDelegate>

class QListView;

namespace slipway {

/// CheckDelegate paints a check of the node as a row of a table: state, title, then the value, what
/// was expected and why, and what to do about it in a box of its own. Text wraps, so the height of
/// a row depends on its text. All of it is plain text. GUI thread; NodePage owns it.
class CheckDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit CheckDelegate(QListView* view);
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;

private:
    QListView* m_view;
};

} // namespace slipway

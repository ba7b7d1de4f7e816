// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStyledItemDelegate>

class QListView;

namespace slipway {

/// CheckDelegate paints a check of the node as a row of a table: state, title, then what it is,
/// what was expected, why, and what to do on a ground of its own. Text wraps, so a row is as high
/// as it needs to be. All of it is plain text.
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

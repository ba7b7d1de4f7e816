// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QListView>

namespace slipway {

/// RunListView is the view of the list of runs: a click on a row's box ticks it, C compares, F2
/// edits name, tags and note. Lives on the GUI thread, owned by the list.
class RunListView : public QListView {
    Q_OBJECT

public:
    explicit RunListView(QWidget* parent = nullptr);

signals:
    void compareAsked();
    void labelsAsked(const QModelIndex& index);
    void menuAsked(const QModelIndex& index, const QPoint& place);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    bool tickAt(const QMouseEvent& event);

    bool m_ticking = false; ///< the button was pressed on a box, and is not yet released
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

#include <vector>

class QMenu;
class QPushButton;

namespace slipway {

/// ToolRow shows buttons next to each other at its right end; those for which there is no room are
/// in the menu of a button “…” behind them. GUI thread; its parent owns it.
class ToolRow : public QWidget {
    Q_OBJECT

public:
    /// `name` is the accessible name of the button that has the rest.
    explicit ToolRow(const QString& name, QWidget* parent = nullptr);
    void addButton(QPushButton* button);
    QPushButton* more() const { return m_more; }
    /// As small as it can be: what room there is, its layout gives it.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void fillMenu();
    size_t fitting() const;

    std::vector<QPushButton*> m_buttons;
    QPushButton* m_more;
    QMenu* m_menu;
};

} // namespace slipway

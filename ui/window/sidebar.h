// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QAbstractButton>
#include <QWidget>

class QVBoxLayout;

namespace slipway {

class ConnectionCard;

/// NavButton is the button of one page in the sidebar, with a count if there is anything to count.
/// GUI thread; Sidebar owns it.
class NavButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit NavButton(const QString& text, QWidget* parent = nullptr);
    void setCount(int count);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    int m_count = 0;
    bool m_ring = false; ///< the focus came from the keyboard
};

/// Sidebar shows the name of the program, the buttons of the pages and the connection card. GUI
/// thread; MainWindow owns it.
class Sidebar : public QWidget {
    Q_OBJECT

public:
    explicit Sidebar(QWidget* parent = nullptr);
    NavButton* addPage(const QString& title);
    void setCurrent(int index);
    ConnectionCard* connectionCard() const { return m_connection; }
    QWidget* appearanceButton() const { return m_appearance; }

signals:
    void pageRequested(int index);
    void appearanceRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<NavButton*> m_buttons;
    QVBoxLayout* m_pages;
    QAbstractButton* m_appearance;
    ConnectionCard* m_connection;
};

} // namespace slipway

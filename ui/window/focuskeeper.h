// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QObject>

class QWidget;

namespace slipway {

class PageStack;

/// FocusKeeper keeps the keyboard focus in the page: when the control that had it is hidden,
/// disabled or gone, Qt moves it to the next one in the window, which may be in the sidebar. GUI
/// thread; MainWindow owns it.
class FocusKeeper : public QObject {
    Q_OBJECT

public:
    FocusKeeper(PageStack* pages, QWidget* sidebar, QWidget* window);
    ~FocusKeeper() override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void onFocusChanged(QWidget* old, QWidget* now);

    PageStack* m_pages;
    QWidget* m_sidebar;
    QWidget* m_window;
};

} // namespace slipway

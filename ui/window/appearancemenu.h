// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/look/theme.h"

#include <QObject>

class QMenu;

namespace slipway {

/// AppearanceMenu changes the theme, the size of the text and whether the desktop is notified, from
/// its menu or on request, and stores them in the settings. GUI thread; MainWindow owns it.
class AppearanceMenu : public QObject {
    Q_OBJECT

public:
    AppearanceMenu(Theme* theme, QObject* parent);

    /// Opens the menu above `button`.
    void popUp(QWidget* button);
    void chooseLight();
    void chooseDark();
    void enlargeText();
    void reduceText();
    void switchNotifications();

private:
    void chooseTheme(Theme::Choice choice);
    void scaleText(double scale);
    void addNotifications(QMenu* menu);

    Theme* m_theme;
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace slipway {

/// The appearance settings of the desktop, each as raw text; empty: not set. A value, so that
/// isDark() can be tested without a desktop.
struct SystemLook {
    QByteArray gtkThemeVariable; ///< $GTK_THEME: "Adwaita:dark"
    QByteArray colorScheme; ///< gsettings org.gnome.desktop.interface color-scheme: "'prefer-dark'"
    QByteArray gtkSettings; ///< ~/.config/gtk-4.0/settings.ini, else gtk-3.0
    QByteArray kdeGlobals; ///< ~/.config/kdeglobals
    std::optional<bool> paletteIsDark; ///< of the palette of the platform, if it has one
};

/// Whether the desktop is dark; light if nothing is known. What was set for this program (the
/// variable) takes precedence, then the setting of the desktop, then its files.
bool isDark(const SystemLook& look);

/// Reads the files and the variable; starts no process.
SystemLook readSystemLook();

/// The files to watch: a change of one of them may change the result of readSystemLook().
QStringList systemLookFiles();

} // namespace slipway

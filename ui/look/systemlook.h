// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace slipway {

/// What the desktop says of its appearance, each as raw text; empty: it says nothing. A value, so
/// that the inference below needs no desktop to be tested.
struct SystemLook {
    QByteArray gtkThemeVariable; ///< $GTK_THEME: "Adwaita:dark"
    QByteArray colorScheme; ///< gsettings org.gnome.desktop.interface color-scheme: "'prefer-dark'"
    QByteArray gtkSettings; ///< ~/.config/gtk-4.0/settings.ini, else gtk-3.0
    QByteArray kdeGlobals; ///< ~/.config/kdeglobals
    std::optional<bool> paletteIsDark; ///< of the platform's own palette, when it has one
};

/// Whether the desktop is dark; light when nothing is known. What was set by hand for this program
/// (the variable) counts first, then the desktop's setting, then its files.
bool isDark(const SystemLook& look);

/// Reads the files and the variable; runs nothing.
SystemLook readSystemLook();

/// The files whose change means that readSystemLook() would answer differently.
QStringList systemLookFiles();

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/look/systemlook.h"

#include <QApplication>
#include <QFile>
#include <QPalette>
#include <QStandardPaths>
#include <QStringList>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QByteArray readSmall(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(64 * 1024) : QByteArray();
}

/// The value of `key` in an INI text, in any section.
QByteArray valueOf(const QByteArray& ini, QByteArrayView key)
{
    for (const QByteArray& line : ini.split('\n')) {
        const qsizetype equals = line.indexOf('=');
        if (equals > 0 && line.first(equals).trimmed() == key) {
            return line.sliced(equals + 1).trimmed().toLower();
        }
    }
    return {};
}

} // namespace

bool isDark(const SystemLook& look)
{
    if (!look.gtkThemeVariable.isEmpty()) {
        return look.gtkThemeVariable.toLower().contains("dark");
    }
    if (!look.colorScheme.isEmpty()) {
        return look.colorScheme.contains("dark");
    }
    const QByteArray preferDark = valueOf(look.gtkSettings, "gtk-application-prefer-dark-theme");
    if (!preferDark.isEmpty()) {
        return preferDark == "1" || preferDark == "true";
    }
    const QByteArray scheme = valueOf(look.kdeGlobals, "ColorScheme");
    if (!scheme.isEmpty()) {
        return scheme.contains("dark");
    }
    return look.paletteIsDark.value_or(false);
}

QStringList systemLookFiles()
{
    const QString config = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    return {config % u"/gtk-4.0/settings.ini"_s, config % u"/gtk-3.0/settings.ini"_s,
        config % u"/kdeglobals"_s};
}

SystemLook readSystemLook()
{
    const QStringList files = systemLookFiles();
    SystemLook look;
    look.gtkThemeVariable = qgetenv("GTK_THEME");
    look.gtkSettings = readSmall(files[0]);
    if (look.gtkSettings.isEmpty()) {
        look.gtkSettings = readSmall(files[1]);
    }
    look.kdeGlobals = readSmall(files[2]);
    return look;
}

} // namespace slipway

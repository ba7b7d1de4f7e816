// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/notifysettings.h"

#include <QSettings>

namespace slipway {

namespace {

const QString notifyKey = QStringLiteral("notify/on");
const QString soundKey = QStringLiteral("notify/sound");

} // namespace

NotifySettings NotifySettings::stored()
{
    const QSettings settings;
    return {settings.value(notifyKey, true).toBool(), settings.value(soundKey, false).toBool()};
}

void NotifySettings::store() const
{
    QSettings settings;
    settings.setValue(notifyKey, on);
    settings.setValue(soundKey, sound);
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/resolvedtarget.h"

namespace slipway {

QStringList ResolvedTarget::defaultMethods()
{
    return {QStringLiteral("publickey"), QStringLiteral("keyboard-interactive"),
        QStringLiteral("password")};
}

QString ResolvedTarget::displayName() const
{
    const QString name = user + u'@' + alias;
    return port == 22 ? name : QString(name + u':' + QString::number(port));
}

} // namespace slipway

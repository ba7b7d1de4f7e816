// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/announce.h"

#include <QAccessible>
#include <QWidget>

namespace slipway {

void announce(QWidget* where, const QString& text)
{
    if (!where || text.isEmpty() || where->accessibleName() == text) {
        return;
    }
    where->setAccessibleName(text); // sends NameChanged
    QAccessibleEvent alert(where, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QCoreApplication>

namespace slipway {

/// A sentence for a person, for code outside of QObject.
inline QString tr(const char* text)
{
    return QCoreApplication::translate("Slipway", text);
}

} // namespace slipway

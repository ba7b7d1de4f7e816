// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"

namespace slipway {

QString sourcePath(const QString& below)
{
    return QStringLiteral(SLIPWAY_SOURCE_DIR) + below;
}

QString buildPath(const QString& below)
{
    return QStringLiteral(SLIPWAY_BINARY_DIR) + below;
}

} // namespace slipway

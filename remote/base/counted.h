// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

namespace slipway {

/// "1 warning", "3 warnings": `many` contains %1, which is written as the user's locale does.
QString counted(qint64 count, const QString& one, const QString& many);

} // namespace slipway

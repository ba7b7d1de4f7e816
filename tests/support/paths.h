// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

namespace slipway {

/// Absolute paths of this checkout and its build. Functions and not macros: the folder's name in
/// every test source would keep a compiler cache from serving a second clone.
QString sourcePath(const QString& below = {}); ///< `below` begins with a slash
QString buildPath(const QString& below = {});

} // namespace slipway

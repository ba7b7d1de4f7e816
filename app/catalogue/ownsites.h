// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QString>

namespace slipway {

/// Writes a site file into the person's folder, `config`/sites/<id>.json, whole or not at all. An
/// error when it is no site file, when its id is another, or when there is one already and
/// `overwrite` is not said. The result is the path.
Result<QString> saveOwnSite(
    const QString& config, const QString& id, const QByteArray& json, bool overwrite);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QString>

namespace slipway {

/// Writes a site file into the person's folder, `config`/sites/<id>.json, completely or not at all.
/// An error when the content is not a site file, when its id differs, or when the file exists and
/// `overwrite` is false. The result is the path.
Result<QString> saveOwnSite(
    const QString& config, const QString& id, const QByteArray& json, bool overwrite);

/// Deletes the person's own file of a site; one of the program with the same id stays.
Result<void> removeOwnSite(const QString& config, const QString& id);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QString>

#include <vector>

namespace slipway {

/// A file or symbolic link of a recipe's folder, copied from elsewhere on this computer. A value.
struct RecipeFile {
    QString name; ///< relative to the recipe's folder
    QString source; ///< absolute; of a link: empty
    bool isExecutable = false;
    QString linkTarget = {}; ///< of a link, relative
};

/// Writes a recipe into the person's folder, `config`/recipes/<id>/, completely or not at all. An
/// error when the content is not a recipe, when its id differs, or when the folder exists and
/// `overwrite` is false. The result is the folder. Blocks; for a worker thread.
Result<QString> saveOwnRecipe(const QString& config, const QString& id, const QByteArray& json,
    const std::vector<RecipeFile>& files, bool overwrite);

/// Deletes the folder of one of the person's own recipes, and nothing outside `config`/recipes.
Result<void> removeOwnRecipe(const QString& config, const QString& folder);

} // namespace slipway

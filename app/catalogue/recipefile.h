// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"
#include "remote/base/result.h"

#include <QJsonObject>

namespace slipway {

/// Reads a recipe.json strictly: an error names the file, the line and the field. `folder` is where
/// it was read from. Pure.
Result<Recipe> parseRecipe(const QByteArray& json, const QString& folder);

/// A pattern as it stands among the "patterns" of a recipe.json.
QJsonObject patternToJson(const PatternSpec& pattern);

} // namespace slipway

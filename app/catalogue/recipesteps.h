// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/jsonfields.h"
#include "app/catalogue/recipe.h"

namespace slipway {

// The steps of a recipe file, and the checks that need the whole file. Pure.

RecipeStep readRecipeStep(JsonFields& fields);

/// Reports names that are used twice, placeholders without a value, and missing images and files.
void checkRecipeSteps(JsonFields& fields, const Recipe& recipe);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/jsonfields.h"
#include "app/catalogue/recipe.h"

namespace slipway {

// The steps of a recipe file, and what can only be judged over the whole of it. Pure.

RecipeStep readRecipeStep(JsonFields& fields);

/// Complains of names that meet, placeholders that nothing fills, images and files that nobody
/// names.
void checkRecipeSteps(JsonFields& fields, const Recipe& recipe);

} // namespace slipway

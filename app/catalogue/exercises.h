// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"

namespace slipway {

class JsonFields;
struct Resources;

// What a recipe offers to try next: teaching.next of its file. Pure.

/// Reads the list: a text is advice, an object an exercise.
std::vector<Exercise> readNext(JsonFields& teaching);

/// Reports exercises that the recipe's own fields do not accept.
void checkExercises(JsonFields& fields, const Recipe& recipe);

/// Removes exercises that name a missing recipe or do not match its fields, and adds an error for
/// each. To be called once all recipes are known.
void checkExercises(Resources* resources);

} // namespace slipway

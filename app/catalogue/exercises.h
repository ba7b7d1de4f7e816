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

/// Complains of exercises that the recipe's own fields cannot take.
void checkExercises(JsonFields& fields, const Recipe& recipe);

/// Takes out the exercises of recipes that are not there, or whose fields are others, and says so
/// among the errors. Once all recipes are known.
void checkExercises(Resources* resources);

} // namespace slipway

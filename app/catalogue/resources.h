// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"
#include "app/catalogue/site.h"

#include <vector>

namespace slipway {

/// Every site and recipe that could be read, and an error for each file that could not. A value.
struct Resources {
    std::vector<Site> sites; ///< the demo cluster first, then by name; sites without launches last
    std::vector<Recipe>
        recipes; ///< by group in the order of the gallery, then by their order and title
    std::vector<Error> errors;
};

} // namespace slipway

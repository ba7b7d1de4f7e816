// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/resources.h"

namespace slipway {

/// Reads sites/*.json and recipes/*/recipe.json below the program's own folder and below the
/// person's; of two with one id the person's wins. Reads the disk; small files only.
Resources loadResources(const QString& builtInFolder, const QString& ownFolder);

/// The folder with sites/ and recipes/: $SLIPWAY_RESOURCES, else beside the program (installed, or
/// in the build folder of a source tree).
QString resourceFolder();

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/documents/document.h"
#include "app/launch/explain/hints.h"
#include "app/launch/race/references.h"
#include "app/launch/recipe.h"
#include "app/launch/site.h"

#include <vector>

namespace slipway {

/// Every site and recipe that could be read, and an error for each file that could not. A value.
struct Resources {
    std::vector<Site> sites; ///< the demo cluster first, then by name; what cannot be launched on last
    std::vector<Recipe> recipes; ///< by group in the order of the gallery, then by their order and title
    std::shared_ptr<const HintBook> hints; ///< never null
    RaceReferences references; ///< what a race is compared with
    std::vector<Error> errors;
};

/// Reads sites/*.json, recipes/*/recipe.json, hints.json and gpu-references.json below the program's own folder and below the person's;
/// of two with one id the person's wins. Reads the disk; small files only.
Resources loadResources(const QString& builtInFolder, const QString& ownFolder);

/// The documents that Slipway began with, by id, and an error for each file that could not be read. A value.
struct Documents {
    std::vector<Document> documents;
    std::vector<Error> errors;

    std::vector<Workflow> workflows() const; ///< of all of them
};

/// Reads documents/*.json of both folders; of two with one id the person's wins. Apart from the rest, as
/// only those who look at the documents need them. Reads the disk: some hundred KB.
Documents loadDocuments(const QString& builtInFolder, const QString& ownFolder);

/// The folder with sites/ and recipes/: $SLIPWAY_RESOURCES, else beside the program (installed, or in
/// the build folder of a source tree).
QString resourceFolder();

} // namespace slipway

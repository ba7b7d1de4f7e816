// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

// The images of a plan: which are pulled, which are built, and their variables in the script. Pure.

/// An image that a plan's steps run in.
struct PlanImage {
    QString key; ///< of its parameter; of a built one: its file name
    QString variable; ///< of the script that holds its path: "image", "image_base"
    std::optional<ImageReference> reference; ///< none: built by the recipe itself
};

/// The definition file of a build step, with the person's values.
QString buildDefinition(const Plan& plan, const RecipeStep& step);
/// Whether a step builds from a definition file in the person's folder.
bool hasOwnDefinition(const RecipeStep& step);
/// The file name of the image that a step builds: that of the definition file if it was left empty.
QString buildOutput(const Plan& plan, const RecipeStep& step);

/// The images that the steps name, each once, in the order of the parameters; built ones last.
std::vector<PlanImage> planImages(const Plan& plan);

/// The image that a step runs in; none: it runs on the node itself.
std::optional<PlanImage> stepImage(const Plan& plan, const RecipeStep& step);

/// The path of an image that all runs share, or of a built image, as a shell word.
QString imagePathWord(const Plan& plan, const PlanImage& image);

/// The site's image folder, as a path that its shell expands: "$SCRATCH/slipway/images".
QString imageFolder(const Site& site);
/// The folder of images that recipes build.
QString builtFolder(const Site& site);

/// Whether the plan installs packages that later runs use again.
bool usesPackages(const Plan& plan);
/// The site's folder of such packages: "$SCRATCH/slipway/packages".
QString packageFolder(const Site& site);

/// image.bytes, for pull_once: a line "STEP BYTES" for each pulled image whose compressed size is
/// in `sizes`, by the text of the image. Empty: none is known.
QByteArray imageBytesFile(const Plan& plan, const QMap<QString, qint64>& sizes);

/// The steps that pull images: "image", "image-2".
std::vector<PlanStep> imageSteps(const Plan& plan);

/// Whether the registry of an image uses plain HTTP at this site.
bool speaksPlainHttp(const Site& site, const ImageReference& image);

/// The path of the image that all runs share, as a shell word: "$SCRATCH"/slipway/images/…; or the
/// file that the user named.
QString imageFileWord(const Plan& plan, const ImageReference& image);

} // namespace slipway

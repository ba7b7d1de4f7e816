// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

// The images of a plan: which are pulled, which are built, and what the script calls them. Pure.

/// An image that a plan's steps run in.
struct PlanImage {
    QString key; ///< of its parameter; of a built one: its file name
    QString variable; ///< of the script that holds its path: "image", "image_base"
    std::optional<ImageReference> reference; ///< none: built by the recipe itself
};

/// The images that the steps name, each once, in the order of the parameters; built ones last.
std::vector<PlanImage> planImages(const Plan& plan);

/// The image that a step runs in; none: it runs on the node itself.
std::optional<PlanImage> stepImage(const Plan& plan, const RecipeStep& step);

/// Where an image lies for every run to find, or is built, as a shell word.
QString imagePathWord(const Plan& plan, const PlanImage& image);

/// Where the site keeps images, as a path that its shell completes: "$SCRATCH/slipway/images".
QString imageFolder(const Site& site);
/// Where images go that a recipe builds.
QString builtFolder(const Site& site);

/// The steps that pull what must be pulled: "image", "image-2".
std::vector<PlanStep> imageSteps(const Plan& plan);

/// Whether the registry of an image speaks plain HTTP at this site.
bool speaksPlainHttp(const Site& site, const ImageReference& image);

} // namespace slipway

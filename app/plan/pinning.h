// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

// The field “pin”: images are named by the digests that their registries have for them at the
// launch, so that the run keeps its image when a tag moves. Pure.

/// The field of the form; none: the recipe has no image of its own choice.
std::optional<Parameter> pinField(const Recipe& recipe);

/// Where the field is set: puts the digests that the spec knows into the plan's values.
void pinImages(Plan* plan);

/// Images that should be pinned and have no digest yet, as they are written in the form.
std::vector<ImageReference> unpinnedImages(const Plan& plan);

/// The launch of a run's image once more: its fields pinned to the digest in the registry that the
/// run has noted. An error: it noted none, or its image is no docker:// image.
Result<LaunchSpec> withPinnedImage(LaunchSpec spec, const Plan& plan, const QString& digest);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/command.h"

namespace slipway {

// What registries say of the images of a launch, for “run” and “lint”.

/// The image of one field, judged.
struct CheckedImage {
    LaunchImage image;
    ImageAnswer answer;
    LaunchImageState state;
};

/// Asks the registries of all images of the launch; four seconds at most.
QCoro::Task<std::vector<CheckedImage>> checkImages(Context& context, LaunchSpec spec);

/// The value of "image_check": one object for each image.
QJsonArray imageCheckObjects(const std::vector<CheckedImage>& images);

/// A line for each image on stderr: for “run”, which goes on.
void noteImages(Context& context, const std::vector<CheckedImage>& images);
/// The same as problems on stdout: for “lint”.
void printImages(Context& context, const std::vector<CheckedImage>& images);

/// Why the launch cannot work; none: nothing is known against it.
std::optional<Error> imageRefusal(const std::vector<CheckedImage>& images);

} // namespace slipway

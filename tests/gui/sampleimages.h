// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imageinspector.h"
#include "app/images/imagestore.h"

namespace slipway {

// What a registry could have said of an image, and what a cluster could keep: plausible values for
// tests and pictures of the window. None of it was measured.

/// An image that runs on one partition, not on another, without a GPU on the third; nothing is
/// known of the fourth.
ImageInspection sampleInspection();
/// Four images, one of them in use, and two caches.
ImageList sampleImageList();

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"
#include "app/images/imagelist.h"
#include "app/images/imagescan.h"
#include "remote/base/result.h"

#include <QByteArray>

namespace slipway {

struct Plan;

// The scan for images and caches on a cluster: its scripts, and the parsing of their output. Pure.
// Only what a new scan finds is ever deleted: files of this account with the endings of images,
// below the site's image folder, never through a link.

/// Whether a file with this name below the image folder is an image, or what is left of its pull.
bool isImageName(const QString& name);

/// Lists the images and caches of this account. The folders are those of the site's file and of the
/// login shell's variables.
QByteArray imageScanScript(const Site& site);

/// The images of a plan: pulled ones and built ones. Without run and digest.
std::vector<ImageUse> imageUses(const Plan& plan);

/// An output that was cut off is an error, because what is missing is not known to be gone.
Result<ImageList> readImageList(const QByteArray& answer, const ImageScan& scan);

/// Deletes these images of a list with the digests and locks beside them.
QByteArray removeImagesScript(const QString& folder, const std::vector<StoredImage>& images);
/// Why each of the images was left; empty: it is gone.
QStringList readRemovedImages(const QByteArray& answer, size_t count);

/// Empties caches of a list, and measures them again.
QByteArray clearCachesScript(const std::vector<ImageCache>& caches);
/// The bytes that were freed, of caches whose size is known. An error if nothing could be cleared.
Result<qint64> readClearedCaches(const QByteArray& answer, const std::vector<ImageCache>& before);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imagelist.h"
#include "app/images/imagescan.h"

#include <QByteArray>

namespace slipway {

// The part of the scan of a cluster that finds sets of Python packages and asks for the quota.
// Pure.

/// Lines of the scan's script, after those of the images. `folder` is a shell word.
QByteArray packageScanPart(const QByteArray& folder);
/// Adds the sets of packages to the list.
void readPackages(const QByteArray& answer, const ImageScan& scan, ImageList* list);

/// Lines of the scan's script that ask for the quota of this account where images are kept, in the
/// ways of Linux (quota) and Lustre; for at most 3 s each.
QByteArray quotaScanPart();
/// None: there is no quota, or what the site said was not understood.
std::optional<StorageQuota> readQuota(const QByteArray& answer);

/// Deletes these sets of a list with their locks, unless a job installs them now. Read by
/// readRemovedImages().
QByteArray removePackagesScript(const QString& folder, const std::vector<PackageSet>& sets);

} // namespace slipway

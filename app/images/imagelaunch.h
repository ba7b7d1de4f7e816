// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/launchspec.h"
#include "remote/container/runtime.h"

namespace slipway {

// The launches that make an image on a cluster, for both programs. Pure.

/// A pull in a job on a compute node.
LaunchSpec pullImageLaunch(const QString& siteId, const ImageReference& image);

/// The recipe that builds a definition file of a person's folder.
QString buildImageRecipe();
/// Its launch: `definition` is a path in `folder`, a folder on this computer.
LaunchSpec buildImageLaunch(
    const QString& siteId, const QString& folder, const QString& definition);

/// An image from an archive on the cluster, which is removed afterwards unless it is to be kept.
LaunchSpec archiveImageLaunch(
    const QString& siteId, const QString& name, const QString& archive, bool keepArchive);

} // namespace slipway

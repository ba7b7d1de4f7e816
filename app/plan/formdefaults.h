// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"
#include "app/catalogue/site.h"
#include "app/plan/launchspec.h"
#include "remote/slurm/clusterinfo.h"

#include <optional>

namespace slipway {

// The default of a form field, and where it comes from. Pure.

/// The value of a field from the user, the site file or the recipe at this site; none: not set.
std::optional<QString> givenValue(
    const Recipe& recipe, const Site& site, const LaunchSpec& spec, const QString& key);

/// The partition for a launch that names none: with GPUs where the recipe uses some, otherwise
/// without if the site has such nodes; meant for this kind of launch; the site's default among
/// those.
QString defaultPartition(const Recipe& recipe, const Site& site,
    const std::optional<ClusterInfo>& cluster, const LaunchSpec& spec);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

/// Never fails: problems are in Plan::problems. Pure.
Plan makePlan(const LaunchSpec& spec, const Recipe& recipe, const Site& site,
    const std::optional<ClusterInfo>& cluster);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

// What a plan says, for those who make its steps and those who check it. Pure.

/// The image of the plan; none: the recipe runs on the node itself.
std::optional<ImageReference> planImage(const Plan& plan);

/// Whether the job has a GPU: requested, or coming with the node.
bool jobHasGpu(const Plan& plan, const std::optional<ClusterInfo>& cluster);

/// Whether Slurm may start the job again, which then needs its secrets and logins again.
bool mayStartAgain(const Plan& plan);

/// The lanes that were chosen, in the recipe's order.
std::vector<Lane> chosenLanes(const Plan& plan);

/// The value of the recipe's first field of this type, and its key.
std::optional<Parameter> fieldOfType(const Plan& plan, Parameter::Type type);

} // namespace slipway

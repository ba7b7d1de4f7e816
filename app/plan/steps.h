// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

// From a recipe's steps to shell text. Pure.

/// The steps of a plan whose values and job are resolved: node check, image, container check, the
/// recipe's own steps.
std::vector<PlanStep> planSteps(const Plan& plan, const std::optional<ClusterInfo>& cluster);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

// From a recipe's steps to shell text. Pure.

/// The steps of a plan whose values and job are resolved: node check, image, container check, the
/// recipe's own steps.
std::vector<PlanStep> planSteps(const Plan& plan, const std::optional<ClusterInfo>& cluster);

/// The image of the plan; none: the recipe runs on the node itself.
std::optional<ImageReference> planImage(const Plan& plan);

/// The path of the image that all runs share, as a shell word: "$SCRATCH"/slipway/images/…; or the
/// file that the user named.
QString imageFileWord(const Plan& plan, const ImageReference& image);

/// Whether the job has a GPU: requested, or coming with the node.
bool jobHasGpu(const Plan& plan, const std::optional<ClusterInfo>& cluster);

/// The lanes that were chosen, in the recipe's order.
std::vector<Lane> chosenLanes(const Plan& plan);

/// The value of the recipe's first field of this type, and its key.
std::optional<Parameter> fieldOfType(const Plan& plan, Parameter::Type type);

} // namespace slipway

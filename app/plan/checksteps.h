// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

// The look at the node, before the work and before the image's gigabytes move. Pure.

/// What becomes of a failed check, as the field "check" says it.
enum class NodeCheck {
    Report, ///< the job goes on
    Stop, ///< it ends the job
    None, ///< nothing is looked at
};
NodeCheck nodeCheck(const Plan& plan);

/// The word of the first check's step and of its stage. The second one, in the container, is a part
/// of the same stage.
const QString checkStepId = QStringLiteral("check");
const QString containerCheckId = QStringLiteral("check-container");

/// The check of the node itself; nothing where none is wanted.
std::vector<PlanStep> hostCheckSteps(const Plan& plan, bool gpu);

/// The check inside the container that the recipe's work runs in, with the same flags; nothing
/// where there is no container. `before`: the recipe's step that it must come before.
struct ContainerCheck {
    PlanStep step;
    QString before;
};
std::optional<ContainerCheck> containerCheck(const Plan& plan, bool gpu);

} // namespace slipway

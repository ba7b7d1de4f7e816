// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

namespace slipway {

// The check of the node, before the work and before the image is pulled. Pure.

/// What happens after a failed check, as set in the field "check".
enum class NodeCheck {
    Report, ///< the job continues
    Stop, ///< it ends the job
    None, ///< no check
};
NodeCheck nodeCheck(const Plan& plan);

/// The id of the first check's step and of its stage. The second check, in the container, belongs
/// to the same stage.
const QString checkStepId = QStringLiteral("check");
const QString containerCheckId = QStringLiteral("check-container");

/// The check of the node itself; nothing when it is switched off.
std::vector<PlanStep> hostCheckSteps(const Plan& plan, bool gpu);

/// The check inside the container that the recipe's work runs in, with the same flags; nothing
/// where there is no container. `before`: the recipe's step that it must precede.
struct ContainerCheck {
    PlanStep step;
    QString before;
};
std::optional<ContainerCheck> containerCheck(const Plan& plan, bool gpu);

} // namespace slipway

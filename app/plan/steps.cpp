// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/steps.h"

#include "app/catalogue/fields.h"
#include "app/plan/checksteps.h"
#include "app/plan/planfacts.h"
#include "app/plan/stepbody.h"
#include "app/plan/stepimages.h"

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

/// Why a GPU is found inside a container, for the first step that uses one.
QString nvComment(const Plan& plan)
{
    if (isEnrootLike(plan.site.runtime))
        return QStringLiteral("A hook of enroot adds the node's NVIDIA driver to images that set "
                              "NVIDIA_VISIBLE_DEVICES, as NVIDIA's do; there is no --nv.");
    return QStringLiteral("--nv binds the node's NVIDIA driver into the container; without it no "
                          "GPU is visible inside.");
}

/// Puts the comment above the first step that starts a container with the driver.
void explainNv(const Plan& plan, std::vector<PlanStep>* steps)
{
    if (!planImage(plan))
        return;
    const std::vector<Lane> lanes = chosenLanes(plan);
    for (PlanStep& step : *steps) {
        const bool lane = step.laneId.isEmpty()
            || std::any_of(lanes.begin(), lanes.end(),
                [&](const Lane& one) { return one.id == step.laneId && one.needsGpu; });
        const bool nv = std::any_of(
            plan.recipe.steps.begin(), plan.recipe.steps.end(), [&](const RecipeStep& one) {
                return one.nv && one.kind == RecipeStep::Kind::Exec
                    && (step.id == one.id || step.id.startsWith(one.id + u'-'));
            });
        if (step.stage == u"running" && lane && nv) {
            step.comment << nvComment(plan);
            return;
        }
    }
}

/// The turns of a step: one, or one per lane, or one per value of the sweep, or both.
std::vector<StepTurn> turnsOf(
    const Plan& plan, const RecipeStep& step, const std::vector<Lane>& lanes)
{
    std::vector<StepTurn> turns;
    if (step.perLane) {
        for (const Lane& lane : lanes)
            turns.push_back({&lane, {}});
    } else {
        turns.push_back({});
    }
    if (!step.perSweep)
        return turns;
    std::vector<StepTurn> both;
    for (const StepTurn& turn : turns) {
        for (const QString& each : listItems(plan.values.value(plan.recipe.sweep.parameter)))
            both.push_back({turn.lane, each});
    }
    return both;
}

PlanStep plannedStep(const Plan& plan, const RecipeStep& step, const StepTurn& turn, bool gpu)
{
    PlanStep planned;
    planned.stage = QStringLiteral("running");
    planned.id = step.id;
    planned.title = step.title;
    planned.goesOn = step.perLane || step.perSweep;
    planned.expect = step.expect;
    if (step.perSweep)
        planned.title = stepTitle(step, turn);
    if (turn.lane) {
        planned.id += u'-' + turn.lane->id;
        planned.title = step.perSweep ? turn.lane->label + QStringLiteral(", ") + planned.title
                                      : turn.lane->label;
        planned.laneId = turn.lane->id;
    }
    if (!turn.each.isEmpty())
        planned.id += u'-' + turn.each;
    planned.body = stepBody(plan, step, turn, gpu);
    return planned;
}

} // namespace

std::vector<PlanStep> planSteps(const Plan& plan, const std::optional<ClusterInfo>& cluster)
{
    const bool gpu = jobHasGpu(plan, cluster);
    std::vector<PlanStep> steps = hostCheckSteps(plan, gpu);
    for (PlanStep& step : imageSteps(plan))
        steps.push_back(std::move(step));
    std::optional<ContainerCheck> check = containerCheck(plan, gpu);
    const std::vector<Lane> lanes = chosenLanes(plan);
    for (const RecipeStep& step : plan.recipe.steps) {
        QStringList comment = step.comment;
        if (check && check->before == step.id)
            steps.push_back(std::exchange(check, {})->step);
        for (const StepTurn& turn : turnsOf(plan, step, lanes)) {
            steps.push_back(plannedStep(plan, step, turn, gpu));
            steps.back().comment = std::exchange(comment, {}); // above the first turn only
        }
    }
    if (gpu)
        explainNv(plan, &steps);
    return steps;
}

} // namespace slipway

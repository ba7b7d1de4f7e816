// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/checksteps.h"

#include "app/catalogue/placeholders.h"
#include "app/plan/stepbody.h"
#include "app/plan/stepimages.h"

#include <algorithm>

namespace slipway {

namespace {

/// Emulated GPUs that Slurm counts: nothing must look for them.
QStringList withoutEmulatedGpus(const Plan& plan, bool gpu)
{
    if (!gpu || plan.site.gpusAreReal.value_or(true))
        return {};
    return {QStringLiteral("env"), QStringLiteral("-u"), QStringLiteral("SLURM_JOB_GPUS"),
        QStringLiteral("-u"), QStringLiteral("SLURM_GPUS_ON_NODE")};
}

/// The step whose container is checked: the first one that gets the driver, else the first of all.
const RecipeStep* checkedStep(const Plan& plan, bool gpu)
{
    const RecipeStep* first = nullptr;
    for (const RecipeStep& step : plan.recipe.steps) {
        if (step.kind != RecipeStep::Kind::Exec || !stepImage(plan, step))
            continue;
        if (gpu && step.nv)
            return &step;
        if (!first)
            first = &step;
    }
    return first;
}

/// The same container as the step's, for the check: one process, without an overlay.
RecipeStep containerCheckStep(RecipeStep step, bool gpu)
{
    step.nv = step.nv && gpu;
    step.overlay.clear();
    step.fakeroot = step.runScript = false;
    step.workDir.clear();
    step.mpi.clear();
    step.tasks.clear();
    step.start = RecipeStep::Start::Once;
    step.perLane = step.perSweep = false;
    const bool inside = std::any_of(step.binds.begin(), step.binds.end(),
        [](const Bind& bind) { return bind.source == u"$PWD"; });
    if (step.contain && !inside)
        step.binds.push_back({QStringLiteral("$PWD"), {}, false}); // the folder of the probe
    return step;
}

} // namespace

NodeCheck nodeCheck(const Plan& plan)
{
    const QString value = plan.values.value(QStringLiteral("check"));
    return value == u"none" ? NodeCheck::None
        : value == u"stop"  ? NodeCheck::Stop
                            : NodeCheck::Report;
}

std::vector<PlanStep> hostCheckSteps(const Plan& plan, bool gpu)
{
    if (nodeCheck(plan) == NodeCheck::None)
        return {};
    PlanStep step;
    step.id = step.stage = checkStepId;
    step.title = QStringLiteral("Check the node");
    step.comment = QStringList{nodeCheck(plan) == NodeCheck::Stop
            ? QStringLiteral("What slipway-probe finds on this node; a failed check ends the job "
                             "before an image is pulled.")
            : QStringLiteral("What slipway-probe finds on this node: its rows go to probe.ndjson. "
                             "It only reports.")};
    const QStringList words = withoutEmulatedGpus(plan, gpu);
    if (!words.isEmpty())
        step.comment << QStringLiteral(
            "The GPUs of this cluster are emulated, so the probe does not see them.");
    step.body =
        wrapWords(QStringList{QStringLiteral("probe_check"), QStringLiteral("host")} + words)
            .toUtf8()
        + '\n';
    return {step};
}

std::optional<ContainerCheck> containerCheck(const Plan& plan, bool gpu)
{
    const RecipeStep* const checked =
        nodeCheck(plan) == NodeCheck::None ? nullptr : checkedStep(plan, gpu);
    if (!checked)
        return {};
    const bool real = plan.site.gpusAreReal.value_or(true);
    ContainerCheck check;
    check.before = checked->id;
    PlanStep& step = check.step;
    step.id = containerCheckId;
    step.stage = checkStepId;
    step.title = QStringLiteral("Check the container");
    step.comment = QStringList{QStringLiteral("The same in the container: what the node has and "
                                              "the container lacks was not bound into it.")};
    const QStringList words = withoutEmulatedGpus(plan, gpu)
        + startWords(plan, containerCheckStep(*checked, gpu && real), gpu && real);
    step.body = "probe_check container \\\n    " + wrapWords(words).toUtf8() + '\n';
    return check;
}

} // namespace slipway

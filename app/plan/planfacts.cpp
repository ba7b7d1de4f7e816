// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/planfacts.h"

#include "app/catalogue/fields.h"

#include <algorithm>

namespace slipway {

std::optional<Parameter> fieldOfType(const Plan& plan, Parameter::Type type)
{
    const auto it = std::find_if(plan.recipe.parameters.begin(), plan.recipe.parameters.end(),
        [type](const Parameter& parameter) { return parameter.type == type; });
    if (it == plan.recipe.parameters.end())
        return {};
    Parameter field = *it;
    field.value = plan.values.value(field.key);
    return field;
}

std::optional<ImageReference> planImage(const Plan& plan)
{
    const std::optional<Parameter> field = fieldOfType(plan, Parameter::Type::Image);
    if (!field || field->value.trimmed().isEmpty())
        return {};
    const Result<ImageReference> image = ImageReference::parse(field->value.trimmed());
    if (!image.ok())
        return {};
    return *image;
}

bool jobHasGpu(const Plan& plan, const std::optional<ClusterInfo>& cluster)
{
    if (plan.site.gpuRequest == GpuRequestStyle::WholeNode)
        return partitionFacts(plan.job.partition, plan.site, cluster).partition.gpusPerNode > 0;
    return plan.job.gpus > 0;
}

bool mayStartAgain(const Plan& plan)
{
    return plan.job.requeue && plan.spec.mode == LaunchMode::Batch;
}

std::vector<Lane> chosenLanes(const Plan& plan)
{
    std::vector<Lane> lanes;
    const std::optional<Parameter> field = fieldOfType(plan, Parameter::Type::Lanes);
    const QStringList chosen = field ? listItems(field->value) : QStringList();
    for (const Lane& lane : plan.recipe.lanes) {
        if (chosen.contains(lane.id))
            lanes.push_back(lane);
    }
    return lanes;
}

} // namespace slipway

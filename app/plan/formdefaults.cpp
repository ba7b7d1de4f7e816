// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/formdefaults.h"

#include "app/catalogue/fields.h"

#include <algorithm>
#include <functional>

namespace slipway {

namespace {

using Type = Parameter::Type;

/// The lanes that were chosen explicitly; none: no choice was made.
std::optional<QStringList> givenLanes(
    const Recipe& recipe, const Site& site, const LaunchSpec& spec)
{
    for (const Parameter& parameter : recipe.parameters) {
        if (parameter.type != Type::Lanes)
            continue;
        if (const auto value = givenValue(recipe, site, spec, parameter.key))
            return listItems(*value);
    }
    return {};
}

bool wantsGpu(const Recipe& recipe, const Site& site, const LaunchSpec& spec)
{
    if (const auto gpus = givenValue(recipe, site, spec, QStringLiteral("gpus")))
        return gpus->toInt() > 0;
    const std::optional<QStringList> lanes = givenLanes(recipe, site, spec);
    const bool lane = std::any_of(recipe.lanes.begin(), recipe.lanes.end(),
        [&](const Lane& one) { return one.needsGpu && (!lanes || lanes->contains(one.id)); });
    if (lanes) // an explicit choice: a requested lane gets its GPU
        return lane;
    return site.gpusAreReal.value_or(true)
        && (lane || recipe.resources.value(QStringLiteral("gpus")).toInt() > 0);
}

} // namespace

std::optional<QString> givenValue(
    const Recipe& recipe, const Site& site, const LaunchSpec& spec, const QString& key)
{
    if (spec.values.contains(key))
        return spec.values.value(key);
    // From the specific to the general: the site on this recipe, the recipe on this site, the site
    // on all.
    for (const QMap<QString, QString>& values : {site.recipeValues.value(recipe.id),
             recipe.siteValues.value(site.id), site.recipeValues.value(QStringLiteral("*"))}) {
        if (values.contains(key))
            return values.value(key);
    }
    return {};
}

QString defaultPartition(const Recipe& recipe, const Site& site,
    const std::optional<ClusterInfo>& cluster, const LaunchSpec& spec)
{
    const QStringList names = partitionNames(site, cluster);
    const QString wanted = recipe.resources.value(QStringLiteral("partition"));
    if (names.contains(wanted))
        return wanted;
    const PartitionPurpose other =
        spec.mode == LaunchMode::Batch ? PartitionPurpose::Interactive : PartitionPurpose::Batch;
    std::vector<SitePartition> fitting;
    for (const QString& name : names) {
        const SitePartition partition = partitionFacts(name, site, cluster).partition;
        if (partition.purpose != other)
            fitting.push_back(partition);
    }
    // A job without a GPU avoids nodes with GPUs, which cost more, where there are others.
    const bool gpu = wantsGpu(recipe, site, spec);
    const auto isRight = [gpu](const SitePartition& one) { return (one.gpusPerNode > 0) == gpu; };
    if (gpu || std::any_of(fitting.begin(), fitting.end(), isRight))
        fitting.erase(
            std::remove_if(fitting.begin(), fitting.end(), std::not_fn(isRight)), fitting.end());
    const auto found = std::find_if(
        fitting.begin(), fitting.end(), [](const SitePartition& one) { return one.isDefault; });
    if (found != fitting.end())
        return found->name;
    return fitting.empty() ? names.value(0) : fitting.front().name;
}

} // namespace slipway

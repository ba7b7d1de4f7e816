// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/launchfacts.h"

#include "app/plan/plan.h"

namespace slipway {

namespace {

std::optional<QString> textOf(const QJsonObject& json, const QString& key)
{
    const QJsonValue value = json.value(key);
    return value.isString() ? std::optional(value.toString()) : std::nullopt;
}

} // namespace

QJsonObject factsToJson(const Plan& plan, const std::optional<ClusterInfo>& cluster)
{
    QJsonObject values;
    for (auto it = plan.values.begin(); it != plan.values.end(); ++it)
        values.insert(it.key(), it.value());
    QJsonObject facts{{QStringLiteral("site"), plan.site.name},
        {QStringLiteral("recipe"), plan.recipe.id},
        {QStringLiteral("image"), plan.values.value(QStringLiteral("image"))},
        {QStringLiteral("partition"), plan.job.partition}, {QStringLiteral("values"), values}};
    if (cluster) {
        facts.insert(QStringLiteral("slurm"), cluster->slurmVersion);
        facts.insert(QStringLiteral("runtime"), cluster->runtimeVersion);
        facts.insert(QStringLiteral("cluster"), cluster->clusterName);
    }
    return facts;
}

LaunchFacts factsFromJson(const QJsonObject& json)
{
    const QJsonObject values = json.value(u"values").toObject();
    LaunchFacts facts;
    facts.siteName = textOf(json, QStringLiteral("site"));
    facts.image = textOf(json, QStringLiteral("image"));
    facts.partition = textOf(json, QStringLiteral("partition"));
    if (!facts.partition) // an older Slipway's
        facts.partition = textOf(values, QStringLiteral("partition"));
    facts.timeLimit = textOf(values, QStringLiteral("time"));
    for (auto it = values.begin(); it != values.end(); ++it)
        facts.values.insert(it.key(), it.value().toString());
    return facts;
}

} // namespace slipway

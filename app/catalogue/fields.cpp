// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/fields.h"

#include "app/catalogue/names.h"
#include "remote/base/tr.h"
#include "remote/container/runtime.h"

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

using Type = Parameter::Type;

QString integerProblem(const Parameter& field, const QString& text)
{
    bool ok = false;
    const qint64 number = text.toLongLong(&ok);
    if (!ok)
        return tr("expected a whole number, not “%1”.").arg(text.left(40));
    if (field.least && number < *field.least)
        return tr("%1 is less than %2, the minimum here.").arg(number).arg(*field.least);
    if (field.most && number > *field.most)
        return tr("%1 is more than %2, the maximum here.").arg(number).arg(*field.most);
    return {};
}

QString numberProblem(const QString& text)
{
    bool ok = false;
    const double number = text.toDouble(&ok);
    return ok && std::isfinite(number) ? QString()
                                       : tr("expected a number, not “%1”.").arg(text.left(40));
}

QString listProblem(const Parameter& field, const QString& text)
{
    const QStringList items = listItems(text);
    if (items.isEmpty())
        return tr("expected whole numbers separated by commas, such as 512,1024.");
    for (const QString& item : items) {
        const QString why = integerProblem(field, item);
        if (!why.isEmpty())
            return why;
    }
    return {};
}

QString chosenProblem(const Parameter& field, const QStringList& chosen)
{
    for (const QString& item : chosen) {
        if (!field.choices.contains(item))
            return tr("“%1” is not offered; choose from: %2.")
                .arg(item.left(40), field.choices.join(u", "));
    }
    return {};
}

template <typename Value> QString parseProblem(const Result<Value>& value)
{
    return value.ok() ? QString() : value.error().summary + u' ' + value.error().remedy;
}

bool hasControls(const QString& text, bool newlinesAllowed)
{
    return std::any_of(text.begin(), text.end(), [newlinesAllowed](QChar c) {
        return c.category() == QChar::Other_Control
            && !(newlinesAllowed && (c == u'\n' || c == u'\t'));
    });
}

} // namespace

QStringList partitionNames(const Site& site, const std::optional<ClusterInfo>& cluster)
{
    QStringList names;
    if (cluster) {
        for (const PartitionInfo& partition : cluster->partitions)
            names << partition.name;
    }
    if (names.isEmpty()) {
        for (const SitePartition& partition : site.partitions)
            names << partition.name;
    }
    return names;
}

PartitionFacts partitionFacts(
    const QString& name, const Site& site, const std::optional<ClusterInfo>& cluster)
{
    PartitionFacts facts;
    facts.partition.name = name;
    const auto named = [&name](const auto& partition) { return partition.name == name; };
    const auto written = std::find_if(site.partitions.begin(), site.partitions.end(), named);
    if (written != site.partitions.end()) {
        facts.partition = *written;
        facts.known = true;
    }
    if (!cluster)
        return facts;
    const auto reported =
        std::find_if(cluster->partitions.begin(), cluster->partitions.end(), named);
    if (reported == cluster->partitions.end())
        return facts;
    facts.known = true;
    facts.available = reported->available;
    facts.gpusFree = reported->gpusFree;
    SitePartition& partition = facts.partition;
    partition.isDefault = reported->isDefault;
    partition.timeLimit = reported->timeLimit;
    if (reported->nodes > 0)
        partition.nodes = reported->nodes;
    if (reported->cpusPerNode > 0)
        partition.cpusPerNode = reported->cpusPerNode;
    if (reported->memoryPerNode.mebibytes() > 0)
        partition.memoryPerNode = reported->memoryPerNode;
    // Where GPUs come with the node, Slurm does not count them: the site file's number is kept.
    if (site.gpuRequest != GpuRequestStyle::WholeNode || reported->gpusPerNode > 0) {
        partition.gpusPerNode = reported->gpusPerNode;
        partition.gpusAtLeast = false;
        partition.gpusKnown = true;
        if (!reported->gpuType.isEmpty())
            partition.gpuType = reported->gpuType;
    }
    return facts;
}

QStringList listItems(const QString& text)
{
    QStringList items;
    for (const QString& item : text.split(u',', Qt::SkipEmptyParts)) {
        if (!item.trimmed().isEmpty())
            items << item.trimmed();
    }
    return items;
}

QString valueProblem(const Parameter& field, const QString& value)
{
    if (value.trimmed().isEmpty())
        return !field.required        ? QString()
            : field.example.isEmpty() ? tr("a value is required.")
                                      : tr("a value is required, such as %1.").arg(field.example);
    if (hasControls(value, field.type == Type::Command))
        return tr("it contains a control character (tab, line break or escape), which is not "
                  "allowed here.");
    switch (field.type) {
    case Type::Text:
    case Type::Command:
    case Type::Folders: // lint reads the list
        return {};
    case Type::Path:
        return isPathExpression(value.trimmed()) || isInnerPath(value.trimmed())
            ? QString()
            : tr("expected a path: absolute, beginning with a variable such as "
                 "$SCRATCH, or below the run folder.");
    case Type::Number:
        return numberProblem(value.trimmed());
    case Type::Integer:
        return integerProblem(field, value.trimmed());
    case Type::IntegerList:
        return listProblem(field, value);
    case Type::Choice:
        return chosenProblem(field, {value});
    case Type::Lanes:
        return listItems(value).isEmpty() ? tr("choose at least one.")
                                          : chosenProblem(field, listItems(value));
    case Type::Flag:
        return value == u"true" || value == u"false" ? QString() : tr("expected true or false.");
    case Type::Image:
        return parseProblem(ImageReference::parse(value));
    case Type::WallTime:
        return parseProblem(WallTime::parse(value));
    case Type::Memory:
        return parseProblem(MemorySize::parse(value));
    }
    return {};
}

QStringList resourceKeys()
{
    static const QStringList keys{QStringLiteral("account"), QStringLiteral("partition"),
        QStringLiteral("gpus"), QStringLiteral("time"), QStringLiteral("cpus"),
        QStringLiteral("memory"), QStringLiteral("nodes"), QStringLiteral("tasks_per_node"),
        QStringLiteral("gpu_type"), QStringLiteral("qos"), QStringLiteral("reservation"),
        QStringLiteral("constraint"), QStringLiteral("job_name"), QStringLiteral("cache"),
        QStringLiteral("runtime"), QStringLiteral("requeue"), QStringLiteral("check"),
        QStringLiteral("exclusive"), QStringLiteral("memory_per_cpu"), QStringLiteral("modules"),
        QStringLiteral("binds"), QStringLiteral("environment"), QStringLiteral("pin")};
    return keys;
}

} // namespace slipway

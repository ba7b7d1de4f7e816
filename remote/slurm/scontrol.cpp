// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/scontrol.h"

#include "remote/base/tr.h"
#include "remote/slurm/records.h"

#include <QRegularExpression>
#include <QSet>

namespace slipway {

namespace {

constexpr std::size_t mostPartitions = 2000;

/// A number of MB: "9039"; none for "UNLIMITED" and for anything that is not a number.
MemorySize megabytes(const QString& text)
{
    bool ok = false;
    const qint64 count = text.toLongLong(&ok);
    return ok && count > 0 && count < (qint64(1) << 40) ? MemorySize(count) : MemorySize();
}

bool isPartitionName(const QString& name)
{
    static const QRegularExpression rule(QStringLiteral("\\A[A-Za-z0-9][A-Za-z0-9._+-]{0,99}\\z"));
    return rule.match(name).hasMatch();
}

} // namespace

QString configValue(const QByteArray& config, const char* key)
{
    for (const auto& line : config.split('\n')) {
        const auto equals = line.indexOf('=');
        if (equals < 0 || line.left(equals).trimmed() != key)
            continue;
        const QString value = lenientText(line.mid(equals + 1).trimmed());
        return value == u"(null)" ? QString() : value;
    }
    return {};
}

SchedulerConfig parseSchedulerConfig(const QByteArray& config)
{
    SchedulerConfig found;
    found.selectType = configValue(config, "SelectType").left(60);
    for (const QString& type : configValue(config, "GresTypes").split(u',', Qt::SkipEmptyParts))
        found.gresTypes << type.trimmed().left(60);
    found.mpiDefault = configValue(config, "MpiDefault").left(30);
    if (found.mpiDefault == u"none")
        found.mpiDefault.clear();
    found.memoryPerCpu = megabytes(configValue(config, "DefMemPerCPU"));
    const QStringList launch = configValue(config, "LaunchParameters").split(u',');
    found.interactiveStep = launch.contains(u"use_interactive_step");
    return found;
}

GpuRequestFinding gpuRequestOf(const SchedulerConfig& config)
{
    if (config.selectType.endsWith(u"/linear"))
        return {GpuRequestStyle::WholeNode,
            tr("The scheduler allocates whole nodes (%1): GPUs come with them.")
                .arg(config.selectType)};
    if (config.gresTypes.contains(u"gpu"))
        return {GpuRequestStyle::Gres,
            tr("The scheduler counts GPUs (GresTypes has gpu): request them with --gres=gpu:N.")};
    if (config.selectType.isEmpty())
        return {{},
            tr("How to request GPUs is unknown: the scheduler did not report its configuration.")};
    return {{},
        tr("How to request GPUs is unknown: the scheduler counts none (GresTypes has no gpu).")};
}

std::vector<PartitionLimits> parsePartitionLimits(const QByteArray& output)
{
    std::vector<PartitionLimits> partitions;
    QSet<QString> names;
    for (const auto& line : output.split('\n')) {
        if (!line.startsWith("PartitionName=") || partitions.size() >= mostPartitions)
            continue;
        PartitionLimits limits;
        for (const auto& word : line.simplified().split(' ')) {
            const auto equals = word.indexOf('=');
            const QByteArray key = word.left(std::max<qsizetype>(0, equals));
            const QString value = lenientText(word.mid(equals + 1));
            if (key == "PartitionName" && limits.name.isEmpty())
                limits.name = value;
            else if (key == "MaxNodes")
                limits.mostNodes = std::max(0, value.toInt()); // UNLIMITED is none
            else if (key == "DefMemPerCPU")
                limits.memoryPerCpu = megabytes(value);
        }
        if (!isPartitionName(limits.name) || names.contains(limits.name))
            continue;
        names.insert(limits.name);
        partitions.push_back(limits);
    }
    return partitions;
}

} // namespace slipway

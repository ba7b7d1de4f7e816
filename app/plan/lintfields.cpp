// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/fields.h"
#include "app/plan/launchlists.h"
#include "app/plan/lint.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

template <typename Value>
void lintList(const Plan& plan, const char* key, Result<Value> (*parse)(const QString&),
    std::vector<Problem>* problems)
{
    const Result<Value> value = parse(plan.values.value(QLatin1String(key)));
    if (!value.ok())
        problems->push_back(errorIn(QLatin1String(key), value.error().summary));
}

/// Data that is bound read-only: what cannot be read as a list, and what nobody can look at before
/// the job starts.
void lintData(const Plan& plan, std::vector<Problem>* problems)
{
    for (const Parameter& field : plan.fields) {
        if (field.type != Parameter::Type::Folders)
            continue;
        const auto folders = parseDataFolders(field.value);
        if (!folders.ok()) {
            problems->push_back(errorIn(field.key, folders.error().summary));
            continue;
        }
        for (const Bind& folder : *folders) {
            if (isNodeLocal(folder.source))
                problems->push_back(warningIn(field.key,
                    tr("Each node has a %1 of its own: whether the data is there is unknown before "
                       "the job starts.")
                        .arg(folder.source.left(80))));
        }
    }
}

/// Memory is requested per node or per CPU, and --exclusive brings CPUs but no memory (sbatch(1)).
void lintMemoryFields(
    const Plan& plan, const std::optional<ClusterInfo>& cluster, std::vector<Problem>* problems)
{
    const QString each = plan.values.value(QStringLiteral("memory_per_cpu")).trimmed();
    if (!each.isEmpty() && !plan.values.value(QStringLiteral("memory")).trimmed().isEmpty())
        problems->push_back(errorIn(QStringLiteral("memory"),
            tr("Memory is requested both per node and per CPU; Slurm accepts only one of them."),
            tr("Clear the memory per node"), QString()));
    if (!plan.job.exclusive || plan.job.memory || plan.job.memoryPerCpu)
        return;
    const MemorySize there =
        partitionFacts(plan.job.partition, plan.site, cluster).partition.memoryPerNode;
    const bool known = there.mebibytes() > 0;
    problems->push_back(warningIn(QStringLiteral("memory"),
        tr("--exclusive gives the job all CPUs of the node, but no additional memory."),
        known ? tr("Request %1").arg(there.slurmText()) : tr("Request what you need"),
        known ? std::optional(there.slurmText()) : std::nullopt));
}

} // namespace

void lintFields(
    const Plan& plan, const std::optional<ClusterInfo>& cluster, std::vector<Problem>* problems)
{
    lintList(plan, "modules", parseModules, problems);
    lintList(plan, "binds", parseBinds, problems);
    lintList(plan, "environment", parseEnvironment, problems);
    lintData(plan, problems);
    lintMemoryFields(plan, cluster, problems);
}

} // namespace slipway

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
    lintMemoryFields(plan, cluster, problems);
}

} // namespace slipway

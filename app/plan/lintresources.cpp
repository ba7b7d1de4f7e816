// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/fields.h"
#include "app/catalogue/names.h"
#include "app/plan/lint.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

using Problems = std::vector<Problem>;

/// Keys of fields that do not apply to a site that allocates whole nodes.
bool comesWithTheNode(const QString& key)
{
    return key == u"gpus" || key == u"gpu_type" || key == u"cpus" || key == u"memory"
        || key == u"memory_per_cpu" || key == u"exclusive";
}

void lintKeys(const Plan& plan, Problems* problems)
{
    QStringList known;
    for (const Parameter& field : plan.fields)
        known << field.key;
    const bool wholeNode = plan.site.gpuRequest == GpuRequestStyle::WholeNode;
    for (const QString& key : plan.spec.values.keys()) {
        if (known.contains(key) || (wholeNode && comesWithTheNode(key))
            || (key == u"account" && plan.site.account == AccountRule::None))
            continue;
        problems->push_back(errorIn(key,
            tr("There is no field “%1”. Known fields: %2.").arg(key.left(60), known.join(u", "))));
    }
}

/// The nearest value that fits a field with limits.
std::optional<QString> withinLimits(const Parameter& field)
{
    bool ok = false;
    const qint64 number = field.value.trimmed().toLongLong(&ok);
    if (!ok || field.type != Parameter::Type::Integer)
        return {};
    if (field.most && number > *field.most)
        return QString::number(*field.most);
    if (field.least && number < *field.least)
        return QString::number(*field.least);
    return {};
}

void lintValues(const Plan& plan, Problems* problems)
{
    for (const Parameter& field : plan.fields) {
        if (field.key == u"account" || field.key == u"job_name")
            continue; // these have rules of their own
        QString why = valueProblem(field, field.value);
        if (why.isEmpty())
            continue;
        why[0] = why.at(0).toUpper(); // the field's name stands before it wherever it is shown
        const std::optional<QString> fixValue = withinLimits(field);
        problems->push_back(
            errorIn(field.key, why, fixValue ? tr("Use %1").arg(*fixValue) : QString(), fixValue));
    }
}

void lintAccount(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    const QString key = QStringLiteral("account");
    const QString account = plan.values.value(key).trimmed();
    const QStringList accounts = cluster ? cluster->accounts : QStringList();
    if (!account.isEmpty() && !accounts.isEmpty() && !accounts.contains(account)) {
        problems->push_back(errorIn(key,
            tr("You have no account “%1” on this cluster; your accounts: %2.")
                .arg(account.left(60), accounts.join(u", ")),
            tr("Use %1").arg(accounts.first()), accounts.first()));
        return;
    }
    if (!account.isEmpty() || plan.site.account == AccountRule::None)
        return;
    if (accounts.size() > 1)
        problems->push_back(errorIn(key,
            tr("You have several accounts: %1. Slurm would charge the default one.")
                .arg(accounts.join(u", ")),
            tr("Choose the account to charge")));
    else if (plan.site.account == AccountRule::Required)
        problems->push_back(
            errorIn(key, tr("%1 refuses jobs without an account.").arg(plan.site.name),
                tr("Enter the name of your project"),
                accounts.isEmpty() ? std::nullopt : std::optional(accounts.first())));
}

void lintPartition(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    const QString key = QStringLiteral("partition");
    const QString name = plan.job.partition;
    const QStringList names = partitionNames(plan.site, cluster);
    if (name.isEmpty() || names.isEmpty())
        return;
    const PartitionFacts facts = partitionFacts(name, plan.site, cluster);
    if (!names.contains(name)) {
        const QString text = tr("%1 has no partition “%2”; its partitions: %3.")
                                 .arg(plan.site.name, name.left(60), names.join(u", "));
        const QString fix = tr("Use %1").arg(names.first());
        // The site file may be outdated; the cluster itself is not.
        problems->push_back(cluster ? errorIn(key, text, fix, names.first())
                                    : warningIn(key, text, fix, names.first()));
    } else if (!facts.available) {
        problems->push_back(warningIn(
            key, tr("The partition %1 is down at the moment: the job would wait.").arg(name)));
    }
    const WallTime limit = facts.partition.timeLimit;
    const Result<WallTime> time = WallTime::parse(plan.values.value(QStringLiteral("time")));
    if (!time.ok())
        return;
    if (time->seconds().count() == 0)
        problems->push_back(
            errorIn(QStringLiteral("time"), tr("A time limit of zero ends the job at once.")));
    else if (*time > limit && limit.seconds().count() > 0)
        problems->push_back(errorIn(QStringLiteral("time"),
            tr("%1 is longer than the partition %2 allows (%3).")
                .arg(time->slurmText(), name, limit.slurmText()),
            tr("Use %1").arg(limit.slurmText()), limit.slurmText()));
}

/// Less than a container needs to start, which is usually a number without its unit: Slurm counts
/// "9" as 9 MB.
void lintTinyMemory(const Plan& plan, const MemorySize& there, Problems* problems)
{
    constexpr qint64 least = 256; // MB
    const QString key = QStringLiteral("memory");
    if (!plan.job.memory || plan.job.memory->mebibytes() >= least)
        return;
    const QString entered = plan.values.value(key).trimmed();
    bool bare = false;
    const qint64 number = entered.toLongLong(&bare);
    const MemorySize wanted(number * 1024);
    const bool fits = bare && (there.mebibytes() <= 0 || wanted <= there);
    const QString better = fits ? wanted.slurmText() : QStringLiteral("1G");
    problems->push_back(warningIn(key,
        bare ? tr("“%1” without a unit means %1 MB, which is too little to start a container.")
                   .arg(entered)
             : tr("%1 is too little to start a container.").arg(plan.job.memory->slurmText()),
        tr("Use %1").arg(better), better));
}

void lintMemory(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    if (plan.site.gpuRequest == GpuRequestStyle::WholeNode)
        return;
    const QString key = QStringLiteral("memory");
    const MemorySize there =
        partitionFacts(plan.job.partition, plan.site, cluster).partition.memoryPerNode;
    if (plan.job.memory && there.mebibytes() > 0 && *plan.job.memory > there)
        problems->push_back(errorIn(key,
            tr("%1 is more memory than a node of %2 has (%3).")
                .arg(plan.job.memory->slurmText(), plan.job.partition, there.slurmText()),
            tr("Use %1").arg(there.slurmText()), there.slurmText()));
    lintTinyMemory(plan, there, problems);
    const MemorySize each = plan.site.defaultMemoryPerCpu;
    if (plan.job.memory || plan.job.memoryPerCpu || each.mebibytes() == 0)
        return;
    const MemorySize got(
        each.mebibytes() * std::max(1, plan.job.cpusPerTask) * plan.job.tasksPerNode);
    const QString wanted = plan.recipe.resources.value(key, QStringLiteral("8G"));
    problems->push_back(warningIn(key,
        tr("A job that requests no memory gets %1 per CPU here, %2 in total; loading an "
           "image's libraries alone may need more.")
            .arg(each.slurmText(), got.slurmText()),
        tr("Request %1").arg(wanted), wanted));
}

void lintNodes(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    const QString key = QStringLiteral("nodes");
    const int there = partitionFacts(plan.job.partition, plan.site, cluster).partition.nodes;
    if (plan.job.nodes > plan.recipe.mostNodes) {
        const QString most = QString::number(plan.recipe.mostNodes);
        problems->push_back(errorIn(key,
            plan.recipe.mostNodes == 1
                ? tr("“%1” runs on one node; more nodes would be idle.").arg(plan.recipe.title)
                : tr("“%1” runs on at most %2 nodes.").arg(plan.recipe.title, most),
            tr("Use %1").arg(most), most));
    } else if (there > 0 && plan.job.nodes > there) {
        problems->push_back(
            errorIn(key, tr("The partition %1 has %2 nodes.").arg(plan.job.partition).arg(there),
                tr("Use %1").arg(there), QString::number(there)));
    }
}

void lintJobName(const Plan& plan, Problems* problems)
{
    if (isLegalJobName(plan.job.jobName))
        return;
    const QString better =
        plan.job.jobName.isEmpty() ? plan.recipe.id : legalJobName(plan.job.jobName);
    problems->push_back(errorIn(QStringLiteral("job_name"),
        tr("A job name consists of 1 to 64 letters, digits, “.”, “_” and “-”; other "
           "characters can break the tools that list jobs."),
        tr("Use %1").arg(better), better));
}

void lintCache(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    const QString key = QStringLiteral("cache");
    const QString cache = plan.values.value(key);
    if (!isPathExpression(cache)) {
        problems->push_back(errorIn(key,
            tr("The image cache is not a path: expected an absolute one, or one that "
               "begins with a variable such as $SCRATCH.")));
        return;
    }
    const bool home = cache.startsWith(u"$HOME") || cache.startsWith(u"${HOME}")
        || (cluster && !cluster->homeFolder.isEmpty()
            && cache.startsWith(cluster->homeFolder + u'/'));
    if (!home)
        return;
    const QString scratch = plan.site.scratch;
    const bool better = !scratch.isEmpty() && !scratch.startsWith(u"$HOME");
    problems->push_back(warningIn(key,
        tr("The image cache is in your home folder: layers of several GB can fill its quota."),
        better ? tr("Put it in scratch")
               : tr("Keep the layers on the node: the image itself is stored once"),
        better ? scratch + QStringLiteral("/slipway/cache")
               : QStringLiteral("/tmp/${USER}_slipway_cache")));
}

} // namespace

void lintResources(const Plan& plan, const std::optional<ClusterInfo>& cluster, Problems* problems)
{
    if (plan.site.archived)
        problems->push_back(
            errorIn({}, tr("%1 is archived and kept for reference only.").arg(plan.site.name),
                tr("Choose another site")));
    if (!plan.site.unsupported.isEmpty())
        problems->push_back(errorIn({},
            tr("Slipway cannot launch jobs on %1. %2").arg(plan.site.name, plan.site.unsupported),
            tr("Choose another site")));
    lintKeys(plan, problems);
    lintValues(plan, problems);
    lintAccount(plan, cluster, problems);
    lintPartition(plan, cluster, problems);
    lintMemory(plan, cluster, problems);
    lintNodes(plan, cluster, problems);
    lintJobName(plan, problems);
    lintCache(plan, cluster, problems);
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/makeplan.h"

#include "app/catalogue/fields.h"
#include "app/plan/launchlists.h"
#include "app/plan/lint.h"
#include "app/plan/longwork.h"
#include "app/plan/pinning.h"
#include "app/plan/stepbody.h"
#include "app/plan/steps.h"

#include <algorithm>
#include <iterator>

namespace slipway {

namespace {

int countValue(const Plan& plan, const char* key, int otherwise)
{
    bool ok = false;
    const int value = plan.values.value(QLatin1String(key)).trimmed().toInt(&ok);
    return ok && value >= 0 ? value : otherwise;
}

/// The job's resource request. A value that cannot be parsed leaves the field empty; lint reports
/// it.
JobSpec planJob(const Plan& plan)
{
    const auto value = [&plan](const char* key) {
        return plan.values.value(QLatin1String(key)).trimmed();
    };
    JobSpec job;
    job.jobName = value("job_name");
    job.account = value("account");
    job.partition = value("partition");
    job.qos = value("qos");
    job.reservation = value("reservation");
    job.constraint = value("constraint");
    job.nodes = std::max(1, countValue(plan, "nodes", 1));
    job.tasksPerNode = std::max(1, countValue(plan, "tasks_per_node", 1));
    if (plan.site.gpuRequest != GpuRequestStyle::WholeNode) {
        job.cpusPerTask = countValue(plan, "cpus", 0);
        const Result<MemorySize> memory = MemorySize::parse(value("memory"));
        if (memory.ok() && memory->mebibytes() > 0)
            job.memory = *memory;
        job.gpus = countValue(plan, "gpus", 0);
        job.gpuType = value("gpu_type");
        const Result<MemorySize> each = MemorySize::parse(value("memory_per_cpu"));
        if (each.ok() && each->mebibytes() > 0 && !job.memory)
            job.memoryPerCpu = *each;
        job.exclusive = value("exclusive") == u"true";
    }
    job.requeue = value("requeue") == u"true";
    const Result<WallTime> time = WallTime::parse(value("time"));
    if (time.ok())
        job.timeLimit = *time;
    job.output = QStringLiteral("slurm-%j.out");
    return job;
}

/// Which jobs it waits for, and the signal before its end.
void takeLongWork(const Plan& plan, JobSpec* job)
{
    if (!plan.spec.afterJob.isEmpty())
        job->dependency = QStringLiteral("afterany:") + plan.spec.afterJob;
    job->signal = jobSignal(plan, startsSteps(plan));
}

/// The jobs of a slot share a name, and Slurm runs one job of a name at a time.
void takeSweepSlot(const LaunchSpec& spec, JobSpec* job)
{
    constexpr int nameRoom = 48; // of the 64 characters of a job name
    if (spec.sweepSlot <= 0 || !isLegalJobName(job->jobName))
        return;
    job->jobName = legalJobName(QStringLiteral("%1-%2-%3")
                                    .arg(job->jobName.left(nameRoom), spec.sweep)
                                    .arg(spec.sweepSlot));
    job->singleton = true;
}

void resolveValues(Plan* plan, const std::optional<ClusterInfo>& cluster)
{
    for (const Parameter& field : plan->fields)
        plan->values.insert(field.key, field.value);
    // Values without a field in the form are kept, so that lint can report them.
    for (auto it = plan->spec.values.begin(); it != plan->spec.values.end(); ++it) {
        if (!plan->values.contains(it.key()))
            plan->values.insert(it.key(), it.value());
    }
    if (plan->site.gpuRequest == GpuRequestStyle::WholeNode) {
        const PartitionFacts facts =
            partitionFacts(plan->values.value(QStringLiteral("partition")), plan->site, cluster);
        plan->values.insert(QStringLiteral("cpus"), QString::number(facts.partition.cpusPerNode));
    }
}

/// A step for a field that is empty is left out.
void leaveOutSteps(Plan* plan)
{
    std::vector<RecipeStep>& steps = plan->recipe.steps;
    const auto isIdle = [plan](const RecipeStep& step) {
        return !step.onlyIf.isEmpty() && plan->values.value(step.onlyIf).trimmed().isEmpty();
    };
    steps.erase(std::remove_if(steps.begin(), steps.end(), isIdle), steps.end());
}

/// The parsed fields with several values. One that cannot be parsed stays empty; lint reports it.
void readLists(Plan* plan)
{
    const auto value = [plan](const char* key) { return plan->values.value(QLatin1String(key)); };
    if (const auto modules = parseModules(value("modules")); modules.ok())
        plan->modules = *modules;
    if (const auto binds = parseBinds(value("binds")); binds.ok())
        plan->binds = *binds;
    for (const Parameter& field : plan->fields) {
        if (field.type != Parameter::Type::Folders)
            continue;
        if (const auto folders = parseDataFolders(field.value); folders.ok())
            plan->data.insert(plan->data.end(), folders->begin(), folders->end());
    }
    if (const auto environment = parseEnvironment(value("environment")); environment.ok())
        plan->environment = *environment;
}

/// The plan's site uses the chosen runtime, where there was a choice.
void chooseRuntime(Plan* plan)
{
    const std::vector<RuntimeKind> offered = offeredRuntimes(plan->recipe, plan->site);
    const std::optional<RuntimeKind> chosen =
        runtimeNamed(plan->values.value(QStringLiteral("runtime")));
    if (chosen && std::find(offered.begin(), offered.end(), *chosen) != offered.end())
        plan->site.runtime = *chosen;
    else if (!offered.empty())
        plan->site.runtime = offered.front();
}

} // namespace

std::vector<RuntimeKind> offeredRuntimes(const Recipe& recipe, const Site& site)
{
    std::vector<RuntimeKind> there{site.runtime};
    for (RuntimeKind runtime : site.runtimes) {
        if (runtime != site.runtime)
            there.push_back(runtime);
    }
    const std::vector<RuntimeKind> able = recipeRuntimes(recipe);
    std::vector<RuntimeKind> offered;
    std::copy_if(
        there.begin(), there.end(), std::back_inserter(offered), [&able](RuntimeKind runtime) {
            return std::find(able.begin(), able.end(), runtime) != able.end();
        });
    return offered;
}

Plan makePlan(const LaunchSpec& spec, const Recipe& recipe, const Site& site,
    const std::optional<ClusterInfo>& cluster)
{
    Plan plan;
    plan.spec = spec;
    if (recipe.ownFolder && spec.project.isEmpty())
        plan.spec.project = recipe.codeFolder();
    plan.site = site;
    plan.recipe = recipe;
    if (cluster)
        plan.slurmVersion = cluster->slurmVersion;
    plan.tag = QStringLiteral("{tag}");
    plan.fields = formFields(recipe, site, cluster, spec);
    resolveValues(&plan, cluster);
    pinImages(&plan);
    leaveOutSteps(&plan);
    chooseRuntime(&plan);
    readLists(&plan);
    plan.job = planJob(plan);
    takeSweepSlot(spec, &plan.job);
    takeLongWork(plan, &plan.job);
    plan.steps = planSteps(plan, cluster);
    plan.problems = lint(plan, cluster);
    return plan;
}

} // namespace slipway

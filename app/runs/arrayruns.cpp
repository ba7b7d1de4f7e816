// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/arrayruns.h"

#include "app/plan/arrayscript.h"
#include "app/runs/arraylaunch.h"
#include "app/runs/datafolders.h"
#include "app/runs/launcherror.h"
#include "app/runs/relaunch.h"
#include "app/runs/runarray.h"
#include "remote/base/tr.h"
#include "remote/slurm/arraytasks.h"

#include <QPointer>
#include <QUuid>

namespace slipway {

namespace {

/// The plans of all points, if they can be launched as one array.
Result<std::vector<Plan>> arrayPlans(const RunContext& context, std::vector<LaunchSpec> specs)
{
    std::vector<Plan> plans;
    for (LaunchSpec& spec : specs) {
        spec.sweepSlot = 0; // the array limits how many run at once
        spec.afterJob.clear();
        plans.push_back(context.plan(spec));
        if (plans.back().hasErrors())
            return lintError(plans.back());
    }
    const auto cluster = context.sessions->clusterInfo(specs.front().siteId);
    if (const QString obstacle = arrayObstacle(plans, cluster); !obstacle.isEmpty())
        return Error{ErrorKind::Unsupported,
            tr("These runs cannot be submitted as one job array. %1").arg(obstacle),
            tr("Submit one job for each of them.")};
    return plans;
}

/// Adds the runs to the list, and completes their plans with what the runs got.
Result<std::vector<Run>> createRuns(
    const RunContext& context, RunRegistry* registry, std::vector<Plan>* plans)
{
    std::vector<Run> runs;
    ArrayPlace place;
    place.tag = arrayTag(QUuid::createUuid().toString(QUuid::WithoutBraces));
    place.scratch = context.sessions->clusterInfo(plans->front().spec.siteId)->scratch;
    for (Plan& plan : *plans) {
        ++place.task;
        const Result<Run> run = registry->create(plan, place);
        if (!run.ok()) {
            for (const Run& before : runs)
                registry->abandon(before, run.error());
            return run.error();
        }
        place.folder = submitFolder(*run);
        plan.tag = run->tag;
        plan.job.comment = jobComment(run->tag);
        if (plan.spec.chain.isEmpty())
            plan.spec.chain = run->id; // its own checkpoint folder
        runs.push_back(*run);
    }
    return runs;
}

/// The data folders of all points, each once.
std::vector<Bind> dataOf(const std::vector<Plan>& plans)
{
    std::vector<Bind> all;
    QStringList known;
    for (const Plan& plan : plans) {
        for (const Bind& one : plan.data) {
            if (!known.contains(one.source))
                all.push_back(one);
            known << one.source;
        }
    }
    return all;
}

} // namespace

QCoro::Task<Result<QStringList>> launchArray(RunContext context, RunRegistry* registry,
    std::vector<LaunchSpec> specs, std::function<void(QString)> added)
{
    const QPointer<RunRegistry> self(registry);
    const QString siteId = specs.front().siteId;
    const int atOnce = std::max(0, specs.front().arrayAtOnce);
    auto planned = arrayPlans(context, std::move(specs));
    if (!planned.ok())
        co_return planned.error();
    std::vector<Plan> plans = *planned;
    const auto cluster = context.sessions->cluster(siteId);
    if (!cluster)
        co_return context.sessions->notConnected(siteId);
    const auto there = co_await checkDataFolders(cluster->shell(), dataOf(plans));
    if (!self)
        co_return programClosed();
    if (!there.ok())
        co_return there.error();
    if (context.sessions->cluster(siteId) != cluster) // lost, or connected again
        co_return context.sessions->notConnected(siteId);
    const auto runs = createRuns(context, registry, &plans);
    if (!runs.ok())
        co_return runs.error();
    const auto array = std::make_shared<ArrayLaunch>();
    array->tasks = int(plans.size());
    array->script = renderArrayScript(plans, atOnce);
    const QString scratch = context.sessions->clusterInfo(siteId)->scratch;
    std::vector<QCoro::Task<Result<void>>> launches;
    QStringList ids;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        RunHandle* const handle = registry->add((*runs)[i]);
        handle->explainWith(context.hints, explainContext((*runs)[i], plans[i]));
        ids << (*runs)[i].id;
        added(ids.back());
        launches.push_back(handle->begin(plans[i], cluster, scratch, array));
    }
    Result<void> first;
    for (auto& launch : launches) {
        const auto begun = co_await launch;
        if (first.ok() && !begun.ok())
            first = begun;
    }
    if (!first.ok())
        co_return first.error();
    co_return ids;
}

} // namespace slipway

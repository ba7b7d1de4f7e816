// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/runsweep.h"

#include "app/catalogue/fields.h"
#include "app/cli/follow.h"
#include "app/cli/imagecheck.h"
#include "app/cli/interrupts.h"
#include "app/cli/problems.h"
#include "app/cli/resultfiles.h"
#include "app/cli/waiter.h"
#include "app/plan/arrayscript.h"
#include "app/runs/sweep.h"
#include "remote/base/tr.h"

#include <QUuid>

#include <algorithm>

namespace slipway {

namespace {

/// Reports the problems of all launches before any of them is sent. False: one has an error.
bool reportProblems(Context& context, const std::vector<LaunchSpec>& specs)
{
    bool good = true;
    QStringList reported;
    for (const LaunchSpec& spec : specs) {
        const Plan plan = context.engine().runs()->plan(spec);
        good = good && !plan.hasErrors();
        for (const Problem& problem : plan.problems) {
            if (reported.contains(problem.text))
                continue;
            reported << problem.text;
            reportProblem(context, problem);
        }
    }
    return good;
}

void printPoint(Context& context, const QString& id, const LaunchSpec& spec)
{
    const Run run = *context.engine().runs()->run(id);
    if (context.out.json)
        context.out.object({{QStringLiteral("run"), run.id}, {QStringLiteral("job"), run.job.text},
            {QStringLiteral("folder"), run.folder}, {QStringLiteral("sweep"), spec.sweepLabel}});
    else
        context.out.note(tr("Run %1 is job %2: %3").arg(run.id, run.job.text, spec.sweepLabel));
}

/// Whether the sweep is submitted as one job array, which is said; an error: it was asked for and
/// cannot be. Only once the site is connected.
Result<bool> choosesArray(Context& context, const std::vector<LaunchSpec>& specs)
{
    if (context.arguments.has("--no-array"))
        return false;
    std::vector<Plan> plans;
    for (const LaunchSpec& spec : specs)
        plans.push_back(context.engine().runs()->plan(spec));
    const QString siteId = specs.front().siteId;
    const QString obstacle = arrayObstacle(plans, context.engine().sessions()->clusterInfo(siteId));
    if (context.arguments.has("--array") && !obstacle.isEmpty())
        return Error{ErrorKind::Unsupported,
            tr("These runs cannot be submitted as one job array. %1").arg(obstacle),
            tr("Leave out --array: then each of them is a job of its own.")};
    if (context.arguments.has("--array"))
        return true;
    if (specs.size() < fewestTasks)
        return false;
    if (!obstacle.isEmpty())
        context.out.note(tr("One job for each run. %1").arg(obstacle));
    return obstacle.isEmpty();
}

QCoro::Task<Result<QStringList>> submitArray(Context& context, std::vector<LaunchSpec> specs)
{
    const auto ids = co_await context.engine().runs()->launchArray(specs);
    if (!ids.ok())
        co_return ids.error();
    if (!context.out.json)
        context.out.note(tr("One job array for %1 runs.").arg(ids->size()));
    for (qsizetype i = 0; i < ids->size(); ++i)
        printPoint(context, ids->at(i), specs[std::size_t(i)]);
    co_return *ids;
}

QCoro::Task<Result<QStringList>> submitAll(Context& context, std::vector<LaunchSpec> specs)
{
    QStringList ids;
    for (const LaunchSpec& spec : specs) {
        const Result<QString> id = co_await context.engine().runs()->launch(spec);
        if (!id.ok()) {
            if (!ids.isEmpty())
                context.out.note(
                    tr("Already submitted: %1. These jobs continue.").arg(ids.join(u' ')));
            co_return id.error();
        }
        ids << *id;
        printPoint(context, *id, spec);
    }
    co_return std::move(ids);
}

/// Waits until every run has ended and its log is stored here.
QCoro::Task<Follower::End> untilAllEnded(Context& context, QString siteId, QStringList ids)
{
    Waiter waiter;
    ConnectionWatch connection(context, siteId, tr("The jobs continue."));
    QObject receiver;
    QObject::connect(
        context.engine().runs(), &Runs::runChanged, &receiver, [&waiter] { waiter.wake(); });
    QObject::connect(
        &context.interrupts(), &Interrupts::interrupted, &receiver, [&waiter] { waiter.wake(); });
    QHash<QString, QString> printed;
    for (;;) {
        bool all = true;
        for (const QString& id : ids) {
            const Run run = *context.engine().runs()->run(id);
            all = all && isTerminal(run.phase) && context.engine().runs()->isSettled(id);
            if (printed.value(id) != run.sentence && !context.out.json)
                context.out.progress(
                    QStringLiteral("%1 (%2): %3").arg(id, run.spec.sweepLabel, run.sentence));
            printed.insert(id, run.sentence);
        }
        if (all)
            break;
        if (Interrupts::pending())
            co_return Follower::End::Interrupted;
        connection.report();
        const bool goesOn = co_await connection.mayGoOn();
        if (!goesOn)
            co_return Follower::End::Lost;
        co_await waiter.wait(std::chrono::milliseconds(1000));
    }
    // A sweep prints no logs, but the last numbers are only known when the logs are complete.
    for (const QString& id : ids) {
        RunFeed* const feed = context.engine().runs()->feed(id);
        for (int i = 0; feed && i < 75
             && (feed->live() || feed->bytes() < context.engine().runs()->run(id)->logBytes);
             ++i)
            co_await waiter.wait(std::chrono::milliseconds(200));
    }
    co_return Follower::End::Ended;
}

/// Why a sweep is not followed any more, and how to come back to it.
ExitCode leaveSweep(Context& context, const QString& siteId, Follower::End end)
{
    const bool lost = end == Follower::End::Lost;
    if (context.out.json)
        context.out.object({{QStringLiteral("detached"), true}, {QStringLiteral("lost"), lost}});
    const ConnectionState line = context.engine().sessions()->connection(siteId);
    if (lost && !context.out.json)
        context.out.note(tr("The connection was lost (%1).")
                             .arg(terminalText(line.error ? line.error->summary : line.sentence)));
    if (!context.out.json)
        context.out.note(tr("Detached. The jobs continue. “slipway-cli runs” lists them."));
    return lost ? ExitCode::Connection : ExitCode::Interrupted;
}

} // namespace

std::optional<SweepRequest> sweepRequest(Context& context, const LaunchSpec& spec)
{
    const Recipe* const recipe = context.engine().catalogue()->recipe(spec.recipeId);
    const QString asked = context.arguments.value("--sweep");
    SweepRequest request;
    request.key = asked.section(u'=', 0, 0).trimmed();
    request.values = listItems(asked.section(u'=', 1));
    if (recipe && asked == u"default" && !recipe->sweep.values.isEmpty())
        request = {recipe->sweep.parameter, listItems(recipe->sweep.values)};
    if (request.key.isEmpty() || request.values.isEmpty()) {
        context.misused(tr("--sweep takes KEY=VALUE,VALUE…, not “%1”.").arg(asked),
            tr("For example: --sweep nodes=1,2. “--sweep default” uses the sweep of the recipe, if "
               "it has one."));
        return {};
    }
    bool isNumber = true;
    if (context.arguments.has("--at-once"))
        request.atOnce = context.arguments.value("--at-once").toInt(&isNumber);
    if (!isNumber || (context.arguments.has("--at-once") && request.atOnce < 1)) {
        context.misused(tr("--at-once takes a number from 1 on."));
        return {};
    }
    if (context.arguments.has("--array") && context.arguments.has("--no-array")) {
        context.misused(tr("--array and --no-array exclude each other."));
        return {};
    }
    const Plan plan = context.engine().runs()->plan(spec);
    const bool known = std::any_of(plan.fields.begin(), plan.fields.end(),
        [&](const Parameter& field) { return field.key == request.key; });
    if (!known) {
        context.misused(tr("“%1” has no field “%2”.").arg(spec.recipeId, request.key));
        return {};
    }
    return request;
}

QCoro::Task<ExitCode> runSweep(Context& context, LaunchSpec spec, SweepRequest request)
{
    const QString sweepId = QUuid::createUuid().toString(QUuid::Id128).left(8);
    const std::vector<SweepField> fields{{request.key, request.values}};
    const std::vector<LaunchSpec> specs = sweepSpecs(spec, fields, sweepId, request.atOnce);
    const Result<void> connected = co_await context.connectTo(spec.siteId);
    if (!connected.ok())
        co_return context.fail(connected.error());
    if (!context.arguments.has("--no-image-check")) {
        const std::vector<CheckedImage> images = co_await checkImages(context, specs.front());
        noteImages(context, images);
        if (const std::optional<Error> refusal = imageRefusal(images))
            co_return context.fail(*refusal);
    }
    if (!reportProblems(context, specs))
        co_return context.fail(Error{ErrorKind::Invalid,
            tr("One of the launches of this sweep would fail. Nothing was sent.")});
    const std::vector<LaunchSpec> tasks = arraySpecs(specs, request.atOnce);
    const Result<bool> asArray = choosesArray(context, tasks);
    if (!asArray.ok())
        co_return context.fail(asArray.error());
    auto submitting = *asArray ? submitArray(context, tasks) : submitAll(context, specs);
    const Result<QStringList> ids = co_await submitting;
    if (!ids.ok())
        co_return context.fail(ids.error());
    if (context.arguments.has("--detach"))
        co_return ExitCode::Done;
    std::vector<std::shared_ptr<RunFeed>> held; // until their numbers are printed
    for (const QString& id : *ids)
        held.push_back(context.engine().runs()->holdFeed(id));
    context.engine().runs()->setShownRuns(*ids);
    const Follower::End end = co_await untilAllEnded(context, spec.siteId, *ids);
    if (end != Follower::End::Ended)
        co_return leaveSweep(context, spec.siteId, end);
    SweepFeed feed(context.engine().runs(), sweepId);
    const Run first = *context.engine().runs()->run(ids->first());
    printResults(context, first, feed.series());
    ExitCode code = writeSeriesFiles(context, first, feed.series(),
        QStringLiteral("%1 %2").arg(request.key, request.values.join(u", ")));
    for (const QString& id : *ids) {
        const ExitCode ended = printEnding(context, *context.engine().runs()->run(id));
        if (ended != ExitCode::Done)
            code = ended;
    }
    co_return code;
}

} // namespace slipway

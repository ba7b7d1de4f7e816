// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/workbench.h"

#include "app/launch/capsule.h"
#include "app/launch/checksteps.h"
#include "app/launch/explain/again.h"
#include "app/launch/node/probefile.h"
#include "app/launch/runcommands.h"
#include "app/launch/workbench_p.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QPointer>
#include <QStandardPaths>

namespace slipway {

namespace {

Error noRun(const QString& id)
{
    return Error{ErrorKind::NotFound, tr("There is no run %1.").arg(id), tr("The list of runs names them all.")};
}

Error notConnected(const QString& site)
{
    return Error{ErrorKind::Network, tr("There is no connection to %1.").arg(site), tr("Connect to it first.")};
}

Error lintError(const Plan& plan)
{
    QStringList texts;
    QString fix;
    for (const Problem& problem : plan.problems) {
        if (problem.severity != Problem::Severity::Error)
            continue;
        if (texts.isEmpty())
            fix = problem.fix;
        texts.append(problem.field.isEmpty() ? problem.text : problem.field + u": " + problem.text);
    }
    return Error{ErrorKind::Invalid, tr("This launch would fail: %1").arg(texts.value(0)), fix,
        texts.mid(1).join(u'\n').toUtf8()};
}

/// The plan itself knows no disk.
void warnOfMissingProbe(Plan* plan)
{
    if (nodeCheck(*plan) == NodeCheck::None || haveProbe())
        return;
    plan->problems.push_back({Problem::Severity::Warning, QStringLiteral("check"),
        tr("slipway-probe is not beside this program: the node is looked at by nvidia-smi alone, and nothing is sampled."),
        tr("Install or build slipway-probe, or do without"), {}});
}

} // namespace

WorkbenchPaths WorkbenchPaths::standard()
{
    const auto folder = [](QStandardPaths::StandardLocation location) -> QString {
        return QStandardPaths::writableLocation(location) + u"/slipway";
    };
    return {resourceFolder(), folder(QStandardPaths::GenericConfigLocation),
        folder(QStandardPaths::GenericDataLocation)};
}

Workbench::Workbench(Connector* connector, WorkbenchPaths paths, QObject* parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, connector, std::move(paths)))
{
    d->openStore();
}

Workbench::~Workbench() = default;

Workbench::Private::Private(Workbench* workbench, Connector* theConnector, WorkbenchPaths thePaths)
    : q(workbench)
    , connector(theConnector)
    , paths(std::move(thePaths))
    , resources(loadResources(paths.resources, paths.config))
    , demo(new DemoCluster(paths.resources + u"/demo-cluster", workbench))
{
    connect(demo, &DemoCluster::changed, q, [this] { Q_UNUSED(readDemo().ok()) });
}

Workbench::Private::~Private()
{
    for (const auto& watch : std::exchange(watches, {}))
        delete watch.data();
    // Launches first: they say goodbye to connections, and connections to nobody.
    qDeleteAll(std::exchange(launches, {}));
    feeds.clear();
    qDeleteAll(std::exchange(links, {}));
    delete demo;
}

const std::vector<Site>& Workbench::sites() const
{
    return d->resources.sites;
}

const std::vector<Recipe>& Workbench::recipes() const
{
    return d->resources.recipes;
}

const Resources& Workbench::resources() const
{
    return d->resources;
}

Documents Workbench::readDocuments() const
{
    return loadDocuments(d->paths.resources, d->paths.config);
}

const std::vector<Error>& Workbench::resourceErrors() const
{
    return d->resources.errors;
}

Site* Workbench::Private::site(const QString& id)
{
    for (Site& site : resources.sites)
        if (site.id == id)
            return &site;
    return nullptr;
}

const Site* Workbench::site(const QString& id) const
{
    return d->site(id);
}

const Recipe* Workbench::recipe(const QString& id) const
{
    for (const Recipe& recipe : d->resources.recipes)
        if (recipe.id == id)
            return &recipe;
    return nullptr;
}

DemoCluster* Workbench::demoCluster() const
{
    return d->demo;
}

Plan Workbench::plan(const LaunchSpec& spec) const
{
    const Site* const where = site(spec.siteId);
    const Recipe* const what = recipe(spec.recipeId);
    if (where && what) {
        Plan made = makePlan(spec, *what, *where, clusterInfo(spec.siteId));
        warnOfMissingProbe(&made);
        return made;
    }
    Plan plan;
    plan.spec = spec;
    if (!where)
        plan.problems.push_back({Problem::Severity::Error, {}, tr("There is no site “%1”.").arg(spec.siteId), tr("Choose another site"), {}});
    if (!what)
        plan.problems.push_back({Problem::Severity::Error, {}, tr("There is no recipe “%1”.").arg(spec.recipeId), tr("Choose another recipe"), {}});
    return plan;
}

QByteArray Workbench::submittedScript(const QString& runId) const
{
    const auto known = d->runOf(runId);
    if (!known)
        return {};
    const Run& run = *known;
    QFile kept(d->localFolder(runId) + u"/files/job.sh");
    if (kept.open(QIODevice::ReadOnly))
        return kept.readAll();
    return scriptOf(plan(run.spec), run.tag);
}

QCoro::Task<Result<QString>> Workbench::launch(LaunchSpec spec)
{
    const QPointer<Workbench> self(this);
    Plan planned = plan(spec);
    if (planned.hasErrors())
        co_return lintError(planned);
    SiteLink* const link = d->connectedLink(spec.siteId);
    if (!link)
        co_return notConnected(planned.site.name);
    const auto run = d->newRun(planned);
    if (!run.ok())
        co_return run.error();
    planned.tag = run->tag;
    planned.job.comment = u"slipway:" + run->tag;
    Launch* const launch = d->addLaunch(*run);
    launch->explainWith(d->resources.hints, explainContext(*run, planned));
    emit runAdded(run->id);
    const auto cluster = link->cluster();
    const auto begun = co_await launch->begin(planned, cluster, link->info()->scratch);
    if (!begun.ok())
        co_return begun.error();
    co_return run->id;
}

RunFeed* Workbench::feed(const QString& runId)
{
    return d->sharedFeed(runId).get();
}

std::shared_ptr<RunFeed> Workbench::holdFeed(const QString& runId)
{
    return d->sharedFeed(runId);
}

LaunchFacts Workbench::launchFacts(const QString& runId) const
{
    return d->runOf(runId) ? factsFromJson(LocalRun(d->localFolder(runId)).facts())
                           : LaunchFacts();
}

QCoro::Task<Result<void>> Workbench::cancel(QString runId)
{
    Launch* const launch = d->launchOf(runId);
    if (!launch)
        co_return noRun(runId);
    SiteLink* const link = d->connectedLink(launch->run().spec.siteId);
    if (!link)
        co_return notConnected(launch->run().spec.siteId);
    const auto cluster = link->cluster();
    const auto ended = co_await launch->cancel(cluster);
    co_return ended;
}

QCoro::Task<Result<void>> Workbench::release(QString runId)
{
    Launch* const launch = d->launchOf(runId);
    if (!launch)
        co_return noRun(runId);
    SiteLink* const link = d->connectedLink(launch->run().spec.siteId);
    if (!link)
        co_return notConnected(launch->run().spec.siteId);
    const auto cluster = link->cluster();
    const auto ended = co_await launch->release(cluster);
    co_return ended;
}

QCoro::Task<Result<QString>> Workbench::fetch(QString runId, QString folder)
{
    const QPointer<Workbench> self(this);
    Launch* const launch = d->launchOf(runId);
    if (!launch)
        co_return noRun(runId);
    CapsuleRequest request;
    request.run = launch->run();
    request.localFolder = launch->local().folder();
    request.destination = QDir(folder).absoluteFilePath(QFileInfo(runFolderPath({}, request.run)).fileName());
    request.facts = launch->local().facts();
    if (const Recipe* const known = recipe(request.run.spec.recipeId)) {
        request.recognisers = known->recognisers;
        request.patterns = known->patterns;
    }
    if (SiteLink* const link = d->connectedLink(request.run.spec.siteId); link && !request.run.folder.isEmpty())
        request.shell = link->cluster()->shell();
    const auto made = co_await makeCapsule(request);
    if (!made.ok())
        co_return made.error();
    if (!self)
        co_return programClosed();
    Q_UNUSED(d->store->noteFetched(runId, request.destination).ok())
    if (Launch* const still = d->launchOf(runId))
        still->setFetchedTo(request.destination);
    co_return request.destination;
}

ConnectTarget Workbench::Private::targetOf(const QString& siteId) const
{
    if (const SiteLink* const link = links.value(siteId))
        return link->target();
    ConnectTarget target;
    if (const Site* const where = q->site(siteId); where && !where->logins.empty()) {
        const SiteLogin& login = where->logins.front();
        target.host = login.host;
        target.port = login.port;
        target.user = login.user;
    }
    return target;
}

ShellLines Workbench::shellLines(const QString& runId) const
{
    const std::optional<Run> known = run(runId);
    if (!known || known->phase != RunPhase::Allocated)
        return {};
    const QJsonObject kept = LocalRun(d->localFolder(runId)).steps().value(u"shell").toObject();
    return slipway::shellLines(*known, d->targetOf(known->spec.siteId), kept);
}

QStringList Workbench::commands(const QString& runId) const
{
    const Launch* const launch = d->launchOf(runId);
    if (!launch)
        return {};
    const Run& run = launch->run();
    const ConnectTarget target = d->targetOf(run.spec.siteId);
    const QJsonObject kept = d->launchOf(runId)->local().steps();
    std::vector<StepCommand> steps;
    QStringList allocation = kept.value(u"byBatchJob").toBool()
        ? QStringList{QStringLiteral("sbatch"), QStringLiteral("--parsable"), QStringLiteral("--wrap=while sleep 3600; do :; done")}
        : QStringList{QStringLiteral("salloc"), QStringLiteral("--no-shell")};
    for (const auto& step : kept.value(u"steps").toArray())
        steps.push_back({step.toObject().value(u"file").toString(),
            step.toObject().value(u"leavesGpus").toBool()});
    for (const auto& option : kept.value(u"options").toArray())
        allocation << option.toString();
    return runCommands(run, target, steps, allocation);
}

} // namespace slipway

#include "moc_workbench.cpp"

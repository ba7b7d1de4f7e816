// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/runjson.h"
#include "app/launch/explain/again.h"
#include "app/launch/workbench_p.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonObject>
#include <QPointer>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QUuid>

#include <algorithm>

namespace slipway {

namespace {

constexpr int storeLookInterval = 1000; ///< ms between looks at the store; a pragma, no disk
constexpr int takeOverTicks = 5;
const QString tagPrefix = QStringLiteral("slipway:");

} // namespace

std::vector<Run> Workbench::runs() const
{
    std::vector<Run> runs;
    for (const Launch* launch : std::as_const(d->launches))
        runs.push_back(launch->run());
    runs.insert(runs.end(), d->ended.cbegin(), d->ended.cend());
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
        return a.created != b.created ? a.created > b.created : a.id < b.id;
    });
    return runs;
}

std::optional<Run> Workbench::run(const QString& id) const
{
    return d->runOf(id);
}

std::optional<Run> Workbench::Private::runOf(const QString& runId) const
{
    if (const Launch* const launch = launches.value(runId))
        return launch->run();
    const auto found = ended.constFind(runId);
    return found == ended.cend() ? std::nullopt : std::optional(*found);
}

Launch* Workbench::Private::launchOf(const QString& runId)
{
    if (Launch* const launch = launches.value(runId))
        return launch;
    if (!ended.contains(runId))
        return nullptr;
    touch(runId);
    return addLaunch(ended.take(runId));
}

void Workbench::Private::addRun(const Run& run)
{
    // Of a run that has ended there is nothing to do: years of them are only rows of a list.
    if (isTerminal(run.phase))
        ended.insert(run.id, run);
    else
        addLaunch(run);
}

bool Workbench::isSettled(const QString& id) const
{
    const Launch* const launch = d->launchOf(id);
    return !launch || isTerminal(launch->run().phase) || launch->isSettled();
}

void Workbench::Private::openStore()
{
    store = std::make_unique<RunStore>(paths.data + u"/runs.sqlite");
    const auto opened = store->open();
    if (!opened.ok())
        storeErrors.push_back(opened.error());
    if (store->setAside())
        storeErrors.push_back(*store->setAside());
    resources.errors.insert(resources.errors.end(), storeErrors.begin(), storeErrors.end());
    const auto runs = store->load();
    if (runs.ok())
        for (const Run& run : *runs)
            addRun(run);
    connect(&timer, &QTimer::timeout, q, [this] { tick(); });
    timer.start(storeLookInterval);
}

Launch* Workbench::Private::addLaunch(const Run& run)
{
    const Recipe* const recipe = q->recipe(run.spec.recipeId);
    auto* const launch = new Launch(run, localFolder(run.id), store.get(), recipe ? recipe->results : QStringList(), q);
    if (!isTerminal(run.phase))
        launch->explainWith(resources.hints, explainContext(run, q->plan(run.spec)));
    launches.insert(run.id, launch);
    const QString id = run.id;
    connect(launch, &Launch::changed, q, [this, id] {
        updateFeed(id);
        updateWatch(id);
        if (const auto known = runOf(id))
            updateAttention(known->spec.siteId);
        emit q->runChanged(id);
        emit q->raceChanged(id);
    });
    connect(launch, &Launch::logGrew, q, [this, id] { updateFeed(id); });
    connect(launch, &Launch::reportGrew, q, [this, id] { emit q->nodeReportChanged(id); });
    return launch;
}

QString Workbench::Private::freeId() const
{
    // Short, typed by people: letters that are not mistaken for digits.
    const QString letters = QStringLiteral("abcdefghkmnpqrstuvwxyz");
    const QString digits = QStringLiteral("23456789");
    auto* const random = QRandomGenerator::global();
    for (;;) {
        QString id;
        for (int i = 0; i < 4; ++i) {
            const QString& set = i % 2 ? digits : letters;
            id += set.at(random->bounded(int(set.size())));
        }
        if (!launches.contains(id) && !ended.contains(id))
            return id;
    }
}

Result<Run> Workbench::Private::newRun(const Plan& plan)
{
    Run run;
    run.tag = QUuid::createUuid().toString(QUuid::WithoutBraces);
    run.spec = plan.spec;
    run.title = plan.recipe.title;
    run.created = QDateTime::currentDateTime();
    run.sentence = tr("Being prepared.");
    run.stages = plannedStages(plan);
    // Another program may take the same id in the same second.
    Result<void> kept;
    for (int i = 0; i < 3; ++i) {
        run.id = freeId();
        kept = store->insert(run);
        if (kept.ok())
            break;
    }
    if (!kept.ok())
        return kept.error();
    LocalRun(localFolder(run.id)).keepFacts(factsToJson(plan, q->clusterInfo(plan.spec.siteId)));
    return run;
}

void Workbench::Private::reload()
{
    const auto runs = store->load();
    if (!runs.ok())
        return;
    for (const Run& run : *runs) {
        const auto known = runOf(run.id);
        if (!known) {
            addRun(run);
            emit q->runAdded(run.id);
            SiteLink* const link = connectedLink(run.spec.siteId);
            if (Launch* const launch = launches.value(run.id); launch && link)
                launch->attach(link->cluster());
        } else if (runToJson(*known) != runToJson(run)) {
            launchOf(run.id)->takeStored(run);
        }
    }
}

void Workbench::Private::tick()
{
    if (store->changed())
        reload();
    dropIdle();
    // A program that drove a run and has ended leaves it to whoever is connected.
    if (++ticks % takeOverTicks == 0)
        for (auto it = links.cbegin(); it != links.cend(); ++it)
            if (it.value()->isConnected())
                attachRuns(it.key());
}

void Workbench::Private::attachRuns(const QString& siteId)
{
    SiteLink* const link = connectedLink(siteId);
    for (Launch* launch : launches.values()) // what hears of it may ask for other runs
        if (link && launch->run().spec.siteId == siteId)
            launch->attach(link->cluster());
}

/// Jobs and allocations that carry Slipway's tag and are in no list here: started on another
/// computer, or lost with a list of runs. They hold nodes or wait, so somebody must see them.
QCoro::Task<void> Workbench::Private::adoptOrphans(QString siteId)
{
    const QPointer<Workbench> self(q);
    const auto cluster = link(siteId)->cluster();
    const auto found = co_await cluster->orphans(tagPrefix);
    if (!self || !found.ok() || !connectedLink(siteId))
        co_return;
    reload();
    for (const Allocation& job : *found) {
        const QString tag = job.comment.mid(tagPrefix.size());
        // A run that was taken for ended is made again: its job is alive.
        const auto closed = std::find_if(ended.cbegin(), ended.cend(),
            [&](const Run& run) { return run.tag == tag; });
        if (closed != ended.cend())
            launchOf(closed->id);
        const auto known = std::find_if(launches.cbegin(), launches.cend(),
            [&](const Launch* launch) { return launch->run().tag == tag; });
        static const QRegularExpression tagForm(QStringLiteral("^[A-Za-z0-9-]{1,64}$"));
        if (known != launches.cend())
            takeLiveJob(*known, job);
        if (known != launches.cend() || !tagForm.match(tag).hasMatch())
            continue;
        const RunFolder folder(cluster->shell(), job.folder);
        const QStringList stepFiles{QStringLiteral("steps/*")};
        const auto steps = co_await folder.list(stepFiles);
        if (!self || connectedLink(siteId) == nullptr)
            co_return;
        adopt(siteId, job, steps.ok() && !steps->empty());
    }
}

/// A run that ended here while its job lives: its end was taken for certain too early.
void Workbench::Private::takeLiveJob(Launch* launch, const Allocation& found)
{
    const Run& run = launch->run();
    const bool disowned = !run.job.isValid() || run.job == found.id;
    if (!isTerminal(run.phase) || !disowned || found.state == JobState::Completing)
        return;
    launch->explainWith(resources.hints, explainContext(run, q->plan(run.spec)));
    launch->reopen(found.id);
    if (SiteLink* const link = connectedLink(run.spec.siteId))
        launch->attach(link->cluster());
}

void Workbench::Private::adopt(const QString& siteId, const Allocation& found, bool interactive)
{
    static const QRegularExpression form(QStringLiteral("^\\d{8}-\\d{4}-(.+)-([a-z0-9]{4})$"));
    const auto parts = form.match(QFileInfo(found.folder).fileName());
    Run run;
    run.id = parts.hasMatch() && !runOf(parts.captured(2)) ? parts.captured(2) : freeId();
    run.tag = found.comment.mid(tagPrefix.size());
    run.spec.siteId = siteId;
    run.spec.recipeId = parts.captured(1);
    run.spec.mode = interactive ? LaunchMode::Interactive : LaunchMode::Batch;
    const Recipe* const recipe = q->recipe(run.spec.recipeId);
    run.title = recipe ? recipe->title : tr("A job of Slipway");
    run.folder = found.folder;
    run.job = found.id;
    run.nodeList = found.nodeList;
    run.created = QDateTime::currentDateTime();
    run.phase = interactive ? RunPhase::Allocated : RunPhase::Queued;
    run.sentence = interactive ? tr("Found on the cluster: nodes that are kept until they are released.")
                               : tr("Found on the cluster; it was started elsewhere.");
    for (const auto& [id, title] : {std::pair(QStringLiteral("queued"), tr("Queued")),
             std::pair(QStringLiteral("node"), tr("Node")), std::pair(QStringLiteral("results"), tr("Results"))})
        run.stages.push_back({id, title, StageState::Pending, {}, {}, {}});
    if (!store->insert(run).ok())
        return;
    Launch* const launch = addLaunch(run);
    emit q->runAdded(run.id);
    if (SiteLink* const link = connectedLink(siteId))
        launch->attach(link->cluster());
}

void Workbench::Private::routeEvents(const QString& siteId, const std::vector<JobEvent>& events)
{
    QMultiHash<QString, QString> runIds; // by job: a queue may be long, and few of its jobs are runs
    for (auto it = launches.cbegin(); it != launches.cend(); ++it)
        if (it.value()->run().spec.siteId == siteId && it.value()->run().job.isValid())
            runIds.insert(it.value()->run().job.text, it.key());
    for (const JobEvent& event : events)
        for (const QString& runId : runIds.values(event.after.id.text))
            if (Launch* const launch = launches.value(runId))
                launch->takeEvent(event);
}

} // namespace slipway

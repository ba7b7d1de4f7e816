// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runs.h"

#include "app/runs/arrayruns.h"
#include "app/runs/capsule.h"
#include "app/runs/continuing.h"
#include "app/runs/datafolders.h"
#include "app/runs/launcherror.h"
#include "app/runs/relaunch.h"
#include "app/runs/runadoption.h"
#include "app/runs/runcommands.h"
#include "app/runs/runfeeds.h"
#include "app/runs/runnodes.h"
#include "app/runs/runrace.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QPointer>

#include <algorithm>

namespace slipway {

namespace {

constexpr int storeLookInterval = 1000; ///< ms between looks at the store; a pragma, no disk
constexpr int takeOverTicks = 5;

Error noRun(const QString& id)
{
    return Error{
        ErrorKind::NotFound, tr("There is no run %1.").arg(id), tr("See the list of runs.")};
}

/// The stored steps of an interactive run, as the commands that are shown to learners.
QStringList allocationCommand(const QJsonObject& kept)
{
    QStringList command{QStringLiteral("salloc"), QStringLiteral("--no-shell")};
    if (kept.value(u"byBatchJob").toBool())
        command = {QStringLiteral("sbatch"), QStringLiteral("--parsable"),
            QStringLiteral("--wrap=while sleep 3600; do :; done")};
    for (const auto& option : kept.value(u"options").toArray())
        command << option.toString();
    return command;
}

std::vector<StepCommand> stepCommands(const QJsonObject& kept)
{
    std::vector<StepCommand> steps;
    for (const auto& value : kept.value(u"steps").toArray()) {
        const QJsonObject step = value.toObject();
        steps.push_back({step.value(u"file").toString(), step.value(u"leavesGpus").toBool()});
    }
    return steps;
}

/// The program may be closed before a lost connection is noticed.
QCoro::Task<std::shared_ptr<Shell>> shellAfter(QPointer<Sessions> sessions, QString siteId,
    std::shared_ptr<Shell> lost, Sessions::MayWait mayWait)
{
    if (!sessions)
        co_return std::shared_ptr<Shell>();
    auto next = co_await sessions->shellAfter(siteId, std::move(lost), std::move(mayWait));
    co_return next;
}

} // namespace

Runs::Runs(RunContext context, QObject* parent)
    : QObject(parent)
    , m_context(std::move(context))
    , m_registry(std::make_unique<RunRegistry>(m_context))
    , m_nodes(std::make_unique<RunNodes>(m_context, m_registry.get()))
    , m_feeds(std::make_unique<RunFeeds>(m_context, m_registry.get(), m_nodes.get()))
{
    connectParts(); // a run is announced before it is attached
    m_adoption = std::make_unique<RunAdoption>(m_context, m_registry.get());
    connect(m_adoption.get(), &RunAdoption::adopted, this, &Runs::runAdded);
    m_errors = m_registry->open();
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_registry->reloadIfChanged();
        m_feeds->dropIdle();
        // When the program that drove a run has ended, a connected program takes it over.
        if (++m_ticks % takeOverTicks == 0)
            for (const QString& siteId : m_context.sessions->connectedSites())
                m_adoption->attach(siteId);
    });
    m_timer.start(storeLookInterval);
}

/// Watches first, because their samples go to the feeds; feeds before the runs that they read.
Runs::~Runs()
{
    m_context.sessions->disconnect(this);
    m_registry->disconnect(this);
    m_nodes.reset();
    m_feeds.reset();
    m_adoption.reset();
}

void Runs::connectParts()
{
    const Sessions* const sessions = m_context.sessions;
    connect(sessions, &Sessions::connected, this, [this](const QString& siteId) {
        updateAttention(siteId);
        m_adoption->attach(siteId);
        m_adoption->adoptOrphans(siteId);
    });
    connect(sessions, &Sessions::disconnected, this,
        [this](const QString& siteId) { m_adoption->detach(siteId); });
    connect(sessions, &Sessions::jobEvents, this,
        [this](const QString& siteId, const std::vector<JobEvent>& events) {
            m_adoption->routeEvents(siteId, events);
        });
    connect(m_registry.get(), &RunRegistry::appeared, this, &Runs::runAdded);
    connect(m_registry.get(), &RunRegistry::changed, this, [this](const QString& runId) {
        m_feeds->update(runId);
        m_nodes->update(runId);
        if (const auto known = m_registry->run(runId))
            updateAttention(known->spec.siteId);
        emit runChanged(runId);
        emit raceChanged(runId);
    });
    connect(m_registry.get(), &RunRegistry::readingChanged, this, &Runs::readingChanged);
    connect(m_registry.get(), &RunRegistry::logGrew, m_feeds.get(), &RunFeeds::update);
    connect(m_registry.get(), &RunRegistry::reportGrew, this, &Runs::nodeReportChanged);
    connect(m_feeds.get(), &RunFeeds::samplesAppended, this, &Runs::raceChanged);
    connect(m_nodes.get(), &RunNodes::sampled, this,
        [this](const QString& runId, const std::vector<Sample>& points) {
            m_feeds->addSamples(runId, points);
            emit nodeSampled(runId);
        });
    connect(m_nodes.get(), &RunNodes::troubled, this, &Runs::nodeSamplesTroubled);
}

QCoro::Task<Result<QString>> Runs::launch(LaunchSpec spec)
{
    spec.afterJob.clear();
    if (!spec.continues.isEmpty()) {
        const Result<QString> before = jobsBefore(spec, m_registry->all());
        if (!before.ok())
            co_return before.error();
        spec.afterJob = *before;
    }
    Plan planned = plan(spec);
    if (planned.hasErrors())
        co_return lintError(planned);
    const auto cluster = m_context.sessions->cluster(spec.siteId);
    if (!cluster)
        co_return m_context.sessions->notConnected(spec.siteId);
    if (!planned.data.empty()) {
        const QPointer<Runs> self(this);
        const auto found = co_await checkDataFolders(cluster->shell(), planned.data);
        if (!self)
            co_return programClosed();
        if (!found.ok())
            co_return found.error();
        if (m_context.sessions->cluster(spec.siteId) != cluster) // lost, or connected again
            co_return m_context.sessions->notConnected(spec.siteId);
    }
    const auto run = m_registry->create(planned);
    if (!run.ok())
        co_return run.error();
    planned.tag = run->tag;
    planned.job.comment = jobComment(run->tag);
    if (planned.spec.chain.isEmpty())
        planned.spec.chain = run->id; // its own checkpoint folder
    RunHandle* const handle = m_registry->add(*run);
    handle->explainWith(m_context.hints, explainContext(*run, planned));
    emit runAdded(run->id);
    const QString scratch = m_context.sessions->clusterInfo(spec.siteId)->scratch;
    const auto begun = co_await handle->begin(planned, cluster, scratch);
    if (!begun.ok())
        co_return begun.error();
    co_return run->id;
}

QCoro::Task<Result<QStringList>> Runs::launchArray(std::vector<LaunchSpec> specs)
{
    const QPointer<Runs> self(this);
    const std::function added = [self](const QString& runId) {
        if (self)
            emit self->runAdded(runId);
    };
    auto launching = slipway::launchArray(m_context, m_registry.get(), std::move(specs), added);
    auto ids = co_await launching;
    co_return ids;
}

QCoro::Task<Result<void>> Runs::cancel(QString runId)
{
    RunHandle* const handle = m_registry->handle(runId);
    if (!handle)
        co_return noRun(runId);
    const auto cluster = m_context.sessions->cluster(handle->run().spec.siteId);
    if (!cluster)
        co_return m_context.sessions->notConnected(handle->run().spec.siteId);
    const auto ended = co_await handle->cancel(cluster);
    co_return ended;
}

QCoro::Task<Result<void>> Runs::release(QString runId)
{
    RunHandle* const handle = m_registry->handle(runId);
    if (!handle)
        co_return noRun(runId);
    const auto cluster = m_context.sessions->cluster(handle->run().spec.siteId);
    if (!cluster)
        co_return m_context.sessions->notConnected(handle->run().spec.siteId);
    const auto ended = co_await handle->release(cluster);
    co_return ended;
}

QCoro::Task<Result<QString>> Runs::fetch(QString runId, QString folder, Sessions::MayWait mayWait)
{
    const QPointer<Runs> self(this);
    RunHandle* const handle = m_registry->handle(runId);
    if (!handle)
        co_return noRun(runId);
    CapsuleRequest request;
    request.run = handle->run();
    request.localFolder = handle->local().folder();
    const QString name = QFileInfo(runFolderPath({}, request.run)).fileName();
    request.destination = QDir(folder).absoluteFilePath(name);
    request.facts = handle->local().facts();
    request.metrics = handle->local().metrics();
    request.recognisers = handle->reading().recognisers;
    request.patterns = handle->reading().patterns;
    const auto cluster = m_context.sessions->cluster(request.run.spec.siteId);
    if (cluster && !request.run.folder.isEmpty())
        request.shell = cluster->shell();
    request.shellAfter = [sessions = QPointer<Sessions>(m_context.sessions),
                             siteId = request.run.spec.siteId,
                             mayWait](std::shared_ptr<Shell> lost) {
        return shellAfter(sessions, siteId, std::move(lost), mayWait);
    };
    const auto made = co_await makeCapsule(request);
    if (!made.ok())
        co_return made.error();
    if (!self)
        co_return programClosed();
    m_registry->noteFetched(runId, request.destination);
    co_return request.destination;
}

std::optional<RunFiles> Runs::files(const QString& runId) const
{
    const auto known = run(runId);
    if (!known)
        return std::nullopt;
    const auto cluster = m_context.sessions->cluster(known->spec.siteId);
    return RunFiles(*known, m_context.localFolder(runId),
        cluster ? cluster->shell() : std::shared_ptr<Shell>());
}

Result<void> Runs::setLabels(const QString& runId, const RunLabels& labels)
{
    if (!m_registry->run(runId))
        return noRun(runId);
    const auto checked = checkedLabels(labels);
    return checked.ok() ? m_registry->setLabels(runId, *checked) : Result<void>(checked.error());
}

Result<void> Runs::readWith(const QString& runId, const QString& recipeId)
{
    if (!m_context.catalogue->recipe(recipeId))
        return Error{ErrorKind::NotFound, tr("There is no recipe “%1”.").arg(recipeId)};
    return m_registry->readWith(runId, recipeId);
}

RunReading Runs::reading(const QString& runId) const
{
    const auto known = run(runId);
    return known ? m_context.reading(*known) : RunReading();
}

std::vector<Run> Runs::all() const
{
    return m_registry->all();
}

int Runs::activeCount() const
{
    return m_registry->activeCount();
}

std::optional<Run> Runs::run(const QString& id) const
{
    return m_registry->run(id);
}

bool Runs::isSettled(const QString& id) const
{
    const RunHandle* const handle = m_registry->handle(id);
    return !handle || handle->isSettled(); // its last numbers may come after its end
}

LaunchFacts Runs::launchFacts(const QString& runId) const
{
    return m_registry->run(runId) ? factsFromJson(LocalRun(m_context.localFolder(runId)).facts())
                                  : LaunchFacts();
}

QByteArray Runs::submittedScript(const QString& runId) const
{
    const auto known = m_registry->run(runId);
    if (!known)
        return {};
    QFile kept(m_context.localFolder(runId) + u"/files/job.sh");
    if (kept.open(QIODevice::ReadOnly))
        return kept.readAll();
    return scriptOf(plan(known->spec), known->tag);
}

QStringList Runs::commands(const QString& runId) const
{
    RunHandle* const handle = m_registry->handle(runId);
    if (!handle)
        return {};
    const Run& run = handle->run();
    const QJsonObject kept = handle->local().steps();
    const ConnectTarget target = m_context.sessions->targetOf(run.spec.siteId);
    return runCommands(run, target, stepCommands(kept), allocationCommand(kept));
}

ShellLines Runs::shellLines(const QString& runId) const
{
    const std::optional<Run> known = run(runId);
    if (!known || known->phase != RunPhase::Allocated)
        return {};
    const QJsonObject kept = LocalRun(m_context.localFolder(runId)).steps();
    return slipway::shellLines(*known, m_context.sessions->targetOf(known->spec.siteId),
        kept.value(u"shell").toObject(), stepCommands(kept));
}

std::shared_ptr<RunFeed> Runs::holdFeed(const QString& runId)
{
    return m_feeds->feed(runId);
}

RaceFile Runs::race(const QString& runId) const
{
    RunHandle* const handle = m_registry->handle(runId);
    if (!handle)
        return {};
    const Recipe* const recipe = m_context.catalogue->recipe(handle->run().spec.recipeId);
    return raceOf(*handle, recipe, m_feeds->feed(runId).get());
}

void Runs::setShownRuns(const QStringList& runIds)
{
    m_feeds->setShown(runIds);
    for (const QString& siteId : m_context.sessions->connectedSites())
        updateAttention(siteId);
}

void Runs::setHidden(bool hidden)
{
    m_hidden = hidden;
    for (const QString& siteId : m_context.sessions->connectedSites())
        updateAttention(siteId);
}

void Runs::updateAttention(const QString& siteId)
{
    const auto cluster = m_context.sessions->cluster(siteId);
    if (!cluster)
        return;
    const QStringList& shown = m_feeds->shown();
    const bool watched = std::any_of(shown.cbegin(), shown.cend(), [&](const QString& runId) {
        const auto run = m_registry->run(runId);
        return run && run->spec.siteId == siteId && !isTerminal(run->phase);
    });
    using Attention = JobWatcher::Attention;
    cluster->watcher()->setAttention(m_hidden ? Attention::Hidden
            : watched                         ? Attention::Watched
                                              : Attention::Normal);
}

std::optional<NodeReport> Runs::nodeReport(const QString& runId) const
{
    return m_nodes->report(runId);
}

const std::vector<NodeSample>& Runs::nodeSamples(const QString& runId) const
{
    if (m_registry->handle(runId))
        m_feeds->touch(runId);
    return m_nodes->samples(runId);
}

QString Runs::nodeSamplesTrouble(const QString& runId) const
{
    return m_nodes->trouble(runId);
}

void Runs::setLiveSamples(bool on)
{
    m_nodes->setLiveSamples(on);
}

} // namespace slipway

#include "moc_runs.cpp"

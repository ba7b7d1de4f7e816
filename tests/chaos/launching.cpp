// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/chaos/launching.h"

#include "remote/cluster/slurmcontext.h"

namespace slipway {

using namespace std::chrono_literals;

namespace {

Plan planOf(const Run& run, const QByteArray& command)
{
    Plan plan;
    plan.spec = run.spec;
    plan.tag = run.tag;
    plan.steps = {{QStringLiteral("run"), QStringLiteral("Run"), QStringLiteral("running"), {},
        command.isEmpty() ? QByteArray("true\n") : command, {}, false,
        RecipeStep::Expect::Success}};
    return plan;
}

} // namespace

QStringList Launching::Place::words() const
{
    return {store, scratch, target.host, QString::number(target.port), target.user,
        target.identityFile, target.knownHostsFile};
}

Launching::Place Launching::Place::fromWords(const QStringList& words)
{
    Place place;
    place.store = words.value(0);
    place.scratch = words.value(1);
    place.target = {words.value(2), words.value(3).toInt(), words.value(4), words.value(5),
        words.value(6), false};
    return place;
}

Launching::Launching(const Place& place)
    : m_place(place)
    , m_store(place.store + QStringLiteral("/runs.sqlite"))
{
}

Launching::~Launching() = default;

void Launching::open(const Run& run)
{
    m_handle = std::make_unique<RunHandle>(
        run, m_place.store + QStringLiteral("/runs/") + run.id, &m_store, QStringList());
    m_handle->setTimeouts({50ms, 6, 100ms, 50ms, 200ms});
}

std::unique_ptr<Launching> Launching::make(const Place& place, const QString& id)
{
    std::unique_ptr<Launching> launching(new Launching(place));
    Run run;
    run.id = id;
    run.tag = QStringLiteral("chaos-") + id;
    run.spec.siteId = QStringLiteral("s");
    run.spec.recipeId = QStringLiteral("r");
    run.created = QDateTime::currentDateTime();
    if (!launching->m_store.open().ok() || !launching->m_store.insert(run).ok())
        return nullptr;
    launching->open(run);
    return launching;
}

std::unique_ptr<Launching> Launching::stored(const Place& place, const QString& id)
{
    std::unique_ptr<Launching> launching(new Launching(place));
    if (!launching->m_store.open().ok())
        return nullptr;
    const auto runs = launching->m_store.load();
    for (const Run& run : runs.ok() ? *runs : std::vector<Run>()) {
        if (run.id == id) {
            launching->open(run);
            return launching;
        }
    }
    return nullptr;
}

std::shared_ptr<Cluster> Launching::clusterOn(std::shared_ptr<Shell> shell) const
{
    auto cluster = std::make_shared<Cluster>(std::move(shell));
    cluster->setTimeouts({100ms, 20s, 50ms, 5s});
    if (m_command.isEmpty())
        return cluster;
    RunHandle* const handle = m_handle.get();
    QObject::connect(cluster->watcher(), &JobWatcher::events, handle,
        [handle](const std::vector<JobEvent>& events) {
            for (const JobEvent& event : events)
                handle->onJobEvent(event);
        });
    cluster->watcher()->setPace(WatchPace::demo());
    cluster->watcher()->start();
    return cluster;
}

QCoro::Task<Result<void>> Launching::begin(std::shared_ptr<Shell> shell)
{
    return m_handle->begin(planOf(run(), m_command), clusterOn(std::move(shell)), m_place.scratch);
}

void Launching::attach(const std::shared_ptr<Shell>& shell)
{
    m_handle->attach(clusterOn(shell));
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runnodes.h"

#include "remote/slurm/hostlist.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr double keptSeconds = 3600;
constexpr std::ptrdiff_t mostNodeSamples = 20'000; ///< of all nodes together
constexpr int mostWatches = 8; ///< of a site: each is an srun on its login node
constexpr qint64 mostWatchedNodes = 65'536;

void keepLastHour(std::vector<NodeSample>& samples)
{
    if (samples.empty())
        return;
    const double since = samples.back().t - keptSeconds;
    const auto first = std::find_if(
        samples.begin(), samples.end(), [since](const NodeSample& one) { return one.t >= since; });
    const auto most = std::min<std::ptrdiff_t>(mostNodeSamples, std::ptrdiff_t(samples.size()));
    samples.erase(samples.begin(), std::max(first, samples.end() - most));
}

/// The start of a curve's time axis.
double samplesBegin(const Run& run, const NodeSample& first)
{
    return run.started.isValid() ? double(run.started.toMSecsSinceEpoch()) / 1000 : first.t;
}

/// Samples taken before this program started, or before they were dropped here.
std::vector<NodeSample> keptSamples(RunHandle& run)
{
    std::vector<NodeSample> kept;
    for (const QByteArray& line : run.local().nodeSamples().split('\n'))
        if (const auto sample = readNodeSample(line))
            kept.push_back(*sample);
    keepLastHour(kept);
    return kept;
}

} // namespace

RunNodes::RunNodes(RunContext context, RunRegistry* registry)
    : m_context(std::move(context))
    , m_registry(registry)
{
}

RunNodes::~RunNodes()
{
    for (const auto& watch : std::exchange(m_watches, {}))
        delete watch.data();
}

std::optional<NodeReport> RunNodes::report(const QString& runId) const
{
    RunHandle* const run = m_registry->handle(runId);
    if (!run)
        return {};
    const QByteArray rows = run->local().probeRows();
    return rows.isEmpty() ? std::nullopt : std::optional(readNodeReport(rows));
}

const std::vector<NodeSample>& RunNodes::samples(const QString& runId)
{
    static const std::vector<NodeSample> none;
    RunHandle* const run = m_registry->handle(runId);
    if (!run)
        return none;
    const auto found = m_samples.constFind(runId);
    return found == m_samples.cend() ? *m_samples.insert(runId, keptSamples(*run)) : *found;
}

QString RunNodes::trouble(const QString& runId) const
{
    const auto watch = m_watches.value(runId);
    return watch ? watch->trouble() : QString();
}

void RunNodes::setLiveSamples(bool on)
{
    m_live = on;
    for (const RunHandle* run : m_registry->handles())
        update(run->run().id);
}

bool RunNodes::watchWanted(const RunHandle& handle) const
{
    const Run& run = handle.run();
    const Site* const site = m_context.catalogue->site(run.spec.siteId);
    const bool running = run.phase == RunPhase::Running || run.phase == RunPhase::Allocated;
    return m_live && site && site->liveSamples && running && handle.isAttached()
        && run.job.isValid() && !run.nodeList.isEmpty();
}

void RunNodes::update(const QString& runId)
{
    const RunHandle* const handle = m_registry->existing(runId);
    const bool wanted = handle && watchWanted(*handle);
    if (wanted == m_watches.contains(runId))
        return;
    if (!wanted) {
        if (const auto watch = m_watches.take(runId))
            watch->stop();
        return;
    }
    const Run& run = handle->run();
    const auto cluster = m_context.sessions->cluster(run.spec.siteId);
    const auto others =
        std::count_if(m_watches.keyBegin(), m_watches.keyEnd(), [&](const QString& other) {
            const auto known = m_registry->run(other);
            return known && known->spec.siteId == run.spec.siteId;
        });
    if (!cluster || others >= mostWatches)
        return;
    const auto nodes = countHostlist(run.nodeList);
    NodeWatchRequest request{
        run.job, run.folder, nodes.ok() ? int(std::min<qint64>(*nodes, mostWatchedNodes)) : 1, {}};
    if (const auto info = m_context.sessions->clusterInfo(run.spec.siteId))
        request.slurmVersion = info->slurmVersion;
    const auto start = [cluster](const QByteArray& script) { return cluster->start(script); };
    auto* const watch = new NodeWatch(start, request, this);
    m_watches.insert(runId, watch);
    connect(watch, &NodeWatch::sampled, this,
        [this, runId](const NodeSample& sample, const QByteArray& line) {
            onNodeSample(runId, sample, line);
        });
    connect(watch, &NodeWatch::troubled, this, [this, runId] { emit troubled(runId); });
}

void RunNodes::onNodeSample(const QString& runId, const NodeSample& sample, const QByteArray& line)
{
    RunHandle* const run = m_registry->handle(runId);
    if (!run)
        return;
    if (!m_samples.contains(runId))
        m_samples.insert(runId, keptSamples(*run));
    std::vector<NodeSample>& kept = m_samples[runId];
    kept.push_back(sample);
    keepLastHour(kept);
    run->local().appendNodeSample(line);
    emit sampled(runId, samplesOf(sample, samplesBegin(run->run(), kept.front())));
}

std::vector<Sample> keptNodeCurves(RunHandle& run)
{
    std::vector<Sample> curves;
    std::optional<NodeSample> first;
    for (const QByteArray& line : run.local().nodeSamples().split('\n')) {
        const auto sample = readNodeSample(line);
        if (!sample)
            continue;
        if (!first)
            first = sample;
        for (Sample& point : samplesOf(*sample, samplesBegin(run.run(), *first)))
            curves.push_back(std::move(point));
    }
    return curves;
}

} // namespace slipway

#include "moc_runnodes.cpp"

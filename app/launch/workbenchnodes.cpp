// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/workbench_p.h"
#include "remote/slurm/hostlist.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr double keptSeconds = 3600;
constexpr std::ptrdiff_t mostNodeSamples = 20'000; ///< of all nodes together
constexpr int mostWatches = 4; ///< of a site: each takes a channel, and a login has some ten
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

/// From when a curve's seconds are counted.
double samplesBegin(const Run& run, const NodeSample& first)
{
    return run.started.isValid() ? double(run.started.toMSecsSinceEpoch()) / 1000 : first.t;
}

} // namespace

std::optional<NodeReport> Workbench::nodeReport(const QString& runId) const
{
    Launch* const launch = d->launchOf(runId);
    if (!launch)
        return {};
    const QByteArray rows = launch->local().probeRows();
    return rows.isEmpty() ? std::nullopt : std::optional(readNodeReport(rows));
}

const std::vector<NodeSample>& Workbench::nodeSamples(const QString& runId) const
{
    static const std::vector<NodeSample> none;
    Launch* const launch = d->launchOf(runId);
    if (!launch)
        return none;
    d->touch(runId);
    const auto found = d->samples.constFind(runId);
    return found == d->samples.cend() ? *d->samples.insert(runId, d->keptNodeSamples(*launch)) : *found;
}

QString Workbench::nodeSamplesTrouble(const QString& runId) const
{
    const auto watch = d->watches.value(runId);
    return watch ? watch->trouble() : QString();
}

bool Workbench::liveSamples() const
{
    return d->liveSamples;
}

void Workbench::setLiveSamples(bool on)
{
    d->liveSamples = on;
    for (const QString& runId : d->launches.keys())
        d->updateWatch(runId);
}

bool Workbench::Private::watchWanted(const Launch& launch) const
{
    const Run& run = launch.run();
    const Site* const where = q->site(run.spec.siteId);
    const bool running = run.phase == RunPhase::Running || run.phase == RunPhase::Allocated;
    return liveSamples && where && where->liveSamples && running && launch.isAttached() && run.job.isValid() && !run.nodeList.isEmpty();
}

void Workbench::Private::updateWatch(const QString& runId)
{
    const Launch* const launch = launches.value(runId);
    const bool wanted = launch && watchWanted(*launch);
    if (wanted == watches.contains(runId))
        return;
    if (!wanted) {
        if (const auto watch = watches.take(runId))
            watch->stop();
        return;
    }
    const Run& run = launch->run();
    SiteLink* const link = connectedLink(run.spec.siteId);
    const auto others = std::count_if(watches.keyBegin(), watches.keyEnd(),
        [&](const QString& other) { return runOf(other) && runOf(other)->spec.siteId == run.spec.siteId; });
    if (!link || others >= mostWatches)
        return;
    const auto nodes = countHostlist(run.nodeList);
    NodeWatchRequest request{run.job, run.folder, nodes.ok() ? int(std::min<qint64>(*nodes, mostWatchedNodes)) : 1, {}};
    if (link->info())
        request.slurmVersion = link->info()->slurmVersion;
    auto* const watch = new NodeWatch(link->cluster(), request, q);
    watches.insert(runId, watch);
    connect(watch, &NodeWatch::sampled, q,
        [this, runId](const NodeSample& sample, const QByteArray& line) { takeNodeSample(runId, sample, line); });
    connect(watch, &NodeWatch::troubled, q, [this, runId] { emit q->nodeSampled(runId); });
}

void Workbench::Private::takeNodeSample(const QString& runId, const NodeSample& sample, const QByteArray& line)
{
    Launch* const launch = launchOf(runId);
    if (!launch)
        return;
    if (!samples.contains(runId))
        samples.insert(runId, keptNodeSamples(*launch));
    std::vector<NodeSample>& kept = samples[runId];
    kept.push_back(sample);
    keepLastHour(kept);
    launch->local().appendNodeSample(line);
    if (const auto feed = feeds.value(runId))
        feed->addSamples(samplesOf(sample, samplesBegin(launch->run(), kept.front())));
    emit q->nodeSampled(runId);
}

/// What was sampled before this program was there, or before it was dropped here.
std::vector<NodeSample> Workbench::Private::keptNodeSamples(Launch& launch) const
{
    std::vector<NodeSample> kept;
    for (const QByteArray& line : launch.local().nodeSamples().split('\n'))
        if (const auto sample = readNodeSample(line))
            kept.push_back(*sample);
    keepLastHour(kept);
    return kept;
}

/// The curves of what was sampled before this program, or this page, was there.
std::vector<Sample> Workbench::Private::keptNodeCurves(Launch& launch) const
{
    std::vector<Sample> curves;
    std::optional<NodeSample> first;
    for (const QByteArray& line : launch.local().nodeSamples().split('\n')) {
        const auto sample = readNodeSample(line);
        if (!sample)
            continue;
        if (!first)
            first = sample;
        for (Sample& point : samplesOf(*sample, samplesBegin(launch.run(), *first)))
            curves.push_back(std::move(point));
    }
    return curves;
}

} // namespace slipway

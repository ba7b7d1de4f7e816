// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/sweep.h"

#include "app/runs/runs.h"

#include <algorithm>

namespace slipway {

std::vector<LaunchSpec> sweepSpecs(const LaunchSpec& spec, const std::vector<SweepField>& fields,
    const QString& sweepId, int atOnce)
{
    LaunchSpec first = spec;
    first.mode = LaunchMode::Batch; // several simultaneous allocations would wait for each other
    first.sweep = sweepId;
    first.sweepLabel.clear();
    first.arrayAtOnce = -1; // it may repeat a run of an array
    std::vector<LaunchSpec> specs{first};
    for (const SweepField& field : fields) {
        std::vector<LaunchSpec> more;
        for (const LaunchSpec& before : specs) {
            for (const QString& value : field.values) {
                LaunchSpec one = before;
                one.values.insert(field.key, value);
                if (!one.sweepLabel.isEmpty())
                    one.sweepLabel += QStringLiteral(", ");
                one.sweepLabel += sweepLabel(field.key, value);
                more.push_back(std::move(one));
            }
        }
        specs = std::move(more);
    }
    const bool limited = atOnce > 0 && size_t(atOnce) < specs.size();
    for (size_t i = 0; i < specs.size(); ++i)
        specs[i].sweepSlot = limited ? int(i % size_t(atOnce)) + 1 : 0;
    return specs;
}

std::vector<LaunchSpec> arraySpecs(std::vector<LaunchSpec> specs, int atOnce)
{
    for (LaunchSpec& spec : specs) {
        spec.sweepSlot = 0; // the array itself limits how many run at once
        spec.arrayAtOnce = std::max(0, atOnce);
    }
    return specs;
}

std::vector<LaunchSpec> sweepSpecs(
    const LaunchSpec& spec, const QString& key, const QStringList& values, const QString& sweepId)
{
    return sweepSpecs(spec, {SweepField{key, values}}, sweepId);
}

QString sweepLabel(const QString& key, const QString& value)
{
    const QString shown = value.contains(u'/') ? value.section(u'/', -1) : value;
    return QString(key).replace(u'_', u' ') + u' ' + shown.left(60);
}

SweepFeed::SweepFeed(Runs* runs, QString sweepId, QObject* parent)
    : RunFeed(parent)
    , m_allRuns(runs)
    , m_sweepId(std::move(sweepId))
{
    connect(runs, &Runs::runAdded, this, [this] { gather(); });
    gather();
}

qint64 SweepFeed::bytes() const
{
    qint64 sum = 0;
    for (const std::shared_ptr<RunFeed>& feed : m_feeds)
        sum += feed ? feed->bytes() : 0;
    return sum;
}

bool SweepFeed::isCaughtUp() const
{
    return std::all_of(m_feeds.begin(), m_feeds.end(),
        [](const auto& feed) { return !feed || feed->isCaughtUp(); });
}

bool SweepFeed::live() const
{
    return std::any_of(m_feeds.begin(), m_feeds.end(),
        [](const std::shared_ptr<RunFeed>& feed) { return feed && feed->live(); });
}

void SweepFeed::gather()
{
    const std::vector<Run> runs = m_allRuns->all();
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) { // oldest first
        if (run->spec.sweep == m_sweepId && !m_runs.contains(run->id))
            take(run->id);
    }
}

void SweepFeed::take(const QString& runId)
{
    const std::shared_ptr<RunFeed> feed = m_allRuns->holdFeed(runId);
    if (!feed)
        return;
    m_runs << runId;
    m_feeds.insert(runId, feed);
    connect(feed.get(), &RunFeed::samplesAppended, this, [this, runId] {
        const std::shared_ptr<RunFeed> changed = m_feeds.value(runId);
        if (changed && changed->series().generation() != m_generations.value(runId))
            rebuild(); // series that were taken from it are no longer there
        else
            append(runId);
        emit samplesAppended();
    });
    // One of the logs was restarted: its data here is from the previous attempt.
    connect(feed.get(), &RunFeed::restarted, this, [this] {
        rebuild();
        emit samplesAppended();
    });
    connect(feed.get(), &RunFeed::liveChanged, this, [this] { emit liveChanged(live()); });
    append(runId);
}

void SweepFeed::append(const QString& runId)
{
    const std::shared_ptr<RunFeed> feed = m_feeds.value(runId);
    const std::optional<Run> run = m_allRuns->run(runId);
    if (!feed || !run)
        return;
    const auto& all = feed->series().all();
    std::vector<size_t>& taken = m_taken[runId];
    m_generations[runId] = feed->series().generation();
    taken.resize(all.size(), 0);
    for (size_t i = 0; i < all.size(); ++i) {
        const MetricSeries& series = *all[i];
        const QString lane = series.lane().isEmpty() ? run->spec.sweepLabel
                                                     : run->spec.sweepLabel + u", " + series.lane();
        for (size_t& at = taken[i]; at < series.size(); ++at) {
            const SeriesPoint point = series.at(at);
            Sample sample{series.series(), lane, point.x, series.xName(), point.y, series.unit(),
                point.low, point.high, 0,
                series.isFromNode() ? SampleSource::Node : SampleSource::Output};
            if (series.isTimed()) { // all of the runs by time, or all by line
                sample.x = series.line(at);
                sample.xName = QStringLiteral("line");
                sample.seconds = point.x;
            }
            m_series.add(sample);
        }
    }
}

void SweepFeed::rebuild()
{
    m_series.clear();
    m_taken.clear();
    for (const QString& runId : std::as_const(m_runs))
        append(runId);
}

} // namespace slipway

#include "moc_sweep.cpp"

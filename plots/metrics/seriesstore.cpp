// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/seriesstore.h"

#include "plots/metrics/recogniser.h"
#include "plots/metrics/risenx.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipway {

namespace {

const QString lineAxis = QStringLiteral("line");

size_t addressOf(const QString& series, const QString& lane)
{
    const auto address = [](const QString& text) {
        return reinterpret_cast<uintptr_t>(text.constData()) >> 4;
    };
    return address(series) * 31 + address(lane);
}

/// The range of float: beyond it a finite value would become infinity.
float drawable(double value)
{
    constexpr double most = std::numeric_limits<float>::max();
    return static_cast<float>(std::clamp(value, -most, most));
}

} // namespace

void ValueRange::add(double value)
{
    if (isEmpty()) {
        low = high = value;
        return;
    }
    low = std::min(low, value);
    high = std::max(high, value);
}

MetricSeries::MetricSeries(QString series, QString lane, SampleSource source)
    : m_series(std::move(series))
    , m_lane(std::move(lane))
    , m_source(source)
{
    m_links.printedLane = m_lane;
}

void MetricSeries::add(const Sample& sample, bool timed, quint64 revision)
{
    m_revision = revision;
    timed = timed && (isTimed() || (empty() && m_marks.empty()));
    const double x = timed ? *sample.seconds : sample.x;
    if (m_unit.isEmpty() && !sample.unit.isEmpty())
        m_unit = sample.unit;
    if (m_xName.isEmpty())
        m_xName = timed ? QStringLiteral("time") : sample.xName;
    if (timed || isTimed())
        (std::isfinite(sample.y) ? m_lines : m_markLines).push_back(sample.x);
    if (!std::isfinite(sample.y)) {
        m_marks.push_back({x, sample.y, size()});
        return;
    }
    const size_t i = size();
    if (i > 0 && isTimed() && x == m_points.x(i - 1))
        ++m_links.stacked;
    m_links.isRising = m_links.isRising && (i == 0 || x >= m_points.x(i - 1));
    m_links.isFalling = m_links.isFalling && (i == 0 || x < m_points.x(i - 1));
    if (i == 0)
        m_links.begin = revision;
    if (i == 0 || sample.y < y(m_lowest))
        m_lowest = i;
    if (i == 0 || sample.y > y(m_highest))
        m_highest = i;
    m_points.append(x, drawable(sample.y));
    if (i < exactPoints)
        m_exact.push_back(sample.y);
    m_yRange.add(sample.y);
    if (sample.y > 0 && (m_smallestPositive == 0 || sample.y < m_smallestPositive))
        m_smallestPositive = sample.y;
    const double low = sample.low.value_or(sample.y), high = sample.high.value_or(sample.y);
    if ((sample.low || sample.high) && std::isfinite(low) && std::isfinite(high) && low <= high) {
        m_spreads.push_back({i, low, high});
        m_yRange.add(low);
        m_yRange.add(high);
    }
}

void MetricSeries::drawByLine(quint64 revision)
{
    m_revision = revision;
    MinMaxPyramid points;
    for (size_t i = 0; i < m_lines.size(); ++i)
        points.append(m_lines[i], m_points.y(i));
    m_points = std::move(points);
    for (size_t i = 0; i < m_markLines.size(); ++i)
        m_marks[i].x = m_markLines[i];
    m_lines = {};
    m_markLines = {};
    m_xName = lineAxis;
}

double MetricSeries::y(size_t i) const
{
    return i < m_exact.size() ? m_exact[i] : static_cast<double>(m_points.y(i));
}

SeriesPoint MetricSeries::at(size_t i) const
{
    SeriesPoint point{m_points.x(i), y(i)};
    const auto spread = std::lower_bound(m_spreads.begin(), m_spreads.end(), i,
        [](const Spread& entry, size_t index) { return entry.index < index; });
    if (spread != m_spreads.end() && spread->index == i) {
        point.low = spread->low;
        point.high = spread->high;
    }
    return point;
}

std::optional<SeriesPoint> MetricSeries::latest() const
{
    return empty() ? std::nullopt : std::optional(at(size() - 1));
}

std::optional<SeriesPoint> MetricSeries::extreme(bool highest) const
{
    return empty() ? std::nullopt : std::optional(at(highest ? m_highest : m_lowest));
}

ValueRange MetricSeries::xRange() const
{
    ValueRange range;
    if (!empty())
        range = {m_points.xMin(), m_points.xMax()};
    return range;
}

ValueRange MetricSeries::yRange() const
{
    return m_yRange;
}

const MetricSeries* SeriesStore::add(const Sample& sample)
{
    if (!std::isfinite(sample.x))
        return nullptr;
    if (sample.source == SampleSource::Program && m_read.remove(sample.series)) {
        drop([&sample](const MetricSeries& series) {
            return series.m_source == SampleSource::Output && series.series() == sample.series;
        });
    }
    const bool timed = isTimed(sample);
    MetricSeries* series = seriesOf(sample, sample.lane);
    if (series && isCountedOtherwise(*series, sample))
        series = countedOtherwise(*series, sample);
    if (series && sample.source == SampleSource::Output)
        series = ofWholeEpochs(*series, sample);
    if (series && sample.source == SampleSource::Output)
        series = groupOf(*series, sample);
    if (series && sample.source == SampleSource::Output)
        series = runOf(*series, sample);
    if (!series) {
        ++m_dropped;
        return nullptr;
    }
    const bool getsUnit = series->unit().isEmpty() && !sample.unit.isEmpty();
    const bool getsName = series->xName().isEmpty() && !sample.xName.isEmpty();
    const bool wasWide = series->hasWideX();
    series->add(sample, timed, ++m_revision);
    if (series->isTimed() && series->m_links.isStacked(series->size()))
        drawByLine();
    if (getsUnit || getsName || wasWide != series->hasWideX())
        ++m_shape;
    return series;
}

/// The first sample without a time takes it from all others: a curve has one axis.
bool SeriesStore::isTimed(const Sample& sample)
{
    if (!isLineName(sample.xName))
        return false;
    if (sample.seconds || m_byLine)
        return !m_byLine;
    drawByLine();
    return false;
}

void SeriesStore::drawByLine()
{
    m_byLine = true;
    for (const auto& series : m_series) {
        if (!series->isTimed())
            continue;
        series->drawByLine(++m_revision);
        ++m_generation;
        ++m_shape;
    }
}

void SeriesStore::add(const std::vector<Sample>& samples)
{
    for (const Sample& sample : samples)
        add(sample);
}

void SeriesStore::clear()
{
    drop([](const MetricSeries&) { return true; });
    m_read.clear();
    m_dropped = 0;
    m_byLine = false;
}

void SeriesStore::clearPrinted()
{
    drop([](const MetricSeries& series) { return !series.isFromNode(); });
    m_read.clear();
    m_dropped = 0;
    m_byLine = false;
}

void SeriesStore::clearRecorded()
{
    drop([](const MetricSeries& series) { return series.m_source == SampleSource::LoggerFile; });
}

template <typename Drops> void SeriesStore::drop(Drops drops)
{
    m_index.removeIf(
        [&](const decltype(m_index)::iterator& entry) { return drops(*entry.value()); });
    std::erase_if(m_series, [&](const auto& series) { return drops(*series); });
    for (const auto& series : m_series)
        series->m_links.next = series->m_links.byOther = nullptr; // its runs go where it goes
    m_byAddress = {};
    m_last = nullptr;
    ++m_generation;
    ++m_shape;
    ++m_revision; // never back to a revision that a chart may remember
}

const MetricSeries* SeriesStore::find(const QString& series, const QString& lane) const
{
    return m_index.value({series, lane});
}

/// "loss" by epoch in one line and by step, or without either, in another: two curves, for one has
/// one axis.
bool SeriesStore::isCountedOtherwise(const MetricSeries& series, const Sample& sample)
{
    if (sample.source != SampleSource::Output || sample.xName.isEmpty() || series.xName().isEmpty())
        return false;
    const bool isSame = isSameText(series.xName(), sample.xName);
    if (isSame && !series.isTimed())
        return false;
    const bool isOfLines = series.isTimed() || isLineName(series.xName());
    if (isOfLines || isLineName(sample.xName))
        return isOfLines != isLineName(sample.xName);
    return !isSame;
}

/// The series of the sample in a part of that lane.
MetricSeries* SeriesStore::beside(const Sample& sample, QString lane, const QString& part)
{
    addToLane(lane, part);
    return seriesOf(sample, lane);
}

MetricSeries* SeriesStore::countedOtherwise(MetricSeries& series, const Sample& sample)
{
    if (series.m_links.byOther && isSameText(series.m_links.byOther->xName(), sample.xName))
        return series.m_links.byOther;
    const QString by = QStringLiteral("by %1").arg(sample.xName);
    series.m_links.byOther = beside(sample, sample.lane, by);
    return series.m_links.byOther;
}

/// "epoch 1, batch 100, loss 0.5" and "epoch 1, loss 0.45" behind the last batch: what is printed
/// for an epoch as a whole is another curve than that of its steps.
MetricSeries* SeriesStore::ofWholeEpochs(MetricSeries& series, const Sample& sample)
{
    if (sample.isOfEpoch && series.m_links.hasSteps)
        return beside(sample, sample.lane, QStringLiteral("whole epoch"));
    series.m_links.hasSteps = series.m_links.hasSteps || !sample.isOfEpoch;
    return &series;
}

/// Whether something else was printed by epoch since the series began: its own steps are those
/// within an epoch.
bool SeriesStore::countsEpochs(const MetricSeries& series) const
{
    static const QString epoch = QStringLiteral("epoch");
    return series.xName() != epoch
        && std::any_of(m_series.begin(), m_series.end(), [&series](const auto& other) {
               return other->xName() == epoch && other->revision() > series.m_links.begin;
           });
}

bool SeriesStore::goesOn(const MetricSeries& series, double x)
{
    const double last = series.points().x(series.size() - 1);
    return series.m_links.isRising ? x > last : x < last;
}

bool SeriesStore::beginsAgain(const MetricSeries& series, double x)
{
    constexpr size_t fewFalling = 3; // fewer are as often in no order
    const SeriesLinks& links = series.m_links;
    const MinMaxPyramid& points = series.points();
    if (!links.isRising)
        return links.isFalling && series.size() >= fewFalling && x == points.x(0);
    return series.size() > 1
        && RisenX{series.size(), points.x(0), points.x(1), points.x(series.size() - 1)}
               .beginsAgainAt(x);
}

/// Whether the sample, of another group than the latest of the series, begins a curve: its program
/// counts from the start again, or does not count at all and printed several times in each group.
bool SeriesStore::beginsGroup(const MetricSeries& series, const Sample& sample) const
{
    const SeriesLinks& links = series.m_links;
    if (sample.group.isEmpty() || links.mixesGroups || links.groups >= mostGroups)
        return false;
    const MetricSeries& within = links.inGroup ? *links.inGroup : series;
    const MetricSeries& latest = within.m_links.run ? *within.m_links.run : within;
    constexpr size_t least = 3;
    const bool isSplit = links.groups > 1;
    if (series.isTimed() || isLineName(series.xName()))
        return !links.group.isEmpty() && !sample.isGroupCounted
            && (isSplit || latest.size() >= least);
    if (links.group.isEmpty() && !beginsAgain(latest, sample.x))
        return false; // the first one has no title
    return !latest.empty() && (isSplit || latest.size() > 1)
        && sample.x <= latest.points().x(latest.size() - 1) && !countsEpochs(latest);
}

/// The curve is that of its first group from now on, and not of all.
void SeriesStore::nameGroup(MetricSeries& series)
{
    addToLane(series.m_lane, series.m_links.group);
    m_index.insert({series.series(), series.lane()}, &series);
    series.m_revision = ++m_revision;
    ++m_shape;
}

/// "fs=3" above the epochs of one training and "fs=5" above those of the next.
MetricSeries* SeriesStore::groupOf(MetricSeries& series, const Sample& sample)
{
    SeriesLinks& links = series.m_links;
    MetricSeries* const within = links.inGroup ? links.inGroup : &series;
    if (isSameText(links.group, sample.group))
        return within;
    const bool begins = beginsGroup(series, sample);
    if (begins && links.groups++ == 1)
        nameGroup(series);
    else if (!begins && links.groups == 1)
        links.mixesGroups = !series.empty();
    links.group = sample.group;
    if (!begins)
        return within;
    links.inGroup = beside(sample, links.printedLane, sample.group);
    return links.inGroup;
}

/// "epoch 1 … 5" and "epoch 1 … 5" once more: two trainings, one after the other.
MetricSeries* SeriesStore::runOf(MetricSeries& series, const Sample& sample)
{
    MetricSeries*& run = series.m_links.run;
    // One line of something that is counted otherwise, and the run goes on: no other run.
    MetricSeries* const before = series.m_links.runBefore;
    if (run && before && run->size() == 1 && goesOn(*before, sample.x))
        run = std::exchange(series.m_links.runBefore, nullptr);
    MetricSeries* const latest = run ? run : &series;
    if (series.m_links.runs >= mostRuns || series.isTimed() || !beginsAgain(*latest, sample.x)
        || countsEpochs(*latest))
        return latest;
    series.m_links.runBefore = latest;
    return run = beside(sample, series.lane(), QStringLiteral("run %1").arg(++series.m_links.runs));
}

MetricSeries* SeriesStore::seriesOf(const Sample& sample, const QString& lane)
{
    const auto isOf = [&](const MetricSeries* series) {
        return series && isSameText(series->series(), sample.series)
            && isSameText(series->m_links.printedLane, lane);
    };
    if (m_last && isOf(m_last->m_links.next))
        return m_last = m_last->m_links.next;
    if (isOf(m_last)) {
        m_last->m_links.next = m_last;
        return m_last;
    }
    const auto follow = [this](MetricSeries* known) {
        if (m_last)
            m_last->m_links.next = known;
        m_last = known;
        return known;
    };
    MetricSeries*& near = m_byAddress[addressOf(sample.series, lane) % m_byAddress.size()];
    if (isOf(near))
        return follow(near);
    const auto key = std::pair(sample.series, lane);
    if (MetricSeries* known = m_index.value(key)) {
        near = known;
        return follow(known);
    }
    if (m_series.size() >= mostSeries)
        return nullptr;
    m_series.push_back(std::make_unique<MetricSeries>(sample.series, lane, sample.source));
    m_last = m_series.back().get();
    m_index.insert(key, m_last);
    if (sample.source == SampleSource::Output)
        m_read.insert(sample.series);
    ++m_shape;
    return m_last;
}

} // namespace slipway

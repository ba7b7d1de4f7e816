// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/seriesstore.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipway {

namespace {

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

MetricSeries::MetricSeries(QString series, QString lane)
    : m_series(std::move(series))
    , m_lane(std::move(lane))
{
}

void MetricSeries::add(const Sample& sample, quint64 revision)
{
    m_revision = revision;
    if (m_unit.isEmpty())
        m_unit = sample.unit;
    if (m_xName.isEmpty())
        m_xName = sample.xName;
    if (!std::isfinite(sample.y)) {
        m_marks.push_back({sample.x, sample.y, size()});
        return;
    }
    const size_t i = size();
    if (i == 0 || sample.y < y(m_lowest))
        m_lowest = i;
    if (i == 0 || sample.y > y(m_highest))
        m_highest = i;
    m_points.append(sample.x, drawable(sample.y));
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

void SeriesStore::add(const Sample& sample)
{
    if (!std::isfinite(sample.x))
        return;
    if (MetricSeries* series = seriesOf(sample))
        series->add(sample, ++m_revision);
    else
        ++m_dropped;
}

void SeriesStore::add(const std::vector<Sample>& samples)
{
    for (const Sample& sample : samples)
        add(sample);
}

void SeriesStore::clear()
{
    m_series.clear();
    m_index.clear();
    m_last = nullptr;
    m_dropped = 0;
    ++m_generation;
    ++m_revision; // never back to a revision that a chart may remember
}

const MetricSeries* SeriesStore::find(const QString& series, const QString& lane) const
{
    return m_index.value({series, lane});
}

MetricSeries* SeriesStore::seriesOf(const Sample& sample)
{
    if (m_last && m_last->series() == sample.series && m_last->lane() == sample.lane)
        return m_last;
    const auto key = std::pair(sample.series, sample.lane);
    if (MetricSeries* known = m_index.value(key)) {
        m_last = known;
        return known;
    }
    if (m_series.size() >= mostSeries)
        return nullptr;
    m_series.push_back(std::make_unique<MetricSeries>(sample.series, sample.lane));
    m_last = m_series.back().get();
    m_index.insert(key, m_last);
    return m_last;
}

} // namespace slipway

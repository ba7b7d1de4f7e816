// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/rundigest.h"

#include "plots/metrics/summary.h"
#include "plots/metrics/units.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipway {

namespace {

constexpr size_t mostCurves = 512; ///< a log with endless new names must not fill the memory
constexpr size_t mostLast = 24; ///< stored with the run
constexpr size_t gathered = 2 * RunDigest::mostPoints;

/// Evenly spaced, with the first and the last.
std::vector<double> thinned(const std::vector<double>& values)
{
    const size_t count = std::min(values.size(), RunDigest::mostPoints);
    std::vector<double> points;
    for (size_t i = 0; i < count; ++i)
        points.push_back(values[count == 1 ? 0 : i * (values.size() - 1) / (count - 1)]);
    return points;
}

/// Few digits keep the record small; a sparkline is 20 pixels high.
double rounded(double value, int digits)
{
    return QString::number(value, 'g', digits).toDouble();
}

/// JSON has no NaN and no infinity.
QJsonValue valueToJson(double value)
{
    if (std::isnan(value))
        return QStringLiteral("nan");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
    return rounded(value, 9);
}

double valueFromJson(const QJsonValue& json)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const QString word = json.toString();
    if (word == u"inf" || word == u"-inf")
        return word == u"inf" ? infinity : -infinity;
    return json.toDouble(std::numeric_limits<double>::quiet_NaN());
}

} // namespace

DigestBuilder::Curve& DigestBuilder::curveOf(const Sample& sample)
{
    const auto key = std::make_pair(sample.series, sample.lane);
    const auto found = m_index.constFind(key);
    if (found != m_index.cend())
        return m_curves[*found];
    m_index.insert(key, m_curves.size());
    m_curves.push_back({{sample.series, sample.lane, sample.unit, 0}, {}, 1, 0, sample.source,
        curveIdOf(sample).byEpoch, {}, true});
    if (sample.source == SampleSource::Output)
        m_read.insert(sample.series);
    return m_curves.back();
}

/// Two trainings in one log are two runs, as in SeriesStore: what is drawn is the latest.
void DigestBuilder::Curve::goOnTo(double to)
{
    if (rises && x.beginsAgainAt(to)) {
        points.clear();
        stride = 1;
        count = 0;
        x = {};
    }
    rises = rises && (x.count == 0 || to >= x.last);
    if (x.count == 0)
        x.first = to;
    else if (x.count == 1)
        x.second = to;
    x.last = to;
    ++x.count;
}

template <typename Drops> void DigestBuilder::drop(Drops drops)
{
    std::erase_if(m_curves, drops);
    m_index.clear();
    for (size_t i = 0; i < m_curves.size(); ++i)
        m_index.insert({m_curves[i].last.series, m_curves[i].last.lane}, i);
}

void DigestBuilder::add(const std::vector<Sample>& samples)
{
    for (const Sample& sample : samples) {
        // As in SeriesStore: the program sends this series itself now.
        if (sample.source == SampleSource::Program && m_read.remove(sample.series))
            drop([&sample](const Curve& curve) {
                return curve.source == SampleSource::Output && curve.last.series == sample.series;
            });
        if (m_curves.size() >= mostCurves && !m_index.contains({sample.series, sample.lane}))
            continue;
        Curve& curve = curveOf(sample);
        if (sample.isOfEpoch && curve.count > 0)
            continue; // that of the batches goes on behind it
        curve.last.value = sample.y;
        if (!sample.unit.isEmpty())
            curve.last.unit = sample.unit;
        if (!std::isfinite(sample.y))
            continue;
        curve.goOnTo(sample.x);
        if (curve.count++ % curve.stride == 0)
            curve.points.push_back(sample.y);
        if (curve.points.size() < gathered)
            continue;
        // Every second one is dropped, and from now on every second one is taken.
        for (size_t i = 0; 2 * i < curve.points.size(); ++i)
            curve.points[i] = curve.points[2 * i];
        curve.points.resize(gathered / 2);
        curve.stride *= 2;
    }
}

void DigestBuilder::clear()
{
    m_curves.clear();
    m_index.clear();
    m_read.clear();
}

void DigestBuilder::clearRecorded()
{
    drop([](const Curve& curve) { return curve.source == SampleSource::LoggerFile; });
}

std::vector<CurveId> DigestBuilder::printed() const
{
    std::vector<CurveId> printed;
    for (const Curve& curve : m_curves) {
        if (curve.source != SampleSource::LoggerFile && curve.source != SampleSource::Node)
            printed.push_back({curve.last.series, curve.last.lane, curve.byEpoch});
    }
    return printed;
}

const DigestBuilder::Curve* DigestBuilder::mainCurveOf(const ChartSpec& chart) const
{
    const Curve* best = nullptr;
    const auto rank = [](const Curve& curve) {
        return (curve.count > 1 ? 2 : 0) + (isLossSeries(curve.last.series) ? 1 : 0);
    };
    for (const Curve& curve : m_curves) {
        const QString& series = curve.last.series;
        if (isMeasuredBeside(series) || !chartShows(chart, series))
            continue;
        if (!best || rank(curve) > rank(*best))
            best = &curve;
    }
    return best;
}

const DigestBuilder::Curve* DigestBuilder::mainCurve(const std::vector<ChartSpec>& charts) const
{
    for (const ChartSpec& chart : charts)
        if (const Curve* const curve = mainCurveOf(chart))
            return curve;
    return mainCurveOf({});
}

RunDigest DigestBuilder::digest(const std::vector<ChartSpec>& charts) const
{
    RunDigest digest;
    const Curve* const main = mainCurve(charts);
    if (main) {
        digest.last.push_back(main->last);
        std::vector<double> values = main->points;
        if (std::isfinite(main->last.value) && !values.empty()
            && (main->count - 1) % main->stride != 0)
            values.push_back(main->last.value); // the last one was passed over
        digest.points = thinned(values);
    }
    // What the program printed comes before what was sampled beside it.
    for (const bool beside : {false, true})
        for (const Curve& curve : m_curves)
            if (&curve != main && isMeasuredBeside(curve.last.series) == beside
                && digest.last.size() < mostLast)
                digest.last.push_back(curve.last);
    return digest;
}

QString metricText(const MetricValue& metric)
{
    const QString name = metric.lane.isEmpty()
        ? seriesTitle(metric.series)
        : QString(seriesTitle(metric.series) + QStringLiteral(", ") + metric.lane);
    return name + u' ' + quantityText(metric.value, metric.unit);
}

QJsonObject digestToJson(const RunDigest& digest)
{
    QJsonArray last;
    for (const MetricValue& metric : digest.last) {
        QJsonObject json{{QStringLiteral("series"), metric.series},
            {QStringLiteral("value"), valueToJson(metric.value)}};
        if (!metric.lane.isEmpty())
            json.insert(QStringLiteral("lane"), metric.lane);
        if (!metric.unit.isEmpty())
            json.insert(QStringLiteral("unit"), metric.unit);
        last.append(json);
    }
    QJsonArray points;
    for (const double point : digest.points)
        points.append(rounded(point, 4));
    return {{QStringLiteral("last"), last}, {QStringLiteral("points"), points}};
}

RunDigest digestFromJson(const QJsonObject& json)
{
    RunDigest digest;
    for (const auto& item : json.value(u"last").toArray()) {
        const QJsonObject one = item.toObject();
        if (digest.last.size() < mostLast)
            digest.last.push_back({one.value(u"series").toString(), one.value(u"lane").toString(),
                one.value(u"unit").toString(), valueFromJson(one.value(u"value"))});
    }
    for (const auto& item : json.value(u"points").toArray())
        if (item.isDouble() && digest.points.size() < RunDigest::mostPoints)
            digest.points.push_back(item.toDouble());
    return digest;
}

} // namespace slipway

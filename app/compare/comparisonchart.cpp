// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/comparison.h"
#include "app/compare/fairness.h"
#include "app/compare/statistics.h"
#include "app/compare/words.h"
#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

/// Series "seconds", "seconds_with_transfers": the median with its spread.
Sample timeSample(const CompareLane& lane, const Measurement& point, const QString& series,
    const std::vector<double>& times)
{
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    Sample sample{.series = series,
        .lane = lane.label,
        .x = point.x,
        .xName = point.xName,
        .y = median(times),
        .unit = QStringLiteral("s")};
    if (times.size() > 1) {
        sample.low = *least;
        sample.high = *most;
    }
    return sample;
}

/// The rate that belongs to a time: the work is the same, so the longest time is the lowest rate.
Sample rateSample(const Sample& time, double rate, const QString& unit)
{
    Sample sample = time;
    sample.series =
        unit == QLatin1String("B/s") ? QStringLiteral("bandwidth") : QStringLiteral("flops");
    sample.unit = unit;
    sample.y = rate;
    if (time.low) {
        sample.low = rate * time.y / *time.high;
        sample.high = rate * time.y / *time.low;
    }
    return sample;
}

bool allHaveRates(const std::vector<CompareLane>& lanes)
{
    return std::all_of(lanes.begin(), lanes.end(), [](const CompareLane& lane) {
        return std::all_of(lane.points.begin(), lane.points.end(),
            [](const Measurement& point) { return rateOf(point).has_value(); });
    });
}

} // namespace

QString rateUnit(const Measurement& point)
{
    return point.work == QLatin1String("triad") || !point.operations ? QStringLiteral("B/s")
                                                                     : QStringLiteral("FLOP/s");
}

std::vector<Sample> samplesOf(const CompareLane& lane)
{
    std::vector<Sample> samples;
    for (const Measurement& point : lane.points) {
        if (point.seconds.empty())
            continue;
        const Sample time = timeSample(lane, point, QStringLiteral("seconds"), point.seconds);
        if (const auto rate = rateOf(point))
            samples.push_back(rateSample(time, *rate, rateUnit(point)));
        if (point.rateOnly)
            continue;
        samples.push_back(time);
        if (!point.secondsWithTransfers.empty())
            samples.push_back(timeSample(
                lane, point, QStringLiteral("seconds_with_transfers"), point.secondsWithTransfers));
    }
    return samples;
}

ChartSpec comparisonChart(
    const std::vector<CompareLane>& lanes, const std::vector<ReferenceSeries>& references)
{
    ChartSpec chart;
    chart.id = QStringLiteral("comparison");
    const auto measured = std::find_if(
        lanes.begin(), lanes.end(), [](const CompareLane& lane) { return !lane.points.empty(); });
    if (measured == lanes.end())
        return chart;
    const Measurement& point = measured->points.front();
    const bool rates = allHaveRates(lanes);
    const QString unit = rates ? rateUnit(point) : QStringLiteral("s");
    chart.title = racewords::work(measured->work);
    chart.title.replace(0, 1, chart.title.left(1).toUpper());
    chart.series = !rates              ? QStringLiteral("seconds")
        : unit == QLatin1String("B/s") ? QStringLiteral("bandwidth")
                                       : QStringLiteral("flops");
    chart.x = {point.xName, {}, true};
    chart.y = {!rates                      ? tr("time")
            : unit == QLatin1String("B/s") ? tr("bandwidth")
                                           : tr("performance"),
        unit, true};
    chart.higherIsBetter = rates;
    for (const ReferenceSeries& reference : references)
        if (reference.series == chart.series)
            chart.references.push_back(reference);
    return chart;
}

} // namespace slipway

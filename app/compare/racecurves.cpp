// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/racecurves.h"

#include "plots/metrics/baseunit.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace slipway {

namespace {

/// What the events of a lane say about all its measurements.
void takeEvents(Measurement& point, const std::vector<MetricEvent>& events, const QString& label)
{
    const auto count = [](const MetricEvent& event, const char* key) -> std::optional<int> {
        bool ok = false;
        const int value = event.values.value(QLatin1String(key)).toInt(&ok);
        return ok && value >= 0 ? std::optional(value) : std::nullopt;
    };
    for (const MetricEvent& event : events) {
        if (event.values.value(QStringLiteral("lane")) != label)
            continue;
        if (event.event == QLatin1String("device")) {
            const QString device = event.values.value(QStringLiteral("device"));
            point.name = event.text;
            point.device = device == QLatin1String("cuda") || device == QLatin1String("gpu")
                ? QStringLiteral("gpu")
                : device == QLatin1String("cpu") ? QStringLiteral("cpu")
                                                 : point.device;
            if (const auto threads = count(event, "threads"))
                point.threads = threads;
            if (const auto cpus = count(event, "cpus"))
                point.cpus = cpus;
        } else if (event.event == QLatin1String("library")) {
            point.library = event.text;
        } else if (event.event == QLatin1String("protocol")) {
            if (const auto warmups = count(event, "warmup"))
                point.warmups = warmups;
        }
    }
}

Measurement pointOf(
    const MetricSeries& curve, const std::vector<MetricEvent>& events, const CurveRun& run)
{
    Measurement point;
    point.runId = run.id;
    point.settings = run.settings;
    point.lane = curve.lane().isEmpty() ? QStringLiteral("run") : curve.lane();
    point.label = curve.lane();
    point.fromCurve = true;
    // The size of what was measured is not when it was printed.
    point.xName = curve.isTimed() ? QStringLiteral("line") : curve.xName();
    for (const KnownLane& lane : run.lanes) {
        if (lane.label != curve.lane())
            continue;
        point.lane = lane.id;
        point.device = lane.device;
    }
    takeEvents(point, events, curve.lane());
    return point;
}

/// A value of a curve that can be a time or a rate, in the unit without prefix.
std::vector<SeriesPoint> pointsOf(const MetricSeries& curve)
{
    constexpr size_t mostPoints = 10'000;
    const double factor = curve.unit().isEmpty() ? 1 : baseUnit(curve.unit().toStdString()).factor;
    std::vector<SeriesPoint> points;
    for (size_t i = 0; i < std::min(curve.size(), mostPoints); ++i) {
        SeriesPoint point = curve.at(i);
        if (curve.isTimed())
            point.x = curve.line(i);
        point.y *= factor;
        if (point.y > 0 && std::isfinite(point.y))
            points.push_back(point);
    }
    return points;
}

/// Times and rates by size: each x is one measurement, and a repeated x is a repeat.
void readSizes(const MetricSeries& curve, const Measurement& pattern, bool isRate, RaceFile& file)
{
    const size_t first = file.points.size();
    for (const SeriesPoint& at : pointsOf(curve)) {
        if (at.x <= 0)
            continue;
        const auto begin = file.points.begin() + static_cast<std::ptrdiff_t>(first);
        auto point = std::find_if(
            begin, file.points.end(), [&](const Measurement& one) { return one.x == at.x; });
        if (point == file.points.end()) {
            point = file.points.insert(point, pattern);
            point->x = at.x;
            if (isRate && pattern.work == QLatin1String("bandwidth"))
                point->bytes = 1;
            else if (isRate)
                point->operations = 1;
            point->rateOnly = isRate;
        }
        point->seconds.push_back(isRate ? 1 / at.y : at.y);
    }
}

/// Every epoch does the same work: each is a repeat of one.
void readEpochs(const MetricSeries& curve, Measurement point, const QString& recipe, RaceFile& file)
{
    for (const SeriesPoint& at : pointsOf(curve))
        point.seconds.push_back(at.y);
    if (point.seconds.empty())
        return;
    point.work = QStringLiteral("epoch:") + recipe;
    point.x = 1;
    point.xName = QStringLiteral("epochs");
    file.points.push_back(std::move(point));
}

/// The amount of work for a time, where the same lane printed its rate at the same size.
void takeAmounts(
    const SeriesStore& series, const QString& lane, std::vector<Measurement>& points, size_t first)
{
    for (const auto* name : {"flops", "bandwidth"}) {
        const MetricSeries* const rates = series.find(QLatin1String(name), lane);
        if (!rates)
            continue;
        for (const SeriesPoint& rate : pointsOf(*rates))
            for (size_t i = first; i < points.size(); ++i)
                if (points[i].x == rate.x && !points[i].seconds.empty())
                    (QLatin1String(name) == QLatin1String("flops") ? points[i].operations
                                                                   : points[i].bytes) =
                        rate.y * points[i].seconds.front();
    }
}

/// A matrix product is identified by the number type that it printed; any other curve by its name.
QString workOf(const SeriesStore& series, const std::vector<MetricEvent>& events,
    const MetricSeries& curve, const CurveRun& run)
{
    // The race's form gives the work before its first row arrives.
    if (const QString work = run.settings.value(QStringLiteral("work")); !work.isEmpty())
        return work;
    const bool ofMatrices =
        curve.xName() == QLatin1String("n") && series.find(QStringLiteral("flops"), curve.lane());
    if (!ofMatrices)
        return curve.series();
    static const QMap<QString, QString> types{
        {QStringLiteral("float64"), QStringLiteral("gemm-fp64")},
        {QStringLiteral("float32"), QStringLiteral("gemm-fp32")},
        {QStringLiteral("float16"), QStringLiteral("gemm-fp16")},
        {QStringLiteral("bfloat16"), QStringLiteral("gemm-bf16")}};
    for (const MetricEvent& event : events)
        if (event.values.value(QStringLiteral("lane")) == curve.lane()
            && event.values.contains(QStringLiteral("dtype")))
            return event.values.value(QStringLiteral("tf32")) == QLatin1String("true")
                ? QStringLiteral("gemm-tf32")
                : types.value(event.values.value(QStringLiteral("dtype")), QStringLiteral("gemm"));
    return QStringLiteral("gemm");
}

} // namespace

RaceFile raceOfCurves(
    const SeriesStore& series, const std::vector<MetricEvent>& events, const CurveRun& run)
{
    RaceFile file;
    file.runId = run.id;
    for (const auto& curve : series.all()) {
        const QString name = curve->series();
        const size_t first = file.points.size();
        Measurement point = pointOf(*curve, events, run);
        if (name == QLatin1String("seconds")) {
            point.work = workOf(series, events, *curve, run);
            readSizes(*curve, point, false, file);
            takeAmounts(series, curve->lane(), file.points, first);
        } else if (name == QLatin1String("total_seconds")) {
            point.work = QStringLiteral("train:") + run.recipe;
            readSizes(*curve, point, false, file);
        } else if (name == QLatin1String("epoch_seconds") || name == QLatin1String("epoch_time")) {
            readEpochs(*curve, point, run.recipe, file);
        } else if ((name == QLatin1String("flops") || name == QLatin1String("bandwidth"))
            && !series.find(QStringLiteral("seconds"), curve->lane())) {
            point.work =
                name == QLatin1String("flops") ? workOf(series, events, *curve, run) : name;
            readSizes(*curve, point, true, file);
        }
    }
    return file;
}

void addLanes(RaceFile& file, const RaceFile& more)
{
    std::set<QString> known;
    for (const Measurement& point : file.points)
        known.insert(point.lane);
    for (const Measurement& point : more.points)
        if (!known.contains(point.lane))
            file.points.push_back(point);
}

} // namespace slipway

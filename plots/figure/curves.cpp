// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/curves.h"

#include "plots/figure/curveslots.h"
#include "plots/figure/ticks.h"
#include "plots/metrics/summary.h"
#include "plots/metrics/units.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

bool belongs(const ChartSpec& spec, const ReferenceSeries& reference)
{
    return reference.series.isEmpty() || reference.series == spec.series
        || chartShows(spec, reference.series);
}

void setStyles(std::vector<Curve>& curves, const ChartTheme& theme)
{
    std::vector<CurveKey> keys;
    for (const Curve& curve : curves)
        keys.push_back({curve.series->series(), curve.series->lane()});
    const std::vector<int> byName =
        theme.order.empty() ? curveSlots(keys) : std::vector<int>(curves.size());
    for (size_t i = 0; i < curves.size(); ++i)
        curves[i].style = theme.style(theme.order.empty() ? byName[i] : int(i));
}

/// Only positive values can be shown on a logarithmic axis.
void addTo(ValueRange& range, double value, bool logarithmic)
{
    if (std::isfinite(value) && (!logarithmic || value > 0))
        range.add(value);
}

bool isLeftOf(QPointF a, QPointF b)
{
    return a.x() < b.x();
}

/// Whether the points pass the same x several times, each time from left to right: iterations that
/// start again in each step, a training that was resumed, a table below another one. A sweep in no
/// particular order passes each x once.
bool isInPasses(const std::vector<QPointF>& points)
{
    std::vector<double> xs; // each once for points above each other
    size_t passes = 1;
    for (const QPointF& point : points) {
        if (!xs.empty() && xs.back() == point.x())
            continue;
        passes += !xs.empty() && point.x() < xs.back();
        xs.push_back(point.x());
    }
    if (passes < 2 || xs.size() < 3 * passes)
        return false;
    std::sort(xs.begin(), xs.end());
    return std::adjacent_find(xs.begin(), xs.end()) != xs.end();
}

} // namespace

std::vector<Curve> curvesOf(
    const ChartSpec& spec, const SeriesStore& store, const ChartTheme& theme)
{
    std::vector<Curve> curves;
    for (const auto& series : store.all()) {
        if (!chartShows(spec, *series))
            continue;
        Curve curve;
        curve.series = series.get();
        curve.drawn = &series->points();
        curve.name = curveName(spec, store, *series);
        curves.push_back(std::move(curve));
    }
    setStyles(curves, theme);
    int index = 0;
    for (const ReferenceSeries& reference : spec.references) {
        if (!belongs(spec, reference) || reference.points.empty())
            continue;
        Curve curve;
        curve.reference = &reference;
        curve.style = theme.referenceStyle(index++);
        curve.name = reference.label;
        curve.detail = referenceWords(reference);
        curves.push_back(std::move(curve));
    }
    return curves;
}

ChartAxis xAxisOf(const ChartSpec& spec, const std::vector<Curve>& curves)
{
    ChartAxis axis = spec.x;
    if (!curves.empty() && curves.front().series)
        axis.name = xNameOf(spec, *curves.front().series);
    if (axis.unit.isEmpty() && axis.name == QLatin1String("time")) {
        axis.name = tr("time since start");
        axis.unit = QStringLiteral("s");
    }
    return axis;
}

void setValues(std::vector<Curve>& curves, const ChartSpec& spec, const ValueRange& y)
{
    for (Curve& curve : curves) {
        if (!curve.series)
            continue;
        const MetricSeries& series = *curve.series;
        const auto latest = series.latest();
        const bool ofAxis = series.unit().isEmpty() || series.unit() == spec.y.unit;
        if (latest)
            curve.detail = ofAxis ? axisValueText(latest->y, y, spec.y)
                                  : quantityText(latest->y, series.unit());
        else if (!series.marks().empty())
            curve.detail = numberText(series.marks().back().y);
    }
}

ChartRanges rangesOf(const ChartSpec& spec, const std::vector<Curve>& curves)
{
    ChartRanges ranges;
    for (const Curve& curve : curves) {
        if (curve.series) {
            const ValueRange x = curve.series->xRange(), y = curve.series->yRange();
            if (!x.isEmpty()) {
                addTo(ranges.x, x.low, spec.x.logarithmic);
                addTo(ranges.x, x.high, spec.x.logarithmic);
            }
            for (const SeriesMark& mark : curve.series->marks())
                addTo(ranges.x, mark.x, spec.x.logarithmic);
            if (!y.isEmpty()) {
                addTo(ranges.y, y.low, spec.y.logarithmic);
                addTo(ranges.y, y.high, spec.y.logarithmic);
            }
            if (spec.y.logarithmic)
                addTo(ranges.y, curve.series->smallestPositive(), true);
        } else {
            for (const ReferencePoint& point : curve.reference->points) {
                addTo(ranges.y, point.y, spec.y.logarithmic);
                if (curve.reference->points.size() > 1)
                    addTo(ranges.x, point.x, spec.x.logarithmic);
            }
        }
    }
    if (spec.y.logarithmic && !ranges.y.isEmpty()) {
        // A decade that is almost reached gives the axis a label at its end.
        const double above = std::pow(10.0, std::ceil(std::log10(ranges.y.high)));
        const double below = std::pow(10.0, std::floor(std::log10(ranges.y.low)));
        ranges.y.add(above < ranges.y.high * 2 ? above : ranges.y.high);
        ranges.y.add(below > ranges.y.low / 2 ? below : ranges.y.low);
    }
    const bool startsAtZero = !spec.y.logarithmic && !ranges.y.isEmpty() && ranges.y.low >= 0
        && ranges.y.low < ranges.y.high * 0.4;
    ranges.x = paddedRange(ranges.x, spec.x.logarithmic, spec.x.logarithmic ? 0.04 : 0.0);
    ranges.y = paddedRange(ranges.y, spec.y.logarithmic, 0.05);
    if (startsAtZero)
        ranges.y.low = 0;
    return ranges;
}

void reducedPoints(
    const MinMaxPyramid& points, const AxisScale& x, int columns, std::vector<QPointF>& out)
{
    out.clear();
    if (points.empty())
        return;
    const auto add = [&](size_t i) { out.emplace_back(points.x(i), double(points.y(i))); };
    if (points.isMonotone()) {
        // One neighbour on each side, so that the line continues to the border of the picture.
        size_t begin = points.lowerBound(x.range.low), end = points.upperBound(x.range.high);
        begin -= begin > 0;
        end += end < points.size();
        if (end - begin <= size_t(columns) * 4) {
            for (size_t i = begin; i < end; ++i)
                add(i);
            return;
        }
        std::vector<PyramidColumn> reduced;
        points.columns(x.columnEdges(columns), reduced);
        if (points.x(begin) < x.range.low)
            add(begin);
        for (const PyramidColumn& c : reduced) {
            out.emplace_back(c.x, c.first);
            if (c.count > 2) {
                const double middle = c.x + (c.xLast - c.x) / 2;
                out.emplace_back(middle, c.low);
                out.emplace_back(middle, c.high);
            }
            if (c.count > 1)
                out.emplace_back(c.xLast, c.last);
        }
        if (points.x(end - 1) > x.range.high)
            add(end - 1);
        return;
    }
    if (points.size() <= size_t(columns) * 4) {
        for (size_t i = 0; i < points.size(); ++i)
            add(i);
        if (!isInPasses(out))
            std::stable_sort(out.begin(), out.end(), isLeftOf);
        return;
    }
    std::vector<PyramidColumn> reduced;
    points.columns(x.columnEdges(columns), reduced);
    for (const PyramidColumn& c : reduced) {
        out.emplace_back(c.x, c.low);
        out.emplace_back(c.x, c.high);
    }
}

size_t strokeEnd(std::span<const QPointF> points, size_t begin)
{
    const auto from = points.begin() + ptrdiff_t(begin);
    const auto back =
        std::adjacent_find(from, points.end(), [](QPointF a, QPointF b) { return isLeftOf(b, a); });
    return back == points.end() ? points.size() : size_t(back - points.begin()) + 1;
}

PointRange visiblePoints(const MinMaxPyramid& points, const ValueRange& x)
{
    if (points.empty() || !points.isMonotone())
        return {0, points.size()};
    const size_t end = points.upperBound(x.high);
    return {std::min(points.lowerBound(x.low), end), end};
}

} // namespace slipway

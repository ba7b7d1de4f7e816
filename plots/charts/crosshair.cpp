// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/crosshair.h"

#include "plots/figure/ticks.h"
#include "plots/metrics/units.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

/// The index of the point nearest in x; of several at the same distance, the last one.
std::optional<size_t> nearest(const MinMaxPyramid& points, const AxisScale& x, double pixel)
{
    if (points.empty())
        return {};
    if (!points.isMonotone()) {
        // Checking every point is fast enough for series whose x goes back and forth, because they
        // are short.
        constexpr size_t most = 200'000;
        std::optional<size_t> best;
        double distance = INFINITY;
        for (size_t i = points.size() > most ? points.size() - most : 0; i < points.size(); ++i) {
            const double d = std::abs(x.pixel(points.x(i)) - pixel);
            if (d <= distance) {
                distance = d;
                best = i;
            }
        }
        return best;
    }
    const size_t right = std::min(points.lowerBound(x.value(pixel)), points.size() - 1);
    const size_t left = right > 0 ? right - 1 : right;
    const bool leftIsNearer =
        std::abs(x.pixel(points.x(left)) - pixel) < std::abs(x.pixel(points.x(right)) - pixel);
    return points.upperBound(points.x(leftIsNearer ? left : right)) - 1;
}

/// Left of the line if it fits, so that it does not cover the growing end; at the top or the
/// bottom, whichever hides less of the curves; never outside the plot.
QRectF placeBox(QSizeF size, double x, const CrosshairReading& reading, const CurveCanvas& canvas)
{
    constexpr double apart = 14, air = 6;
    const QRectF& plot = canvas.plot;
    const bool fitsLeft = x - size.width() - apart >= plot.left();
    const double wanted = fitsLeft ? x - size.width() - apart : x + apart;
    const double left = std::max(plot.left() + 2, std::min(wanted, plot.right() - size.width()));
    const QRectF atTop(QPointF(left, plot.top() + air), size);
    const QRectF atBottom(QPointF(left, plot.bottom() - size.height() - air), size);
    const auto hidden = [&](const QRectF& box) {
        return std::count_if(
            reading.entries.begin(), reading.entries.end(), [&](const auto& entry) {
                return std::abs(entry.at.y() - box.center().y()) < box.height() / 2 + 10;
            });
    };
    return hidden(atBottom) < hidden(atTop) ? atBottom : atTop;
}

QString valueText(const ChartSpec& spec, const MetricSeries& series, size_t i)
{
    const QString unit = series.unit().isEmpty() ? spec.y.unit : series.unit();
    const SeriesPoint point = series.at(i);
    QString text = quantityText(point.y, unit, unit.isEmpty() ? 3 : 4);
    if (point.low && point.high) {
        const UnitScale scale = unitScale(*point.high, unit);
        text += QStringLiteral(u"  (%1 – %2)")
                    .arg(numberText(*point.low / scale.factor, 3), quantityText(*point.high, unit));
    }
    return text;
}

} // namespace

std::optional<CrosshairReading> readCrosshair(const ChartSpec& spec,
    const std::vector<Curve>& curves, const CurveCanvas& canvas, QPointF pointer)
{
    struct Candidate {
        const Curve* curve;
        size_t index;
        double pixel;
    };
    std::vector<Candidate> candidates;
    for (const Curve& curve : curves) {
        if (!curve.series)
            continue;
        if (const auto i = nearest(curve.series->points(), canvas.x, pointer.x()))
            candidates.push_back({&curve, *i, canvas.x.pixel(curve.series->points().x(*i))});
    }
    const auto closest = std::min_element(
        candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
            return std::abs(a.pixel - pointer.x()) < std::abs(b.pixel - pointer.x());
        });
    if (closest == candidates.end() || closest->pixel < canvas.x.from - 1
        || closest->pixel > canvas.x.to + 1)
        return {};
    CrosshairReading reading;
    reading.x = closest->curve->series->points().x(closest->index);
    const ChartAxis x = xAxisOf(spec, curves);
    const bool time = x.unit == QLatin1String("s") && !x.logarithmic;
    const UnitScale scale = axisUnit(canvas.x.range, x);
    reading.title = x.name + u' '
        + (time ? numberText(reading.x / scale.factor, 4) + QChar(0xa0) + scale.unit
                : quantityText(reading.x, x.unit, 6));
    for (const Candidate& candidate : candidates) {
        if (std::abs(candidate.pixel - closest->pixel) > 1.5)
            continue; // the curve was not measured here
        const MetricSeries& series = *candidate.curve->series;
        reading.entries.push_back(
            {{candidate.pixel, canvas.y.pixel(series.y(candidate.index))}, candidate.curve->style,
                candidate.curve->name, valueText(spec, series, candidate.index)});
    }
    return reading;
}

void paintCrosshair(QPainter& painter, const CrosshairReading& reading, const CurveCanvas& canvas,
    const QFont& font)
{
    const ChartTheme& theme = *canvas.theme;
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font), boldMetrics(bold);
    painter.setRenderHint(QPainter::Antialiasing);
    const double x = std::floor(canvas.x.pixel(reading.x)) + 0.5;
    painter.setPen(QPen(theme.secondText, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, canvas.plot.top()), QPointF(x, canvas.plot.bottom()));
    double nameWidth = 0, valueWidth = 0;
    for (const CrosshairEntry& entry : reading.entries) {
        if (canvas.plot.adjusted(-2, -2, 2, 2).contains(entry.at))
            paintMarker(painter, entry.style.marker, entry.at, 11, entry.style.colour, theme.text);
        nameWidth = std::max(nameWidth, metrics.horizontalAdvance(entry.name));
        valueWidth = std::max(valueWidth, boldMetrics.horizontalAdvance(entry.value));
    }
    const double row = metrics.height() + 3, pad = 10;
    QRectF box(0, 0,
        pad * 2
            + std::max(
                boldMetrics.horizontalAdvance(reading.title), 18 + nameWidth + 14 + valueWidth),
        pad * 2 + row * double(reading.entries.size() + 1) - 3);
    box = placeBox(box.size(), x, reading, canvas);
    QColor background = theme.surface;
    background.setAlphaF(0.94f);
    painter.setPen(QPen(theme.axis, 1));
    painter.setBrush(background);
    painter.drawRoundedRect(box, 6, 6);
    double y = box.top() + pad + metrics.ascent();
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(QPointF(box.left() + pad, y), reading.title);
    for (const CrosshairEntry& entry : reading.entries) {
        y += row;
        paintMarker(painter, entry.style.marker,
            {box.left() + pad + 5, y - metrics.capHeight() / 2}, 8, entry.style.colour,
            theme.surface);
        painter.setFont(font);
        painter.setPen(theme.secondText);
        painter.drawText(QPointF(box.left() + pad + 18, y), entry.name);
        painter.setFont(bold);
        painter.setPen(theme.text);
        painter.drawText(QPointF(box.right() - pad - boldMetrics.horizontalAdvance(entry.value), y),
            entry.value);
    }
}

} // namespace slipway

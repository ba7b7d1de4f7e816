// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/curvepainter.h"

#include "plots/metrics/units.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

constexpr size_t longCurve =
    2000; ///< number of points from which a wide antialiased pen takes longer than a frame
constexpr double dense = 2.5; ///< likewise, points per pixel of the width

/// Lines end at the border of the plot; a marker on the border is drawn completely.
void clipTo(QPainter& painter, const CurveCanvas& canvas, double air)
{
    painter.setClipRect(canvas.plot.adjusted(-air, -air, air, air));
}

bool isInside(QPointF at, const CurveCanvas& canvas)
{
    return canvas.plot.adjusted(-1, -1, 1, 1).contains(at);
}

QPolygonF pixels(const std::vector<QPointF>& points, const CurveCanvas& canvas)
{
    QPolygonF line;
    line.reserve(qsizetype(points.size()));
    for (const QPointF& point : points)
        line.append({canvas.x.pixel(point.x()), std::clamp(canvas.y.pixel(point.y()), -1e5, 1e5)});
    return line;
}

/// QPainter takes tens of milliseconds for a wide antialiased line of thousands of points, and one
/// millisecond for a line of one pixel.
void paintLine(QPainter& painter, const MinMaxPyramid& points, QPen pen, const CurveCanvas& canvas)
{
    std::vector<QPointF> list;
    reducedPoints(points, canvas.x, int(canvas.plot.width()), list);
    // In a small chart, fewer points are as dense.
    const bool isLong =
        list.size() > longCurve || double(list.size()) > dense * canvas.plot.width();
    if (isLong) {
        pen.setStyle(
            Qt::SolidLine); // dashes are unreadable on a curve that goes up and down in every pixel
        pen.setWidthF(canvas.isLive ? 1 : 1.2);
    }
    painter.setRenderHint(QPainter::Antialiasing, !(isLong && canvas.isLive));
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(pixels(list, canvas));
    painter.setRenderHint(QPainter::Antialiasing);
}

void paintSpread(QPainter& painter, const Curve& curve, const CurveCanvas& canvas)
{
    if (!curve.series->hasSpread())
        return;
    painter.setPen(QPen(curve.style.colour, 1.4, Qt::SolidLine, Qt::FlatCap));
    for (size_t i = 0; i < curve.series->size(); ++i) {
        const SeriesPoint point = curve.series->at(i);
        const double at = canvas.x.pixel(point.x);
        if ((!point.low && !point.high) || at < canvas.x.from - 1 || at > canvas.x.to + 1)
            continue;
        const double low = canvas.y.pixel(point.low.value_or(point.y)),
                     high = canvas.y.pixel(point.high.value_or(point.y));
        painter.drawLine(QPointF(at, low), QPointF(at, high));
        for (double end : {low, high})
            painter.drawLine(QPointF(at - 5, end), QPointF(at + 5, end));
    }
}

/// NaN and infinity are shown as crosses at the top: a gap would suggest that nothing was printed.
void paintMarks(QPainter& painter, const Curve& curve, const CurveCanvas& canvas)
{
    double last = -1e9;
    const double top = canvas.plot.top();
    painter.setFont(canvas.font);
    for (const SeriesMark& mark : curve.series->marks()) {
        const double at = canvas.x.pixel(mark.x);
        if (at < canvas.x.from || at > canvas.x.to || at - last < 10)
            continue; // adjacent crosses would look like a bar
        painter.setPen(QPen(curve.style.labelColour, 1.8));
        painter.drawLine(QPointF(at - 3.5, top + 1), QPointF(at + 3.5, top + 8));
        painter.drawLine(QPointF(at - 3.5, top + 8), QPointF(at + 3.5, top + 1));
        if (at - last > 40)
            painter.drawText(QPointF(at + 7, top + 9), numberText(mark.y));
        last = at;
    }
}

void paintPointMarkers(QPainter& painter, const Curve& curve, const CurveCanvas& canvas)
{
    const MinMaxPyramid& points = curve.series->points();
    const bool all = visibleCount(points, canvas.x.range) <= mostMarkers;
    clipTo(painter, canvas, 8);
    // A long curve has its marker only at its end, so that it can be identified without its colour.
    for (size_t i = all || points.empty() ? 0 : points.size() - 1; i < points.size(); ++i) {
        const double y = all ? curve.series->y(i) : double(curve.drawn->y(i));
        const QPointF at(canvas.x.pixel(points.x(i)), canvas.y.pixel(y));
        if (isInside(at, canvas))
            paintMarker(
                painter, curve.style.marker, at, 8.5, curve.style.colour, canvas.theme->surface);
    }
}

void paintMeasured(QPainter& painter, const Curve& curve, const CurveCanvas& canvas)
{
    const MinMaxPyramid& points = curve.series->points();
    clipTo(painter, canvas, 1);
    if (curve.drawn != &points) {
        QColor faint = curve.style.colour;
        faint.setAlphaF(canvas.theme->isDark ? 0.4f : 0.35f);
        paintLine(painter, points, QPen(faint, 1.2), canvas);
    }
    paintLine(painter, *curve.drawn, curve.style.pen(2), canvas);
    if (visibleCount(points, canvas.x.range) <= mostMarkers)
        paintSpread(painter, curve, canvas);
    paintPointMarkers(painter, curve, canvas);
}

/// A single published number is a level across the whole chart; several are a dashed curve. Those
/// that are not comparable are points without a line that would connect them to a measured curve.
void paintReference(QPainter& painter, const Curve& curve, const CurveCanvas& canvas)
{
    const auto& points = curve.reference->points;
    QPen pen = curve.style.pen(1.6);
    clipTo(painter, canvas, 1);
    const bool comparable = curve.reference->notComparable.isEmpty();
    if (points.size() == 1 && comparable) {
        const double y = canvas.y.pixel(points.front().y);
        pen.setDashPattern({1, 2.5});
        painter.setPen(pen);
        painter.drawLine(QPointF(canvas.plot.left(), y), QPointF(canvas.plot.right(), y));
        return;
    }
    std::vector<QPointF> list;
    for (const ReferencePoint& point : points)
        list.emplace_back(point.x, point.y);
    const QPolygonF line = pixels(list, canvas);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (comparable)
        painter.drawPolyline(line);
    clipTo(painter, canvas, 8);
    for (const QPointF& at : line) {
        if (isInside(at, canvas))
            paintMarker(
                painter, curve.style.marker, at, 8, curve.style.colour, canvas.theme->surface);
    }
}

} // namespace

void paintCurves(QPainter& painter, const std::vector<Curve>& curves, const CurveCanvas& canvas)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    // References first, so that measured curves are drawn on top of published ones.
    for (const Curve& curve : curves) {
        if (curve.reference)
            paintReference(painter, curve, canvas);
    }
    for (const Curve& curve : curves) {
        if (curve.series)
            paintMeasured(painter, curve, canvas);
    }
    painter.restore();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Curve& curve : curves) {
        if (curve.series)
            paintMarks(painter, curve, canvas);
    }
    painter.restore();
}

} // namespace slipway

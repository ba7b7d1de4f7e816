// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/curvepainter.h"

#include "plots/figure/columnraster.h"
#include "plots/metrics/units.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

/// From this number of points on, or this number for each pixel of the width, a wide antialiased
/// pen takes longer than a frame; and from one point for each pixel of the device on if the line
/// climbs this many times the width.
constexpr size_t longCurve = 2000;
constexpr double dense = 2.5;
constexpr double steep = 4;
/// Width of a long curve in a live chart: the noise of a wider one is a bar.
constexpr double longWidth = 1.4;

/// Lines end at the border of the plot; a marker on the border is drawn completely.
void clipTo(QPainter& painter, const CurveCanvas& canvas, double air)
{
    painter.setClipRect(canvas.plot.adjusted(-air, -air, air, air));
}

bool isInside(QPointF at, const CurveCanvas& canvas)
{
    return canvas.plot.adjusted(-1, -1, 1, 1).contains(at);
}

/// AxisScale::pixel() for many values of one axis.
class PixelMap {
public:
    explicit PixelMap(const AxisScale& scale)
        : m_scale(scale)
        , m_factor(scale.range.high > scale.range.low
                  ? (scale.to - scale.from) / (scale.range.high - scale.range.low)
                  : 0)
    {
    }

    double operator()(double value) const
    {
        return m_scale.logarithmic ? m_scale.pixel(value)
                                   : m_scale.from + (value - m_scale.range.low) * m_factor;
    }

private:
    const AxisScale& m_scale;
    double m_factor;
};

/// Replaces values by their pixels.
void toPixels(std::vector<QPointF>& points, const CurveCanvas& canvas)
{
    const PixelMap x(canvas.x), y(canvas.y);
    for (QPointF& point : points)
        point = {x(point.x()), std::clamp(y(point.y()), -1e5, 1e5)};
}

/// How far a line goes up and down, in pixels.
double climb(const std::vector<QPointF>& line)
{
    double sum = 0;
    for (size_t i = 1; i < line.size(); ++i)
        sum += std::abs(line[i].y() - line[i - 1].y());
    return sum;
}

/// LinePainter paints the lines of measured curves over each other. QPainter takes tens of
/// milliseconds for a wide antialiased line of thousands of points, so that in a live chart such a
/// line is drawn by columns. A value for one drawing, which flush() ends.
class LinePainter {
public:
    LinePainter(QPainter& painter, const CurveCanvas& canvas)
        : m_painter(painter)
        , m_canvas(canvas)
        , m_ratio(canvas.isLive ? painter.device()->devicePixelRatioF() : 1)
        , m_raster(canvas.plot.adjusted(-1, -1, 1, 1), m_ratio)
    {
    }

    void add(const MinMaxPyramid& points, QPen pen)
    {
        const double width = m_canvas.plot.width();
        reducedPoints(points, m_canvas.x, int(width * m_ratio), m_points);
        const double count = double(m_points.size());
        // In a small chart, fewer points are as dense.
        const bool isLong = m_points.size() > longCurve || count > dense * width;
        toPixels(m_points, m_canvas);
        // The columns of a line with fewer points would be seen as steps.
        if (m_canvas.isLive
            && (isLong || (count * m_ratio > width && climb(m_points) > steep * width))) {
            const double thick = isLong ? std::min(pen.widthF(), longWidth) : pen.widthF();
            eachStroke(
                [&](std::span<const QPointF> stroke) { m_raster.add(stroke, pen.color(), thick); });
            return;
        }
        flush();
        if (isLong) {
            pen.setStyle(Qt::SolidLine); // dashes are unreadable on a curve that goes up and down
                                         // in every pixel
            pen.setWidthF(1.2);
        }
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        eachStroke([this](std::span<const QPointF> stroke) {
            m_painter.drawPolyline(stroke.data(), int(stroke.size()));
        });
    }

    void flush() { m_raster.paint(m_painter); }

private:
    template <typename Draw> void eachStroke(Draw draw) const
    {
        const std::span<const QPointF> all(m_points);
        for (size_t begin = 0; begin < all.size();) {
            const size_t end = strokeEnd(all, begin);
            draw(all.subspan(begin, end - begin));
            begin = end;
        }
    }

    QPainter& m_painter;
    const CurveCanvas& m_canvas;
    double m_ratio;
    ColumnRaster m_raster;
    std::vector<QPointF> m_points;
};

void paintSpread(
    QPainter& painter, const Curve& curve, const PointRange& shown, const CurveCanvas& canvas)
{
    if (!curve.series->hasSpread())
        return;
    painter.setPen(QPen(curve.style.colour, 1.4, Qt::SolidLine, Qt::FlatCap));
    for (size_t i = shown.begin; i < shown.end; ++i) {
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

/// Spread and markers. A long curve has its marker only at its end, so that it can be identified
/// without its colour.
void paintPoints(QPainter& painter, const Curve& curve, const CurveCanvas& canvas)
{
    const MinMaxPyramid& points = curve.series->points();
    PointRange shown = visiblePoints(points, canvas.x.range);
    const bool all = shown.count() <= mostMarkers;
    if (all) {
        clipTo(painter, canvas, 1);
        paintSpread(painter, curve, shown, canvas);
    } else {
        shown = {points.size() - 1, points.size()};
    }
    clipTo(painter, canvas, 8);
    for (size_t i = shown.begin; i < shown.end; ++i) {
        const double y = all ? curve.series->y(i) : double(curve.drawn->y(i));
        const QPointF at(canvas.x.pixel(points.x(i)), canvas.y.pixel(y));
        if (isInside(at, canvas))
            paintMarker(
                painter, curve.style.marker, at, 8.5, curve.style.colour, canvas.theme->surface);
    }
}

void paintLines(QPainter& painter, const std::vector<Curve>& curves, const CurveCanvas& canvas)
{
    clipTo(painter, canvas, 1);
    LinePainter lines(painter, canvas);
    // All faint lines first: each change between the two ways to draw costs an image of the plot.
    for (const Curve& curve : curves) {
        if (!curve.series || curve.drawn == &curve.series->points())
            continue;
        QColor faint = curve.style.colour;
        faint.setAlphaF(canvas.theme->isDark ? 0.4f : 0.35f);
        lines.add(curve.series->points(), QPen(faint, 1.2));
    }
    for (const Curve& curve : curves) {
        if (curve.series)
            lines.add(*curve.drawn, curve.style.pen(2));
    }
    lines.flush();
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
    std::vector<QPointF> line;
    for (const ReferencePoint& point : points)
        line.emplace_back(point.x, point.y);
    toPixels(line, canvas);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (comparable)
        painter.drawPolyline(line.data(), int(line.size()));
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
    paintLines(painter, curves, canvas);
    // After all lines, so that no curve hides the marker by which another is identified.
    for (const Curve& curve : curves) {
        if (curve.series)
            paintPoints(painter, curve, canvas);
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

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/figure.h"

#include "plots/figure/endlabels.h"
#include "plots/figure/ticks.h"
#include "plots/metrics/units.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <memory>

namespace slipway {

namespace {

constexpr double margin = 20;

QString tr(const char* text)
{
    return QCoreApplication::translate("Figure", text);
}

/// FigurePainter paints one chart into one rectangle, from the edges inwards: what stands around the
/// plot takes its room first, and the plot gets the rest.
class FigurePainter {
public:
    FigurePainter(QPainter& painter, const QRectF& rect, const ChartSpec& spec, const SeriesStore& store, const FigureOptions& options)
        : m_painter(painter)
        , m_rect(rect)
        , m_spec(spec)
        , m_options(options)
        , m_theme(options.theme)
        , m_curves(curvesOf(spec, store, options.theme))
    {
        for (Curve& curve : m_curves) {
            if (!curve.series || !smooths(*curve.series, options.smoothing))
                continue;
            m_smoothed.push_back(std::make_unique<SmoothedSeries>(options.smoothing));
            m_smoothed.back()->update(*curve.series);
            curve.drawn = &m_smoothed.back()->points();
        }
    }

    void paint()
    {
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.fillRect(m_rect, m_theme.surface);
        m_plot = m_rect.adjusted(margin, margin, -margin, -margin);
        paintTitle();
        if (m_options.legend)
            paintLegend();
        paintCaption();
        layOut();
        paintGrid();
        m_painter.save();
        m_painter.setClipRect(m_plot.adjusted(-7, -7, 7, 7));
        // References first: what was measured here stands before what others published.
        for (const bool references : {true, false}) {
            for (const Curve& curve : m_curves) {
                if ((curve.reference != nullptr) == references)
                    paintCurve(curve);
            }
        }
        m_painter.restore();
        for (const Curve& curve : m_curves) {
            if (curve.series)
                paintMarks(m_painter, curve, m_x, m_plot.top(), font(11));
        }
        paintEndLabels(m_painter, m_labels, m_plot, m_labelWidth, font(12));
        if (m_curves.empty())
            paintEmpty();
    }

private:
    QFont font(int pixels, bool bold = false) const
    {
        QFont font = m_options.font;
        font.setPixelSize(pixels);
        font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
        return font;
    }

    void write(QPointF at, const QString& text, const QFont& font, const QColor& colour)
    {
        m_painter.setFont(font);
        m_painter.setPen(colour);
        m_painter.drawText(at, text);
    }

    void paintTitle()
    {
        if (m_spec.title.isEmpty())
            return;
        const QFont bold = font(17, true);
        const QFontMetricsF metrics(bold);
        write({m_plot.left(), m_plot.top() + metrics.ascent()}, metrics.elidedText(m_spec.title, Qt::ElideRight, m_plot.width()), bold, m_theme.text);
        m_plot.setTop(m_plot.top() + metrics.height() + 10);
    }

    void paintLegend();
    void paintCaption();
    void layOut();
    void paintGrid();
    void paintCurve(const Curve& curve);
    void paintReference(const Curve& curve);
    void paintLine(const MinMaxPyramid& points, const QPen& pen);

    void paintEmpty()
    {
        const QString text = tr("No numbers yet");
        const QFontMetricsF metrics(font(13));
        write(m_plot.center() - QPointF(metrics.horizontalAdvance(text) / 2, 0), text, font(13), m_theme.secondText);
    }

    QPainter& m_painter;
    QRectF m_rect;
    QRectF m_plot;
    const ChartSpec& m_spec;
    const FigureOptions& m_options;
    const ChartTheme& m_theme;
    std::vector<Curve> m_curves;
    std::vector<std::unique_ptr<SmoothedSeries>> m_smoothed;
    std::vector<EndLabel> m_labels;
    double m_labelWidth = 0;
    AxisScale m_x;
    AxisScale m_y;
    AxisTicks m_xTicks;
    AxisTicks m_yTicks;
};

/// One row of samples: the line as it is drawn, its marker and its name.
void FigurePainter::paintLegend()
{
    const QFont small = font(12);
    const QFontMetricsF metrics(small);
    double x = m_plot.left(), y = m_plot.top() + metrics.height() / 2;
    for (const Curve& curve : m_curves) {
        const double width = 34 + metrics.horizontalAdvance(curve.name) + 20;
        if (x > m_plot.left() && x + width > m_plot.right()) {
            x = m_plot.left();
            y += metrics.height() + 4;
        }
        m_painter.setPen(curve.style.pen(2));
        m_painter.drawLine(QPointF(x, y), QPointF(x + 26, y));
        paintMarker(m_painter, curve.style.marker, {x + 13, y}, 8, curve.style.colour, m_theme.surface);
        write({x + 34, y + metrics.ascent() / 2 - 1}, curve.name, small, m_theme.text);
        x += width;
    }
    m_plot.setTop(y + metrics.height() / 2 + 8);
}

void FigurePainter::paintCaption()
{
    if (m_options.caption.isEmpty())
        return;
    m_painter.setFont(font(11));
    m_painter.setPen(m_theme.secondText);
    const int flags = Qt::TextWordWrap | Qt::AlignLeft;
    QRectF box = QFontMetricsF(font(11)).boundingRect(QRectF(0, 0, m_plot.width(), m_rect.height() / 3), flags, m_options.caption);
    box.moveBottomLeft(m_plot.bottomLeft() + QPointF(0, 4));
    box.setWidth(m_plot.width());
    m_painter.drawText(box, flags, m_options.caption);
    m_plot.setBottom(box.top() - 12);
}

void FigurePainter::layOut()
{
    const QFontMetricsF metrics(font(12));
    const ChartRanges ranges = rangesOf(m_spec, m_curves);
    const ValueRange xRange = m_options.xRange.value_or(ranges.x), yRange = m_options.yRange.value_or(ranges.y);
    m_plot.setTop(m_plot.top() + metrics.height() + 8); // the caption of the y axis
    m_plot.setBottom(m_plot.bottom() - metrics.height() - 10);
    m_yTicks = makeTicks(yRange, m_spec.y, std::clamp(int(m_plot.height() / 60), 2, 8));
    double tickWidth = 24;
    for (const Tick& tick : m_yTicks.ticks)
        tickWidth = std::max(tickWidth, metrics.horizontalAdvance(tick.label));
    m_plot.setLeft(m_plot.left() + std::ceil(tickWidth) + 10);
    m_x = {xRange, m_spec.x.logarithmic, m_plot.left(), m_plot.right()};
    m_y = {yRange, m_spec.y.logarithmic, m_plot.bottom(), m_plot.top()};
    m_labels = endLabelsOf(m_curves, m_x, m_y, m_theme);
    m_labelWidth = endLabelWidth(m_labels, font(12), m_rect.width() * 0.34);
    m_plot.setRight(m_plot.right() - m_labelWidth);
    m_x.to = m_plot.right();
    m_labels = endLabelsOf(m_curves, m_x, m_y, m_theme);
    m_xTicks = makeTicks(xRange, m_spec.x, std::clamp(int(m_plot.width() / 80), 2, 10));
}

void FigurePainter::paintGrid()
{
    const QFont small = font(12);
    const QFontMetricsF metrics(small);
    const auto crisp = [](double v) { return std::floor(v) + 0.5; };
    for (const Tick& tick : m_yTicks.ticks) {
        const double y = crisp(m_y.pixel(tick.value));
        if (y < m_plot.top() - 1 || y > m_plot.bottom() + 1 || tick.label.isEmpty())
            continue;
        m_painter.setPen(QPen(m_theme.grid, 1));
        m_painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
        write({m_plot.left() - 10 - metrics.horizontalAdvance(tick.label), y + metrics.capHeight() / 2}, tick.label, small, m_theme.secondText);
    }
    const double bottom = crisp(m_plot.bottom());
    m_painter.setPen(QPen(m_theme.axis, 1));
    m_painter.drawLine(QPointF(m_plot.left(), bottom), QPointF(m_plot.right(), bottom));
    QString xName = m_spec.x.name;
    if (xName.isEmpty() && !m_curves.empty() && m_curves.front().series)
        xName = m_curves.front().series->xName();
    if (!m_xTicks.unit.isEmpty())
        xName += QStringLiteral(", ") + m_xTicks.unit;
    const double nameLeft = m_plot.right() - metrics.horizontalAdvance(xName);
    double lastLabel = 0;
    for (const Tick& tick : m_xTicks.ticks) {
        const double x = crisp(m_x.pixel(tick.value));
        if (x < m_plot.left() - 1 || x > m_plot.right() + 1)
            continue;
        m_painter.setPen(QPen(m_theme.axis, 1));
        m_painter.drawLine(QPointF(x, bottom), QPointF(x, bottom + (tick.label.isEmpty() ? 3 : 5)));
        const double half = metrics.horizontalAdvance(tick.label) / 2;
        write({x - half, bottom + 8 + metrics.ascent()}, tick.label, small, m_theme.secondText);
        if (!tick.label.isEmpty())
            lastLabel = x + half;
    }
    // The name stands at the end of the axis: in the row of the numbers where there is room for it.
    const bool beside = lastLabel + 10 < nameLeft || m_labelWidth > metrics.horizontalAdvance(xName) + 8;
    const double nameX = lastLabel + 10 < nameLeft ? nameLeft : std::max(m_plot.right(), lastLabel) + 8;
    if (beside)
        write({nameX, bottom + 8 + metrics.ascent()}, xName, small, m_theme.secondText);
    write({m_plot.left(), m_plot.top() - 8}, axisCaption(m_spec, m_yTicks.unit), small, m_theme.secondText);
}

void FigurePainter::paintLine(const MinMaxPyramid& points, const QPen& pen)
{
    std::vector<QPointF> list;
    reducedPoints(points, m_x, int(m_plot.width()), list);
    QPolygonF line;
    for (const QPointF& point : list)
        line.append({m_x.pixel(point.x()), std::clamp(m_y.pixel(point.y()), -1e5, 1e5)});
    m_painter.setPen(pen);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPolyline(line);
}

void FigurePainter::paintCurve(const Curve& curve)
{
    if (curve.reference) {
        paintReference(curve);
        return;
    }
    const MinMaxPyramid& points = curve.series->points();
    const bool few = visibleCount(points, m_x.range) <= mostMarkers;
    if (curve.drawn != &points) {
        QPen faint = curve.style.pen(1.2);
        QColor colour = curve.style.colour;
        colour.setAlphaF(m_theme.isDark ? 0.4f : 0.35f);
        faint.setColor(colour);
        faint.setStyle(Qt::SolidLine);
        paintLine(points, faint);
        paintLine(*curve.drawn, curve.style.pen(2));
        return;
    }
    paintLine(points, curve.style.pen(points.size() > 2000 ? 1.4 : 2));
    if (!few)
        return;
    paintSpread(m_painter, curve, m_x, m_y);
    for (size_t i = 0; i < points.size(); ++i) {
        const QPointF at(m_x.pixel(points.x(i)), m_y.pixel(curve.series->y(i)));
        if (at.x() >= m_plot.left() - 1 && at.x() <= m_plot.right() + 1)
            paintMarker(m_painter, curve.style.marker, at, 8.5, curve.style.colour, m_theme.surface);
    }
}

void FigurePainter::paintReference(const Curve& curve)
{
    const auto& points = curve.reference->points;
    m_painter.setPen(curve.style.pen(1.6));
    m_painter.setBrush(Qt::NoBrush);
    if (points.size() == 1) {
        const double y = m_y.pixel(points.front().y);
        QPen dotted = curve.style.pen(1.4);
        dotted.setDashPattern({1, 2.5});
        m_painter.setPen(dotted);
        m_painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
        return;
    }
    QPolygonF line;
    for (const ReferencePoint& point : points)
        line.append({m_x.pixel(point.x), m_y.pixel(point.y)});
    m_painter.drawPolyline(line);
    for (const QPointF& at : line)
        paintMarker(m_painter, curve.style.marker, at, 8, curve.style.colour, m_theme.surface);
}

} // namespace

void paintFigure(QPainter& painter, const QRectF& rect, const ChartSpec& spec, const SeriesStore& store, const FigureOptions& options)
{
    painter.save();
    FigurePainter(painter, rect, spec, store, options).paint();
    painter.restore();
}

QString axisCaption(const ChartSpec& spec, const QString& unit)
{
    QStringList words;
    for (const QString& word : {spec.y.name, unit}) {
        if (!word.isEmpty())
            words.append(word);
    }
    const QString better = spec.higherIsBetter ? tr("higher is better") : tr("lower is better");
    return words.isEmpty() ? better : words.join(QStringLiteral(", ")) + QStringLiteral(u" · ") + better;
}

void paintSpread(QPainter& painter, const Curve& curve, const AxisScale& x, const AxisScale& y)
{
    if (!curve.series || !curve.series->hasSpread())
        return;
    painter.setPen(QPen(curve.style.colour, 1.4, Qt::SolidLine, Qt::FlatCap));
    for (size_t i = 0; i < curve.series->size(); ++i) {
        const SeriesPoint point = curve.series->at(i);
        if (!point.low && !point.high)
            continue;
        const double at = x.pixel(point.x);
        const double low = y.pixel(point.low.value_or(point.y)), high = y.pixel(point.high.value_or(point.y));
        if (at < x.from - 1 || at > x.to + 1)
            continue;
        painter.drawLine(QPointF(at, low), QPointF(at, high));
        for (double end : {low, high})
            painter.drawLine(QPointF(at - 5, end), QPointF(at + 5, end));
    }
}

void paintMarks(QPainter& painter, const Curve& curve, const AxisScale& x, double top, const QFont& font)
{
    double last = -1e9;
    painter.setFont(font);
    for (const SeriesMark& mark : curve.series->marks()) {
        const double at = x.pixel(mark.x);
        if (at < x.from || at > x.to || at - last < 10)
            continue; // side by side they would be a bar
        painter.setPen(QPen(curve.style.labelColour, 1.8));
        painter.drawLine(QPointF(at - 3.5, top + 1), QPointF(at + 3.5, top + 8));
        painter.drawLine(QPointF(at - 3.5, top + 8), QPointF(at + 3.5, top + 1));
        if (at - last > 40)
            painter.drawText(QPointF(at + 7, top + 9), numberText(mark.y));
        last = at;
    }
}

} // namespace slipway

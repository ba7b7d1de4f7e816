// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/figure.h"

#include "plots/figure/curvepainter.h"
#include "plots/figure/endlabels.h"
#include "plots/figure/legend.h"
#include "plots/figure/ticks.h"
#include "plots/metrics/summary.h"
#include "remote/base/tr.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <memory>

namespace slipway {

namespace {

constexpr double margin = 20;

/// FigurePainter paints one chart into one rectangle, from the edges inwards: what surrounds the
/// plot is placed first, and the plot gets the remaining area. Lives for one drawing.
class FigurePainter {
public:
    FigurePainter(QPainter& painter, const QRectF& rect, const ChartSpec& spec,
        const SeriesStore& store, const FigureOptions& options)
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
            m_plot.setTop(
                m_plot.top() + paintLegend(&m_painter, m_curves, m_plot, font(12), m_theme) + 8);
        paintCaption();
        layOut();
        paintGrid();
        paintCurves(m_painter, m_curves, {m_plot, m_x, m_y, &m_theme, font(11), false});
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
        write({m_plot.left(), m_plot.top() + metrics.ascent()},
            metrics.elidedText(m_spec.title, Qt::ElideRight, m_plot.width()), bold, m_theme.text);
        m_plot.setTop(m_plot.top() + metrics.height() + 10);
    }

    void paintCaption();
    void layOut();
    void paintGrid();

    void paintEmpty()
    {
        const QString text = tr("No values yet");
        const QFontMetricsF metrics(font(13));
        write(m_plot.center() - QPointF(metrics.horizontalAdvance(text) / 2, 0), text, font(13),
            m_theme.secondText);
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

void FigurePainter::paintCaption()
{
    if (m_options.caption.isEmpty())
        return;
    m_painter.setFont(font(11));
    m_painter.setPen(m_theme.secondText);
    const int flags = Qt::TextWordWrap | Qt::AlignLeft;
    QRectF box = QFontMetricsF(font(11)).boundingRect(
        QRectF(0, 0, m_plot.width(), m_rect.height() / 3), flags, m_options.caption);
    box.moveBottomLeft(m_plot.bottomLeft() + QPointF(0, 4));
    box.setWidth(m_plot.width());
    m_painter.drawText(box, flags, m_options.caption);
    m_plot.setBottom(box.top() - 12);
}

void FigurePainter::layOut()
{
    const QFontMetricsF metrics(font(12));
    const ChartRanges ranges = rangesOf(m_spec, m_curves);
    const ValueRange xRange = m_options.xRange.value_or(ranges.x),
                     yRange = m_options.yRange.value_or(ranges.y);
    m_plot.setTop(m_plot.top() + metrics.height() + 8); // the caption of the y axis
    m_plot.setBottom(m_plot.bottom() - metrics.height() - 10);
    m_yTicks = makeTicks(yRange, m_spec.y, std::clamp(int(m_plot.height() / 60), 2, 8));
    double tickWidth = 24;
    for (const Tick& tick : m_yTicks.ticks)
        tickWidth = std::max(tickWidth, metrics.horizontalAdvance(tick.label));
    m_plot.setLeft(m_plot.left() + std::ceil(tickWidth) + 10);
    m_x = {xRange, m_spec.x.logarithmic, m_plot.left(), m_plot.right()};
    m_y = {yRange, m_spec.y.logarithmic, m_plot.bottom(), m_plot.top()};
    setValues(m_curves, m_spec, yRange);
    m_labels = endLabelsOf(m_curves, m_x, m_y, m_theme);
    m_labelWidth = endLabelWidth(m_labels, font(12), m_rect.width() * 0.34);
    m_plot.setRight(m_plot.right() - m_labelWidth);
    m_x.to = m_plot.right();
    m_labels = endLabelsOf(m_curves, m_x, m_y, m_theme);
    m_xTicks =
        makeTicks(xRange, xAxisOf(m_spec, m_curves), std::clamp(int(m_plot.width() / 80), 2, 10));
}

void FigurePainter::paintGrid()
{
    const QFont small = font(12);
    const QFontMetricsF metrics(small);
    const auto crisp = [](double v) { return std::floor(v) + 0.5; };
    for (const Tick& tick : m_yTicks.ticks) {
        const double y = crisp(m_y.pixel(tick.value));
        if (y < m_plot.top() - 1 || y > m_plot.bottom() + 1)
            continue;
        if (tick.label.isEmpty()) {
            m_painter.setPen(QPen(m_theme.axis, 1));
            m_painter.drawLine(QPointF(m_plot.left() - 4, y), QPointF(m_plot.left(), y));
            continue;
        }
        m_painter.setPen(QPen(m_theme.grid, 1));
        m_painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
        write({m_plot.left() - 10 - metrics.horizontalAdvance(tick.label),
                  y + metrics.capHeight() / 2},
            tick.label, small, m_theme.secondText);
    }
    const double bottom = crisp(m_plot.bottom());
    m_painter.setPen(QPen(m_theme.axis, 1));
    m_painter.drawLine(QPointF(m_plot.left(), bottom), QPointF(m_plot.right(), bottom));
    const QString xName = axisTitle(xAxisOf(m_spec, m_curves).name, m_xTicks.unit);
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
    // The name is at the end of the axis: in the row of the labels if there is room for it.
    const bool beside =
        lastLabel + 10 < nameLeft || m_labelWidth > metrics.horizontalAdvance(xName) + 8;
    const double nameX =
        lastLabel + 10 < nameLeft ? nameLeft : std::max(m_plot.right(), lastLabel) + 8;
    if (beside)
        write({nameX, bottom + 8 + metrics.ascent()}, xName, small, m_theme.secondText);
    write({m_plot.left(), m_plot.top() - 8}, axisCaption(m_spec, m_yTicks.unit), small,
        m_theme.secondText);
}

} // namespace

void paintFigure(QPainter& painter, const QRectF& rect, const ChartSpec& spec,
    const SeriesStore& store, const FigureOptions& options)
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
    QString caption = words.join(QStringLiteral(", "));
    if (!spec.higherIsBetter)
        return caption;
    const QString better = *spec.higherIsBetter ? tr("higher is better") : tr("lower is better");
    return caption.isEmpty() ? better : caption + QStringLiteral(u" · ") + better;
}

} // namespace slipway

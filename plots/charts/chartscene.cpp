// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/chartscene.h"

#include "plots/charts/chartlayer.h"
#include "plots/charts/crosshair.h"
#include "plots/figure/figure.h"
#include "plots/figure/legend.h"
#include "plots/metrics/summary.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

/// A width in steps, so that a label with one digit more moves nothing.
double stepped(double width)
{
    return std::ceil(width / 8) * 8;
}

int ticksFor(double height)
{
    return std::clamp(int(height / 60), 2, 8);
}

void prepare(QCustomPlot* plot)
{
    plot->setNoAntialiasingOnDrag(true);
    plot->axisRect()->setAutoMargins(QCP::msNone);
    plot->addLayer(QStringLiteral("curves"), plot->layer(QStringLiteral("main")));
}

} // namespace

ValueRange visibleRange(const QCPAxis* axis)
{
    return {axis->range().lower, axis->range().upper};
}

ChartScene::ChartScene(QCustomPlot* plot, const QWidget* corner)
    : m_plot(plot)
    , m_chart(plot->parentWidget())
    , m_corner(corner)
    , m_xTicker(QSharedPointer<ChartTicker>::create())
    , m_yTicker(QSharedPointer<ChartTicker>::create())
{
    prepare(plot);
    plot->xAxis->setTicker(m_xTicker);
    plot->yAxis->setTicker(m_yTicker);
    new ChartLayer(plot, QStringLiteral("curves"),
        [this](QPainter& painter) { paintCurvesAndNames(painter); });
    // This layer has its own buffer, so that the crosshair moves without any curve being painted
    // again. Each buffer is cleared and copied with every frame, hence no further one.
    new ChartLayer(
        plot, QStringLiteral("overlay"), [this](QPainter& painter) { paintPointer(painter); });
}

void ChartScene::setStore(const SeriesStore* store)
{
    m_store = store;
    m_curves.clear();
    m_smoothed.clear();
    m_drawnRevision = 0;
    resetMargins();
}

const SeriesStore& ChartScene::store() const
{
    static const SeriesStore none;
    return m_store ? *m_store : none;
}

void ChartScene::setSpec(const ChartSpec& spec)
{
    m_spec = spec;
    resetMargins();
}

void ChartScene::setLook(const ChartLook& look)
{
    if (look.endLabels != m_look.endLabels)
        resetLabelWidth();
    if (look.smoothing != m_look.smoothing)
        m_smoothed.clear();
    m_look = look;
}

void ChartScene::setTheme(const ChartTheme& theme)
{
    m_theme = theme;
    styleAxes();
    resetMargins();
}

void ChartScene::setPointer(std::optional<QPointF> pointer)
{
    if (pointer && !m_canvas.plot.contains(*pointer))
        pointer.reset();
    if (pointer == m_pointer)
        return;
    m_pointer = pointer;
    m_plot->layer(QStringLiteral("overlay"))->replot();
}

bool ChartScene::isOutdated() const
{
    return m_store && m_store->revision() != m_drawnRevision;
}

void ChartScene::update()
{
    m_curves.clear();
    if (!m_store)
        return;
    m_drawnRevision = m_store->revision();
    if (m_generation != m_store->generation())
        m_smoothed.clear();
    m_generation = m_store->generation();
    m_curves = curvesOf(m_spec, *m_store, m_theme);
    for (Curve& curve : m_curves) {
        if (!curve.series || !smooths(*curve.series, m_look.smoothing))
            continue;
        auto& smoothed = m_smoothed[curve.series];
        if (!smoothed)
            smoothed = std::make_unique<SmoothedSeries>(m_look.smoothing);
        smoothed->update(*curve.series);
        curve.drawn = &smoothed->points();
    }
}

QFont ChartScene::smallFont() const
{
    QFont small = m_chart->font();
    if (small.pointSizeF() > 0)
        small.setPointSizeF(small.pointSizeF() * 0.9);
    else
        small.setPixelSize(std::max(9, int(small.pixelSize() * 0.9)));
    return small;
}

QString ChartScene::xTitle() const
{
    const ChartAxis axis = xAxisOf(m_spec, m_curves);
    return axisTitle(axis.name, axisUnit(visibleRange(m_plot->xAxis), axis).unit);
}

QRectF ChartScene::legendArea(double height) const
{
    return {4, 2, double(m_plot->width() - m_corner->sizeHint().width() - 8), height};
}

void ChartScene::layOutTicks()
{
    m_yTicker->setAxis(m_spec.y);
    m_yTicker->setAbout(ticksFor(m_plot->height()));
    m_xTicker->setAxis(xAxisOf(m_spec, m_curves));
    m_xTicker->setAbout(std::clamp(int(m_plot->width() / 90), 2, 10));
}

/// Room for the ticks on the left, the names of the curves on the right and the legend above.
void ChartScene::layOut()
{
    const QFont font = smallFont();
    const QFontMetricsF metrics(font);
    const double width = m_plot->width(), height = m_plot->height();
    layOutTicks();
    double ticks = 24;
    for (const Tick& tick :
        makeTicks(visibleRange(m_plot->yAxis), m_spec.y, ticksFor(height)).ticks)
        ticks = std::max(ticks, metrics.horizontalAdvance(tick.label));
    m_tickWidth = std::max(m_tickWidth, stepped(ticks + 12));
    setValues(m_curves, m_spec, visibleRange(m_plot->yAxis));
    const AxisScale x{visibleRange(m_plot->xAxis), m_spec.x.logarithmic, 0, 1};
    const AxisScale anyY{{0, 1}, false, 0, 1};
    const double title = metrics.horizontalAdvance(xTitle()) + 26;
    const double wanted = !m_look.endLabels
        ? title
        : std::max(endLabelWidth(endLabelsOf(m_curves, x, anyY, m_theme), font, width * 0.36),
            title < width * 0.3 ? title : 0);
    m_labelWidth = std::min(std::max(m_labelWidth, stepped(wanted)), std::max(0.0, width * 0.4));
    m_legendHeight = 0;
    if (m_look.legend)
        m_legendHeight = paintLegend(nullptr, m_curves, legendArea(height), font, m_theme) + 4;
    m_plot->axisRect()->setMargins(
        QMargins(int(m_tickWidth), int(metrics.height() + m_legendHeight) + 14,
            int(m_labelWidth) + 10, int(metrics.height()) + 14));
}

/// The curves and their names: painted with each frame, and with each step of a zoom.
void ChartScene::paintCurvesAndNames(QPainter& painter)
{
    ++m_frames;
    update(); // a drag paints between two frames, when the store may have grown or been cleared
    const QRect rect = m_plot->axisRect()->rect();
    const QRectF plot(rect.left(), rect.top(), rect.width(), rect.height());
    const QFont font = smallFont();
    m_canvas = {plot,
        {visibleRange(m_plot->xAxis), m_spec.x.logarithmic, plot.left(), plot.right()},
        {visibleRange(m_plot->yAxis), m_spec.y.logarithmic, plot.bottom(), plot.top()}, &m_theme,
        font, true};
    setValues(m_curves, m_spec, m_canvas.y.range);
    paintCurves(painter, m_curves, m_canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_look.endLabels)
        paintEndLabels(painter, endLabelsOf(m_curves, m_canvas.x, m_canvas.y, m_theme), plot,
            m_labelWidth, font);
    if (m_look.legend)
        paintLegend(&painter, m_curves, legendArea(m_legendHeight), font, m_theme);
    painter.setFont(font);
    painter.setPen(m_theme.secondText);
    paintAxisNames(painter, plot);
    if (m_chart->hasFocus()) {
        painter.setPen(QPen(m_theme.style(0).colour, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(plot.adjusted(-3, -3, 3, 3));
    }
}

void ChartScene::paintAxisNames(QPainter& painter, const QRectF& plot)
{
    const QFontMetricsF metrics(painter.font());
    const QString unit = axisUnit(visibleRange(m_plot->yAxis), m_spec.y).unit;
    painter.drawText(QPointF(plot.left(), plot.top() - 8),
        m_look.axisCaption.value_or(axisCaption(m_spec, unit)));
    const QString name = xTitle();
    if (m_labelWidth > metrics.horizontalAdvance(name) + 24)
        painter.drawText(QPointF(plot.right() + 24, plot.bottom() + 8 + metrics.ascent()), name);
    if (m_curves.empty()) {
        const QString text = tr("No values yet");
        painter.drawText(plot.center() - QPointF(metrics.horizontalAdvance(text) / 2, 0), text);
    }
}

/// The crosshair, on the layer above everything else.
void ChartScene::paintPointer(QPainter& painter)
{
    if (!m_pointer || !m_canvas.theme || !m_store || m_generation != m_store->generation())
        return;
    if (const auto reading = readCrosshair(m_spec, m_curves, m_canvas, *m_pointer))
        paintCrosshair(painter, *reading, m_canvas, smallFont());
}

void ChartScene::styleAxes()
{
    m_plot->setBackground(QBrush(m_theme.surface));
    const QFont font = smallFont();
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(QPen(m_theme.axis));
        axis->setTickPen(QPen(m_theme.axis));
        axis->setSubTickPen(QPen(m_theme.axis));
        axis->setTickLabelColor(m_theme.secondText);
        axis->setTickLabelFont(font);
        axis->setTickLength(0, 5);
        axis->setSubTickLength(0, 3);
        axis->setTickLabelPadding(6);
        axis->grid()->setPen(QPen(m_theme.grid));
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->grid()->setSubGridVisible(false);
    }
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->yAxis->setBasePen(Qt::NoPen);
    m_plot->yAxis->setTicks(true);
    m_plot->yAxis->setTickLength(0, 0);
    m_plot->yAxis->setSubTicks(true);
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/metricchart_p.h"
#include "plots/figure/legend.h"

#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

/// A width in steps: a label that changes by a digit moves nothing.
double stepped(double width)
{
    return std::ceil(width / 8) * 8;
}

QFont smaller(const QFont& font)
{
    QFont small = font;
    if (small.pointSizeF() > 0)
        small.setPointSizeF(small.pointSizeF() * 0.9);
    else
        small.setPixelSize(std::max(9, int(small.pixelSize() * 0.9)));
    return small;
}

} // namespace

void MetricChart::drawFrame()
{
    m->frame.stop();
    if (!isVisible())
        return;
    updateCurves();
    if (m->follow) {
        ChartRanges ranges = rangesOf(m->spec, m->curves);
        ranges.y = m->followedY.value_or(ranges.y);
        m->settingRanges = true;
        m->plot->xAxis->setRange(ranges.x.low, ranges.x.high);
        m->plot->yAxis->setRange(ranges.y.low, ranges.y.high);
        m->settingRanges = false;
    }
    layOut();
    m->stale = false;
    m->plot->replot(QCustomPlot::rpQueuedRefresh);
    const QString summary = summaryText();
    if (summary != m->summary) {
        m->summary = summary;
        announce();
    }
}

void MetricChart::updateCurves()
{
    m->curves.clear();
    if (!m->store)
        return;
    m->drawnRevision = m->store->revision();
    if (m->generation != m->store->generation())
        m->smoothed.clear();
    m->generation = m->store->generation();
    m->curves = curvesOf(m->spec, *m->store, m->theme);
    for (Curve& curve : m->curves) {
        if (!curve.series || !smooths(*curve.series, m->smoothing))
            continue;
        auto& smoothed = m->smoothed[curve.series];
        if (!smoothed)
            smoothed = std::make_unique<SmoothedSeries>(m->smoothing);
        smoothed->update(*curve.series);
        curve.drawn = &smoothed->points();
    }
}

/// Room for the ticks on the left and the names of the curves on the right. It only grows, so that
/// the plot does not jump with each number that is a digit longer.
void MetricChart::layOut()
{
    const QFontMetricsF metrics(smaller(font()));
    QCPAxisRect* const rect = m->plot->axisRect();
    const double height = m->plot->height();
    m->yTicker->setAxis(m->spec.y);
    m->yTicker->setAbout(std::clamp(int(height / 60), 2, 8));
    ChartAxis x = m->spec.x;
    if (x.name.isEmpty() && !m->curves.empty() && m->curves.front().series)
        x.name = m->curves.front().series->xName();
    m->xTicker->setAxis(x);
    m->xTicker->setAbout(std::clamp(int(m->plot->width() / 90), 2, 10));
    double ticks = 24;
    for (const Tick& tick :
        makeTicks(yRange(), m->spec.y, std::clamp(int(height / 60), 2, 8)).ticks)
        ticks = std::max(ticks, metrics.horizontalAdvance(tick.label));
    m->tickWidth = std::max(m->tickWidth, stepped(ticks + 12));
    const AxisScale any{{0, 1}, false, 0, 1};
    const double wanted = !m->endLabels
        ? metrics.horizontalAdvance(x.name) + 26
        : endLabelWidth(
            endLabelsOf(m->curves, {xRange(), m->spec.x.logarithmic, 0, 1}, any, m->theme),
            smaller(font()), m->plot->width() * 0.36);
    m->labelWidth =
        std::min(std::max(m->labelWidth, stepped(wanted)), std::max(0.0, m->plot->width() * 0.4));
    m->legendHeight = 0;
    if (m->legend) {
        const QRectF area(0, 0, m->plot->width() - m->resume->sizeHint().width() - 8, height);
        m->legendHeight = paintLegend(nullptr, m->curves, area, smaller(font()), m->theme) + 4;
    }
    rect->setMargins(QMargins(int(m->tickWidth), int(metrics.height() + m->legendHeight) + 14,
        int(m->labelWidth) + 10, int(metrics.height()) + 14));
    m->resume->adjustSize();
    m->resume->move(width() - m->resume->width() - 4, 0);
}

/// The curves and what names them: painted anew with each frame, and with each step of a zoom.
void MetricChart::paintBelow(QPainter& painter)
{
    ++m->frames;
    updateCurves(); // a drag paints between two frames, when the store may have grown or been
                    // cleared
    const QRect rect = m->plot->axisRect()->rect();
    const QRectF plot(rect.left(), rect.top(), rect.width(), rect.height());
    const QFont small = smaller(font());
    m->canvas = {plot, {xRange(), m->spec.x.logarithmic, plot.left(), plot.right()},
        {yRange(), m->spec.y.logarithmic, plot.bottom(), plot.top()}, &m->theme, small, true};
    paintCurves(painter, m->curves, m->canvas);
    m->labels = m->endLabels ? endLabelsOf(m->curves, m->canvas.x, m->canvas.y, m->theme)
                             : std::vector<EndLabel>();
    painter.setRenderHint(QPainter::Antialiasing);
    paintEndLabels(painter, m->labels, plot, m->labelWidth, small);

    if (m->legend) {
        const QRectF area(
            4, 2, m->plot->width() - m->resume->sizeHint().width() - 8, m->legendHeight);
        paintLegend(&painter, m->curves, area, small, m->theme);
    }
    const QFontMetricsF metrics(small);
    painter.setFont(small);
    painter.setPen(m->theme.secondText);
    const AxisTicks yTicks = makeTicks(yRange(), m->spec.y, 5);
    painter.drawText(QPointF(plot.left(), plot.top() - 8),
        m->axisCaption.value_or(axisCaption(m->spec, yTicks.unit)));
    QString xName = m->spec.x.name;
    if (xName.isEmpty() && !m->curves.empty() && m->curves.front().series)
        xName = m->curves.front().series->xName();
    if (m->labelWidth > metrics.horizontalAdvance(xName) + 24)
        painter.drawText(QPointF(plot.right() + 24, plot.bottom() + 8 + metrics.ascent()), xName);
    if (m->curves.empty()) {
        const QString text = tr("No numbers yet");
        painter.drawText(plot.center() - QPointF(metrics.horizontalAdvance(text) / 2, 0), text);
    }
    if (hasFocus()) {
        painter.setPen(QPen(m->theme.style(0).colour, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(plot.adjusted(-3, -3, 3, 3));
    }
}

/// The crosshair, on a layer of its own.
void MetricChart::paintAbove(QPainter& painter)
{
    if (!m->pointer || !m->canvas.theme || !m->store || m->generation != m->store->generation())
        return;
    if (const auto reading = readCrosshair(m->spec, m->curves, m->canvas, *m->pointer))
        paintCrosshair(painter, *reading, m->canvas, smaller(font()));
}

void MetricChart::applyTheme()
{
    m->theme =
        m->ownTheme ? *m->ownTheme : ChartTheme::forBackground(palette().color(QPalette::Base));
    m->plot->setBackground(QBrush(m->theme.surface));
    const QFont small = smaller(font());
    for (QCPAxis* axis : {m->plot->xAxis, m->plot->yAxis}) {
        axis->setBasePen(QPen(m->theme.axis));
        axis->setTickPen(QPen(m->theme.axis));
        axis->setSubTickPen(QPen(m->theme.axis));
        axis->setTickLabelColor(m->theme.secondText);
        axis->setTickLabelFont(small);
        axis->setTickLength(0, 5);
        axis->setSubTickLength(0, 3);
        axis->setTickLabelPadding(6);
        axis->grid()->setPen(QPen(m->theme.grid));
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->grid()->setSubGridVisible(false);
    }
    m->plot->xAxis->grid()->setVisible(false);
    m->plot->yAxis->setBasePen(Qt::NoPen);
    m->plot->yAxis->setTicks(true);
    m->plot->yAxis->setTickLength(0, 0);
    m->plot->yAxis->setSubTicks(false);
    m->labelWidth = m->tickWidth = 0;
    m->stale = true;
    refresh();
}

} // namespace slipway

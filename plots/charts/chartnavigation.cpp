// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/chartnavigation.h"

#include <QMouseEvent>
#include <QWheelEvent>
#include <qcustomplot.h>

#include <cmath>

namespace slipway {

namespace {

/// The range, moved by a share of its width and scaled around a point of it; in log space where the
/// axis is logarithmic.
QCPRange moved(const QCPAxis* axis, double shift, double factor, double centre)
{
    const bool logarithmic = axis->scaleType() == QCPAxis::stLogarithmic && axis->range().lower > 0;
    double low = axis->range().lower, high = axis->range().upper;
    if (logarithmic) {
        low = std::log10(low);
        high = std::log10(high);
    }
    const double width = high - low, at = low + centre * width;
    low = at + (low - at) * factor + shift * width;
    high = at + (high - at) * factor + shift * width;
    return logarithmic ? QCPRange(std::pow(10.0, low), std::pow(10.0, high)) : QCPRange(low, high);
}

} // namespace

ChartNavigation::ChartNavigation(QCustomPlot* plot, QWidget* chart)
    : m_plot(plot)
    , m_chart(chart)
{
    plot->setFocusPolicy(Qt::NoFocus);
    plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot->installEventFilter(this);
}

void ChartNavigation::pan(double dx, double dy)
{
    emit sectionChosen();
    m_plot->xAxis->setRange(moved(m_plot->xAxis, dx, 1, 0.5));
    m_plot->yAxis->setRange(moved(m_plot->yAxis, dy, 1, 0.5));
}

void ChartNavigation::zoom(double factor, std::optional<QPointF> centre)
{
    emit sectionChosen();
    const QRect rect = m_plot->axisRect()->rect();
    const double x = centre ? (centre->x() - rect.left()) / std::max(rect.width(), 1) : 0.5;
    const double y = centre ? (rect.bottom() - centre->y()) / std::max(rect.height(), 1) : 0.5;
    m_plot->xAxis->setRange(moved(m_plot->xAxis, 0, factor, x));
    m_plot->yAxis->setRange(moved(m_plot->yAxis, 0, factor, y));
}

bool ChartNavigation::press(int key)
{
    constexpr double step = 0.1;
    switch (key) {
    case Qt::Key_Left:
        pan(-step, 0);
        return true;
    case Qt::Key_Right:
        pan(step, 0);
        return true;
    case Qt::Key_Up:
        pan(0, step);
        return true;
    case Qt::Key_Down:
        pan(0, -step);
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(0.8);
        return true;
    case Qt::Key_Minus:
        zoom(1.25);
        return true;
    default:
        return false;
    }
}

/// The wheel zooms a chart that has the focus, or with Ctrl; otherwise it scrolls the page that the
/// chart is on.
bool ChartNavigation::filterWheel(QEvent* event)
{
    auto* const wheel = static_cast<QWheelEvent*>(event);
    const bool ours = m_chart->hasFocus() || (wheel->modifiers() & Qt::ControlModifier);
    if (!ours) {
        event->ignore();
        return true;
    }
    if (const int delta = wheel->angleDelta().y())
        zoom(std::pow(0.85, delta / 120.0), wheel->position());
    event->accept();
    return true;
}

bool ChartNavigation::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Wheel: {
        const bool handled = filterWheel(event);
        // A filtered event is not propagated, so the page gets it from here.
        if (!event->isAccepted() && m_chart->parentWidget())
            QCoreApplication::sendEvent(m_chart->parentWidget(), event);
        return handled;
    }
    case QEvent::MouseButtonPress:
        m_chart->setFocus(Qt::MouseFocusReason);
        break;
    case QEvent::MouseButtonDblClick:
        emit everythingRequested();
        return true;
    case QEvent::MouseMove:
        emit pointerMoved(static_cast<QMouseEvent*>(event)->position());
        break;
    case QEvent::Leave:
        emit pointerMoved({});
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace slipway

#include "moc_chartnavigation.cpp"

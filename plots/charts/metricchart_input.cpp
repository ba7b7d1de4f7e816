// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/metricchart_p.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>

namespace slipway {

namespace {

/// The range moved by a share of its width and scaled around a point of it; in log space where the
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

/// Somebody looks at a section: what arrives must not move it away.
void MetricChart::hold()
{
    setFollow(false);
}

void MetricChart::pan(double dx, double dy)
{
    hold();
    m->plot->xAxis->setRange(moved(m->plot->xAxis, dx, 1, 0.5));
    m->plot->yAxis->setRange(moved(m->plot->yAxis, dy, 1, 0.5));
}

void MetricChart::zoom(double factor, std::optional<QPointF> centre)
{
    hold();
    const QRect rect = m->plot->axisRect()->rect();
    const double x = centre ? (centre->x() - rect.left()) / std::max(rect.width(), 1) : 0.5;
    const double y = centre ? (rect.bottom() - centre->y()) / std::max(rect.height(), 1) : 0.5;
    m->plot->xAxis->setRange(moved(m->plot->xAxis, 0, factor, x));
    m->plot->yAxis->setRange(moved(m->plot->yAxis, 0, factor, y));
}

void MetricChart::keyPressEvent(QKeyEvent* event)
{
    constexpr double step = 0.1;
    switch (event->key()) {
    case Qt::Key_Left:
        return pan(-step, 0);
    case Qt::Key_Right:
        return pan(step, 0);
    case Qt::Key_Up:
        return pan(0, step);
    case Qt::Key_Down:
        return pan(0, -step);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(0.8);
    case Qt::Key_Minus:
        return zoom(1.25);
    case Qt::Key_Home:
        return showEverything();
    case Qt::Key_F:
        return setFollow(!isFollowing());
    case Qt::Key_L:
        return setLogarithmicY(!isLogarithmicY());
    default:
        QWidget::keyPressEvent(event);
    }
}

/// The wheel zooms a chart that a person has clicked, or with Ctrl; otherwise it scrolls the page
/// that the chart stands on.
bool MetricChart::filterWheel(QEvent* event)
{
    auto* const wheel = static_cast<QWheelEvent*>(event);
    const bool ours = hasFocus() || (wheel->modifiers() & Qt::ControlModifier);
    if (!ours) {
        event->ignore();
        return true;
    }
    if (const int delta = wheel->angleDelta().y())
        zoom(std::pow(0.85, delta / 120.0), wheel->position());
    event->accept();
    return true;
}

bool MetricChart::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m->plot)
        return QWidget::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::Wheel: {
        const bool handled = filterWheel(event);
        // A filtered event does not travel on by itself: the page gets it from here.
        if (!event->isAccepted() && parentWidget())
            QCoreApplication::sendEvent(parentWidget(), event);
        return handled;
    }
    case QEvent::MouseButtonPress:
        setFocus(Qt::MouseFocusReason);
        break;
    case QEvent::MouseButtonDblClick:
        showEverything();
        return true;
    case QEvent::MouseMove:
        moveCrosshair(static_cast<QMouseEvent*>(event)->position());
        break;
    case QEvent::Leave:
        moveCrosshair({});
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void MetricChart::moveCrosshair(std::optional<QPointF> pointer)
{
    if (pointer && !m->canvas.plot.contains(*pointer))
        pointer.reset();
    if (pointer == m->pointer)
        return;
    m->pointer = pointer;
    m->plot->layer(QStringLiteral("crosshair"))->replot();
}

/// Screen readers hear of a change now and then, not sixty times a second.
void MetricChart::announce()
{
    setAccessibleDescription(m->summary);
    emit summaryChanged(m->summary);
    constexpr qint64 pause = 5000;
    if (m->announced.isValid() && m->announced.elapsed() < pause)
        return;
    m->announced.start();
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

bool MetricChart::event(QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        m->stale = true;
        refresh();
    }
    return QWidget::event(event);
}

void MetricChart::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void MetricChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m->labelWidth = 0;
    m->stale = true;
    refresh();
}

void MetricChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::StyleChange)
        applyTheme();
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/sign.h"

#include <QPainterPath>

namespace slipway {

QColor tintColour(const Colours& colours, Tint tint)
{
    switch (tint) {
    case Tint::Second:
        return colours.secondText;
    case Tint::Done:
        return colours.ink(colours.done);
    case Tint::Running:
        return colours.ink(colours.running);
    case Tint::Warning:
        return colours.ink(colours.warning);
    case Tint::Error:
        return colours.ink(colours.error);
    case Tint::Accent:
        return colours.ink(colours.accent);
    case Tint::Plain:
        break;
    }
    return colours.text;
}

namespace {

void paintClock(QPainter& painter, const QRectF& s)
{
    const double w = s.width();
    const QPointF middle = s.center();
    painter.drawEllipse(middle, w * 0.36, w * 0.36);
    painter.drawLine(middle, middle - QPointF(0, w * 0.22));
    painter.drawLine(middle, middle + QPointF(w * 0.17, 0));
}

void paintCheck(QPainter& painter, const QRectF& s)
{
    const double w = s.width();
    QPainterPath path(s.topLeft() + QPointF(w * 0.18, w * 0.54));
    path.lineTo(s.topLeft() + QPointF(w * 0.40, w * 0.76));
    path.lineTo(s.topLeft() + QPointF(w * 0.83, w * 0.27));
    painter.drawPath(path);
}

void paintBang(QPainter& painter, const QRectF& s, const QColor& colour)
{
    const double w = s.width();
    painter.drawLine(
        s.topLeft() + QPointF(w * 0.5, w * 0.16), s.topLeft() + QPointF(w * 0.5, w * 0.58));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(s.topLeft() + QPointF(w * 0.5, w * 0.82), w * 0.08, w * 0.08);
}

void paintQuery(QPainter& painter, const QRectF& s, const QColor& colour)
{
    const double w = s.width();
    const QPointF corner = s.topLeft();
    QPainterPath path(corner + QPointF(w * 0.30, w * 0.34));
    path.cubicTo(corner + QPointF(w * 0.30, w * 0.08), corner + QPointF(w * 0.72, w * 0.08),
        corner + QPointF(w * 0.72, w * 0.34));
    path.cubicTo(corner + QPointF(w * 0.72, w * 0.48), corner + QPointF(w * 0.50, w * 0.46),
        corner + QPointF(w * 0.50, w * 0.62));
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(corner + QPointF(w * 0.5, w * 0.84), w * 0.08, w * 0.08);
}

} // namespace

void paintSign(QPainter& painter, const QRectF& square, Sign sign, const QColor& colour)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double w = square.width();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, w * 0.13, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF middle = square.center();
    const double arm = w * 0.25;
    switch (sign) {
    case Sign::Check:
        paintCheck(painter, square);
        break;
    case Sign::Dot:
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawEllipse(middle, w * 0.34, w * 0.34);
        break;
    case Sign::Ring:
        painter.drawEllipse(middle, w * 0.28, w * 0.28);
        break;
    case Sign::Clock:
        paintClock(painter, square);
        break;
    case Sign::Bang:
        paintBang(painter, square, colour);
        break;
    case Sign::Query:
        paintQuery(painter, square, colour);
        break;
    case Sign::Cross:
        painter.drawLine(middle - QPointF(arm, arm), middle + QPointF(arm, arm));
        painter.drawLine(middle - QPointF(arm, -arm), middle + QPointF(arm, -arm));
        break;
    case Sign::Dash:
        painter.drawLine(middle - QPointF(arm, 0), middle + QPointF(arm, 0));
        break;
    case Sign::None:
        break;
    }
    painter.restore();
}

SignMark::SignMark(Sign sign, Tint tint, QWidget* parent)
    : QWidget(parent)
    , m_sign(sign)
    , m_tint(tint)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void SignMark::set(Sign sign, Tint tint)
{
    m_sign = sign;
    m_tint = tint;
    update();
}

QSize SignMark::sizeHint() const
{
    const int side = fontMetrics().height();
    return {side, side};
}

void SignMark::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const double side = fontMetrics().ascent();
    const QRectF square((width() - side) / 2, (height() - side) / 2, side, side);
    paintSign(painter, square, m_sign, tintColour(Colours::now(), m_tint));
}

} // namespace slipway

#include "moc_sign.cpp"

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/pill.h"

#include <QPainter>

namespace slipway {

namespace {

constexpr int pillPadding = 10;

QFont pillFont(QFont font)
{
    font.setWeight(QFont::DemiBold);
    font.setPointSizeF(font.pointSizeF() * 0.92);
    return font;
}

} // namespace

StatePill::StatePill(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StatePill::setState(const StateWord& state)
{
    if (state.word == m_state.word && state.tint == m_state.tint) {
        return;
    }
    m_state = state;
    setAccessibleName(state.word);
    updateGeometry();
    update();
}

QSize StatePill::sizeFor(const StateWord& state, const QFont& font)
{
    const QFontMetrics metrics(pillFont(font));
    return {metrics.horizontalAdvance(state.word) + metrics.ascent() + 4 + 2 * pillPadding,
        metrics.height() + 6};
}

QSize StatePill::sizeHint() const
{
    return sizeFor(m_state, font());
}

void StatePill::paint(QPainter& painter, const QPoint& topLeft, const StateWord& state,
    const QFont& font, const Colours& colours)
{
    const QFont face = pillFont(font);
    const QFontMetrics metrics(face);
    const QRectF area(topLeft, sizeFor(state, font));
    const QColor colour = tintColour(colours, state.tint);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.soft(colour));
    painter.drawRoundedRect(area, area.height() / 2, area.height() / 2);
    const double side = metrics.ascent();
    const QRectF square(area.left() + pillPadding - 2, area.center().y() - side / 2, side, side);
    paintSign(painter, square, state.sign, colour);
    painter.setFont(face);
    painter.setPen(colour);
    painter.drawText(area.adjusted(pillPadding + side + 2, 0, 0, 0),
        Qt::AlignVCenter | Qt::AlignLeft, state.word);
    painter.restore();
}

void StatePill::paintEvent(QPaintEvent*)
{
    if (m_state.word.isEmpty()) {
        return;
    }
    QPainter painter(this);
    paint(painter, QPoint(0, 0), m_state, font(), Colours::now());
}

} // namespace slipway

#include "moc_pill.cpp"

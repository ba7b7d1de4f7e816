// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/look/colours.h"

#include <QPainter>
#include <QWidget>

namespace slipway {

/// The little mark that says a state without colour: check, dot, clock, bang, cross, dash, ring.
enum class Sign { None, Check, Dot, Clock, Bang, Cross, Dash, Ring };

/// What a mark means; it decides the colour.
enum class Tint { Plain, Second, Done, Running, Warning, Error, Accent };

QColor tintColour(const Colours& colours, Tint tint);

/// Paints a mark into a square, in lines that stay sharp at any scale.
void paintSign(QPainter& painter, const QRectF& square, Sign sign, const QColor& colour);

/// SignMark is one mark as a widget, the height of a line of text.
class SignMark : public QWidget {
    Q_OBJECT

public:
    explicit SignMark(Sign sign = Sign::None, Tint tint = Tint::Plain, QWidget* parent = nullptr);
    void set(Sign sign, Tint tint);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Sign m_sign;
    Tint m_tint;
};

} // namespace slipway

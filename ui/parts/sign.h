// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/look/colours.h"

#include <QPainter>
#include <QWidget>

namespace slipway {

/// The small sign that shows a state without colour.
enum class Sign { None, Check, Dot, Clock, Bang, Cross, Dash, Ring, Query };

/// The meaning of a sign, which decides its colour.
enum class Tint { Plain, Second, Done, Running, Warning, Error, Accent };

QColor tintColour(const Colours& colours, Tint tint);

/// Paints a sign into a square, with lines that are sharp at any scale.
void paintSign(QPainter& painter, const QRectF& square, Sign sign, const QColor& colour);

/// SignMark is a sign as a widget, as high as a line of text. GUI thread; its parent owns it.
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

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/legend.h"

#include <QFontMetricsF>
#include <QPainter>

namespace slipway {

double paintLegend(QPainter* painter, const std::vector<Curve>& curves, const QRectF& area,
    const QFont& font, const ChartTheme& theme)
{
    constexpr double lineWidth = 26, beforeName = 34, between = 20;
    const QFontMetricsF metrics(font);
    double x = area.left(), y = area.top() + metrics.height() / 2;
    for (const Curve& curve : curves) {
        const double width = beforeName + metrics.horizontalAdvance(curve.name) + between;
        if (x > area.left() && x + width > area.right()) {
            x = area.left();
            y += metrics.height() + 4;
        }
        if (painter) {
            painter->setPen(curve.style.pen(2));
            painter->drawLine(QPointF(x, y), QPointF(x + lineWidth, y));
            paintMarker(*painter, curve.style.marker, {x + lineWidth / 2, y}, 8, curve.style.colour,
                theme.surface);
            painter->setFont(font);
            painter->setPen(theme.text);
            painter->drawText(QPointF(x + beforeName, y + metrics.ascent() / 2 - 1), curve.name);
        }
        x += width;
    }
    return curves.empty() ? 0 : y + metrics.height() / 2 - area.top();
}

} // namespace slipway

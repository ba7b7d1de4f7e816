// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/marker.h"

#include <QPainter>

namespace slipway {

QPainterPath markerPath(MarkerShape shape, double size)
{
    const double r = size / 2;
    QPainterPath path;
    switch (shape) {
    case MarkerShape::Circle:
        path.addEllipse(QPointF(), r, r);
        break;
    case MarkerShape::Square:
        path.addRect(-r * 0.9, -r * 0.9, r * 1.8, r * 1.8);
        break;
    case MarkerShape::Triangle:
        path.addPolygon(QPolygonF({{0, -r * 1.2}, {r * 1.1, r * 0.8}, {-r * 1.1, r * 0.8}}));
        path.closeSubpath();
        break;
    case MarkerShape::Diamond:
        path.addPolygon(QPolygonF({{0, -r * 1.25}, {r * 1.1, 0}, {0, r * 1.25}, {-r * 1.1, 0}}));
        path.closeSubpath();
        break;
    case MarkerShape::TriangleDown:
        path.addPolygon(QPolygonF({{0, r * 1.2}, {r * 1.1, -r * 0.8}, {-r * 1.1, -r * 0.8}}));
        path.closeSubpath();
        break;
    case MarkerShape::Cross: {
        const double t = r * 0.38;
        path.addPolygon(QPolygonF({{-t, -r}, {t, -r}, {t, -t}, {r, -t}, {r, t}, {t, t}, {t, r},
            {-t, r}, {-t, t}, {-r, t}, {-r, -t}, {-t, -t}}));
        path.closeSubpath();
        break;
    }
    }
    return path;
}

void paintMarker(QPainter& painter, MarkerShape shape, QPointF centre, double size,
    const QColor& fill, const QColor& rim)
{
    painter.save();
    painter.translate(centre);
    painter.setPen(QPen(rim, 1));
    painter.setBrush(fill);
    painter.drawPath(markerPath(shape, size));
    painter.restore();
}

} // namespace slipway

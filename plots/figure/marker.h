// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QPainterPath>
#include <QPointF>

class QColor;
class QPainter;

namespace slipway {

/// The shape that marks a measured point. Each curve has its own, so that it can be identified
/// without colour.
enum class MarkerShape { Circle, Square, Triangle, Diamond, TriangleDown, Cross };

/// The outline around the origin; all shapes appear equally large.
QPainterPath markerPath(MarkerShape shape, double size);

/// Filled, with a thin rim in the background colour that separates it from its curve.
void paintMarker(QPainter& painter, MarkerShape shape, QPointF centre, double size,
    const QColor& fill, const QColor& rim);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QImage>
#include <QPointF>
#include <QRectF>

#include <algorithm>
#include <span>
#include <vector>

class QPainter;

namespace slipway {

/// ColumnRaster draws long curves a hundred times faster than the stroker of QPainter: in each
/// column of device pixels a curve is one span from its lowest to its highest value, with
/// antialiased ends. The spans of all curves are collected in an image, which is painted once. A
/// value for one drawing, on any thread.
class ColumnRaster {
public:
    /// The part of the picture that may be drawn on, and device pixels per pixel.
    ColumnRaster(const QRectF& area, double ratio);

    /// A line through these points, in pixels of the picture, whose x must not fall: over the
    /// lines that were added before.
    void add(std::span<const QPointF> points, const QColor& colour, double width);
    /// Paints what was added since the last call.
    void paint(QPainter& painter);

private:
    struct Span {
        float low; ///< empty while low > high
        float high;
    };

    void line(QPointF from, QPointF to);
    void reach(int column, double y)
    {
        Span& span = m_spans[size_t(column)];
        span.low = std::min(span.low, float(y));
        span.high = std::max(span.high, float(y));
    }
    void fill(QRgb* column, double top, double bottom, QRgb colour);

    double m_ratio;
    QRect m_area; ///< in device pixels
    std::vector<Span> m_spans; ///< of the curve that is being added, one for each column
    QImage m_image; ///< null until something was added
    int m_top = 0; ///< rows of the image that are not empty: from m_top up to m_bottom
    int m_bottom = 0;
};

} // namespace slipway

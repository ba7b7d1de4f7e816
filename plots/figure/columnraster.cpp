// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/columnraster.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipway {

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

/// All four channels times share / 255, two at a time.
QRgb shareOf(QRgb colour, uint share)
{
    const auto pair = [share](QRgb channels) {
        const QRgb product = (channels & 0xff00ff) * share;
        return (product + ((product >> 8) & 0xff00ff) + 0x800080) >> 8 & 0xff00ff;
    };
    return pair(colour) | pair(colour >> 8) << 8;
}

void blend(QRgb& pixel, QRgb colour)
{
    pixel = colour + shareOf(pixel, 255 - uint(qAlpha(colour)));
}

} // namespace

ColumnRaster::ColumnRaster(const QRectF& area, double ratio)
    : m_ratio(ratio)
    , m_area(QRectF(area.topLeft() * ratio, area.size() * ratio).toAlignedRect())
    , m_spans(size_t(std::max(m_area.width(), 0)) + 1)
{
}

/// In pixels of the image. Each column that the line crosses gets the part of it that is inside.
void ColumnRaster::line(QPointF from, QPointF to)
{
    const double width = double(m_spans.size());
    if (to.x() < 0 || from.x() >= width)
        return;
    const double slope = to.x() > from.x() ? (to.y() - from.y()) / (to.x() - from.x()) : 0;
    const auto at = [&](double x) { return from.y() + slope * (x - from.x()); };
    int column = int(std::max(from.x(), 0.0));
    const int last = std::min(int(std::min(to.x(), width)), int(width) - 1);
    reach(column, from.x() < 0 ? at(0) : from.y());
    for (; column < last; ++column) {
        const double border = at(column + 1);
        reach(column, border);
        reach(column + 1, border);
    }
    reach(last, to.x() > width ? at(width) : to.y());
}

void ColumnRaster::add(std::span<const QPointF> points, const QColor& colour, double width)
{
    if (points.empty() || m_area.isEmpty())
        return;
    if (m_image.isNull()) {
        m_image = QImage(m_area.size(), QImage::Format_ARGB32_Premultiplied);
        m_image.fill(Qt::transparent);
        m_top = m_area.height();
        m_bottom = 0;
    }
    const double thick = width * m_ratio;
    const int wide = std::max(1, int(thick)); // columns that a vertical line fills
    // The spans of an even number of columns are symmetric about the middle of a pixel if they
    // begin in the middle of one.
    const QPointF origin = m_area.topLeft() - QPointF(wide % 2 ? 0 : 0.5, 0);
    const int columns = int(m_spans.size());
    const auto columnOf = [&](double x) { return x >= 0 && x < columns ? int(x) : -1; };
    std::fill(m_spans.begin(), m_spans.end(), Span{infinite, -infinite});
    QPointF before = points.front() * m_ratio - origin;
    line(before, before);
    int column = columnOf(before.x());
    for (const QPointF& point : points) {
        const QPointF at = point * m_ratio - origin;
        const int next = columnOf(at.x());
        // Most lines of a long curve are within one column, and their begin has been there.
        if (next == column && next >= 0)
            reach(next, at.y());
        else
            line(before, at);
        before = at;
        column = next;
    }
    const QRgb full = qPremultiply(colour.rgba());
    auto* const pixels = reinterpret_cast<QRgb*>(m_image.bits());
    for (int i = 0; i < m_area.width(); ++i) {
        Span span{infinite, -infinite};
        const int first = i - (wide - 1) / 2;
        for (int k = std::max(first, 0); k < std::min(first + wide, columns); ++k) {
            span.low = std::min(span.low, m_spans[size_t(k)].low);
            span.high = std::max(span.high, m_spans[size_t(k)].high);
        }
        if (span.low > span.high)
            continue;
        // So high is the section of a line of this thickness, whatever its slope is.
        const double rise = double(span.high) - double(span.low);
        const double more = (std::sqrt(rise * rise + thick * thick) - rise) / 2;
        fill(pixels + i, double(span.low) - more, double(span.high) + more, full);
    }
}

void ColumnRaster::fill(QRgb* pixel, double top, double bottom, QRgb colour)
{
    top = std::max(top, 0.0);
    bottom = std::min(bottom, double(m_area.height()));
    if (!(top < bottom))
        return;
    const int first = int(top), last = std::min(int(bottom), m_area.height() - 1);
    m_top = std::min(m_top, first);
    m_bottom = std::max(m_bottom, last + 1);
    const qsizetype row = m_image.bytesPerLine() / qsizetype(sizeof(QRgb));
    pixel += first * row;
    const auto covered = [&](double share) { blend(*pixel, shareOf(colour, uint(share * 255))); };
    if (first == last)
        return covered(bottom - top);
    covered(first + 1 - top);
    pixel += row;
    if (qAlpha(colour) == 255) {
        for (int y = first + 1; y < last; ++y, pixel += row)
            *pixel = colour;
    } else {
        for (int y = first + 1; y < last; ++y, pixel += row)
            blend(*pixel, colour);
    }
    covered(bottom - last);
}

void ColumnRaster::paint(QPainter& painter)
{
    if (m_image.isNull())
        return;
    if (m_top < m_bottom) {
        painter.save();
        painter.scale(1 / m_ratio, 1 / m_ratio); // one pixel of the image is one of the device
        painter.drawImage(m_area.topLeft() + QPoint(0, m_top), m_image,
            QRect(0, m_top, m_area.width(), m_bottom - m_top));
        painter.restore();
    }
    m_image = QImage();
}

} // namespace slipway

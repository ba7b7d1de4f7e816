// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/endlabels.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace slipway {

namespace {

constexpr double gap = 12; ///< between the plot and its labels
constexpr double air = 3; ///< between two labels

QFont nameFont(const QFont& font)
{
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    return bold;
}

/// The name of a reference is not bold, unlike that of a measured curve.
QFont nameFontOf(const EndLabel& label, const QFont& font)
{
    return label.isReference ? font : nameFont(font);
}

QFont detailFont(const QFont& font)
{
    QFont small = font;
    if (font.pixelSize() > 0)
        small.setPixelSize(std::max(9, int(font.pixelSize() * 0.92)));
    else
        small.setPointSizeF(font.pointSizeF() * 0.92);
    return small;
}

double heightOf(const EndLabel& label, const QFont& font)
{
    const double name = QFontMetricsF(nameFontOf(label, font)).height();
    return label.detail.isEmpty() ? name : name + QFontMetricsF(detailFont(font)).height() - 1;
}

} // namespace

std::vector<double> placeLabels(const std::vector<double>& middles,
    const std::vector<double>& heights, double top, double bottom)
{
    std::vector<size_t> order(middles.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(
        order.begin(), order.end(), [&](size_t a, size_t b) { return middles[a] < middles[b]; });
    // Labels that touch become one block at the mean of the positions that they want.
    struct Block {
        double top, height, wanted;
        size_t first, count;
    };
    std::vector<Block> blocks;
    for (size_t k = 0; k < order.size(); ++k) {
        const double height = heights[order[k]] + air;
        const double want = middles[order[k]] - heights[order[k]] / 2;
        blocks.push_back({want, height, want, k, 1});
        for (;;) {
            Block& last = blocks.back();
            last.top = std::clamp(
                last.wanted / double(last.count), top, std::max(top, bottom - last.height));
            if (blocks.size() < 2
                || blocks[blocks.size() - 2].top + blocks[blocks.size() - 2].height <= last.top)
                break;
            Block& before = blocks[blocks.size() - 2];
            before.wanted += last.wanted - double(last.count) * before.height;
            before.height += last.height;
            before.count += last.count;
            blocks.pop_back();
        }
    }
    std::vector<double> tops(middles.size());
    for (const Block& block : blocks) {
        double at = block.top;
        for (size_t k = block.first; k < block.first + block.count; ++k) {
            tops[order[k]] = at;
            at += heights[order[k]] + air;
        }
    }
    return tops;
}

double endLabelWidth(const std::vector<EndLabel>& labels, const QFont& font, double most)
{
    double width = 0;
    for (const EndLabel& label : labels) {
        width =
            std::max({width, QFontMetricsF(nameFontOf(label, font)).horizontalAdvance(label.name),
                QFontMetricsF(detailFont(font)).horizontalAdvance(label.detail)});
    }
    return width > 0 ? std::min(std::ceil(width) + gap + 4, most) : 0;
}

void paintEndLabels(QPainter& painter, const std::vector<EndLabel>& labels, const QRectF& plot,
    double width, const QFont& font)
{
    std::vector<double> middles, heights;
    for (const EndLabel& label : labels) {
        middles.push_back(std::clamp(label.end.y(), plot.top(), plot.bottom()));
        heights.push_back(heightOf(label, font));
    }
    const std::vector<double> tops =
        placeLabels(middles, heights, plot.top() - 6, plot.bottom() + 6);
    const QFont small = detailFont(font);
    const double left = plot.right() + gap, room = width - gap;
    for (size_t i = 0; i < labels.size(); ++i) {
        const EndLabel& label = labels[i];
        if (tops[i] > plot.bottom())
            continue; // no room: the legend and the table show its name
        const QFont own = nameFontOf(label, font);
        const QFontMetricsF metrics(own), smallMetrics(small);
        const double middle = tops[i] + heights[i] / 2;
        if (left - label.end.x() > gap + 8 || std::abs(middle - middles[i]) > 5) {
            QColor thin = label.colour;
            thin.setAlphaF(0.45f);
            painter.setPen(QPen(thin, 1, Qt::DotLine));
            painter.drawPolyline(QPolygonF({QPointF(label.end.x() + 6, middles[i]),
                QPointF(plot.right() + 2, middles[i]), QPointF(left - 3, middle)}));
        }
        painter.setFont(own);
        painter.setPen(label.colour);
        painter.drawText(QPointF(left, tops[i] + metrics.ascent()),
            metrics.elidedText(label.name, Qt::ElideRight, room));
        // If only the name fits, the detail is left to the table, because the axis is below.
        if (label.detail.isEmpty() || tops[i] + heights[i] > plot.bottom() + 10)
            continue;
        // A part of a number is another number: "1.9…" could be 1.9 or 1.9 million.
        if (!label.isReference && smallMetrics.horizontalAdvance(label.detail) > room)
            continue;
        painter.setFont(small);
        painter.setPen(label.detailColour);
        painter.drawText(QPointF(left, tops[i] + metrics.height() - 1 + smallMetrics.ascent()),
            smallMetrics.elidedText(label.detail, Qt::ElideRight, room));
    }
}

std::vector<EndLabel> endLabelsOf(const std::vector<Curve>& curves, const AxisScale& x,
    const AxisScale& y, const ChartTheme& theme)
{
    std::vector<EndLabel> labels;
    for (const Curve& curve : curves) {
        EndLabel label{{}, curve.name, curve.detail, curve.style.labelColour, theme.secondText,
            curve.reference != nullptr};
        double endX = x.range.high, endY = 0;
        if (curve.series) {
            const MinMaxPyramid& points = *curve.drawn;
            size_t last = points.isMonotone() ? points.upperBound(x.range.high) : points.size();
            if (last == 0)
                continue;
            endX = points.x(last - 1);
            endY = double(points.y(last - 1));
            if (endX < x.range.low)
                continue;
        } else {
            const auto& points = curve.reference->points;
            endY = points.back().y;
            if (points.size() > 1)
                endX = points.back().x;
        }
        label.end = {std::clamp(x.pixel(endX), x.from, x.to), y.pixel(endY)};
        labels.push_back(std::move(label));
    }
    return labels;
}

} // namespace slipway

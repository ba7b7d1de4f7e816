// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/theme.h"

#include <array>
#include <cmath>

namespace slipway {

namespace {

constexpr int colours = ChartTheme::colours;
constexpr std::array<QRgb, colours> lightColours = {
    0xff0072b2, 0xffd55e00, 0xff009e73, 0xffcc79a7, 0xffe69f00, 0xff56b4e9};
constexpr std::array<QRgb, colours> darkColours = {
    0xff5cb3f2, 0xffff9a57, 0xff2fd0a0, 0xffe7a6cd, 0xffffc34d, 0xffa9dcfb};
constexpr std::array<MarkerShape, colours> markers = {MarkerShape::Circle, MarkerShape::Square,
    MarkerShape::Triangle, MarkerShape::Diamond, MarkerShape::TriangleDown, MarkerShape::Cross};

const std::array<QList<qreal>, colours>& dashes()
{
    static const std::array<QList<qreal>, colours> list = {QList<qreal>{}, QList<qreal>{5, 2.5},
        QList<qreal>{1.5, 2}, QList<qreal>{7, 2.5, 1.5, 2.5}, QList<qreal>{10, 3},
        QList<qreal>{3, 1.5}};
    return list;
}

double luminance(const QColor& colour)
{
    const auto part = [](double c) {
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * part(colour.redF()) + 0.7152 * part(colour.greenF())
        + 0.0722 * part(colour.blueF());
}

/// The colour itself, or darkened (lightened) as far as text needs on this background.
QColor readable(QColor colour, const QColor& background)
{
    const bool darken = luminance(background) > 0.5;
    for (int i = 0; i < 40 && contrast(colour, background) < 4.5; ++i)
        colour = darken ? colour.darker(104) : colour.lighter(104);
    return colour;
}

} // namespace

double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QPen SeriesStyle::pen(double width) const
{
    QPen pen(colour, width);
    pen.setCapStyle(dashes.isEmpty() ? Qt::RoundCap : Qt::FlatCap);
    pen.setJoinStyle(Qt::RoundJoin);
    if (!dashes.isEmpty())
        pen.setDashPattern(dashes);
    return pen;
}

ChartTheme ChartTheme::light()
{
    return {false, QColor(0xffffff), QColor(0xe9edf1), QColor(0xc3cbd4), QColor(0x1b2430),
        QColor(0x5b6776), QColor(0x5b6776), QColor(0xc92a2a)};
}

ChartTheme ChartTheme::dark()
{
    return {true, QColor(0x1c222a), QColor(0x29313b), QColor(0x465261), QColor(0xe6eaf0),
        QColor(0x9aa6b5), QColor(0x9aa6b5), QColor(0xff8787)};
}

ChartTheme ChartTheme::forBackground(const QColor& background)
{
    return luminance(background) > 0.35 ? light() : dark();
}

SeriesStyle ChartTheme::style(int index) const
{
    auto i = size_t(std::max(index, 0));
    i = i < order.size() ? size_t(std::max(order[i], 0)) : i;
    const auto turn = i / colours, hue = i % colours;
    SeriesStyle style;
    style.colour = QColor::fromRgb(isDark ? darkColours[hue] : lightColours[hue]);
    style.labelColour = readable(style.colour, surface);
    style.dashes = dashes()[(hue + turn) % colours];
    style.marker = markers[(hue + turn) % colours];
    return style;
}

SeriesStyle ChartTheme::referenceStyle(int index) const
{
    SeriesStyle style;
    style.colour = reference;
    style.labelColour = readable(reference, surface);
    style.dashes = {4, 3};
    style.marker = markers[size_t(std::max(index, 0)) % colours];
    return style;
}

} // namespace slipway

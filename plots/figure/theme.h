// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/marker.h"

#include <QColor>
#include <QList>
#include <QPen>

#include <vector>

namespace slipway {

/// What distinguishes one curve from the others: colour, dashes and marker together, never colour
/// alone.
struct SeriesStyle {
    QColor colour;
    QColor labelColour; ///< the same hue with a contrast of at least 4.5 for text
    QList<qreal> dashes; ///< in pen widths; empty: a solid line
    MarkerShape marker = MarkerShape::Circle;

    QPen pen(double width) const;
};

/// The colours of a chart, light or dark. A value.
struct ChartTheme {
    static constexpr int colours = 6; ///< that curves can have

    bool isDark = false;
    QColor surface;
    QColor grid;
    QColor axis;
    QColor text;
    QColor secondText;
    QColor reference;
    QColor error;
    std::vector<int> order =
        {}; ///< which look the first, second… curve takes; empty: each that of its name

    static ChartTheme light();
    static ChartTheme dark();
    static ChartTheme forBackground(const QColor& background);

    /// After the sixth curve the colours repeat, with other dashes and markers.
    SeriesStyle style(int index) const;
    SeriesStyle referenceStyle(int index) const;
};

/// The contrast of two colours as WCAG defines it: 1 to 21.
double contrast(const QColor& a, const QColor& b);

} // namespace slipway

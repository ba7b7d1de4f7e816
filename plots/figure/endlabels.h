// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/curves.h"

#include <QFont>
#include <QRectF>

class QPainter;

namespace slipway {

/// The name at the end of a curve.
struct EndLabel {
    QPointF end; ///< pixel of the last visible point
    QString name;
    QString detail;
    QColor colour;
    QColor detailColour;
    bool isReference = false;
};

/// The tops of labels of these heights, as near as can be to the wanted middles, in their order,
/// without overlap, between top and bottom. Those that find no room are pushed below the bottom.
std::vector<double> placeLabels(const std::vector<double>& middles,
    const std::vector<double>& heights, double top, double bottom);

/// The width that the labels want beside the plot, at most `most`.
double endLabelWidth(const std::vector<EndLabel>& labels, const QFont& font, double most);

/// Paints the labels to the right of the plot, each with a thin line to its curve when they are
/// apart.
void paintEndLabels(QPainter& painter, const std::vector<EndLabel>& labels, const QRectF& plot,
    double width, const QFont& font);

/// The labels of the curves whose last visible points are known; empty optionals have no label.
std::vector<EndLabel> endLabelsOf(const std::vector<Curve>& curves, const AxisScale& x,
    const AxisScale& y, const ChartTheme& theme);

} // namespace slipway

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

/// The top positions of labels of these heights, in their order, without overlap between top and
/// bottom, as close as possible to the wanted middles. Labels for which there is no room are placed
/// below the bottom.
std::vector<double> placeLabels(const std::vector<double>& middles,
    const std::vector<double>& heights, double top, double bottom);

/// The width that the labels need beside the plot, at most `most`.
double endLabelWidth(const std::vector<EndLabel>& labels, const QFont& font, double most);

/// Paints the labels to the right of the plot, each with a thin line to its curve if it is not next
/// to it.
void paintEndLabels(QPainter& painter, const std::vector<EndLabel>& labels, const QRectF& plot,
    double width, const QFont& font);

/// The labels of the curves whose last visible points are known; a nullopt gets no label.
std::vector<EndLabel> endLabelsOf(const std::vector<Curve>& curves, const AxisScale& x,
    const AxisScale& y, const ChartTheme& theme);

} // namespace slipway

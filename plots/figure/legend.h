// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/curves.h"

#include <QFont>
#include <QRectF>

class QPainter;

namespace slipway {

/// Paints the key of the curves into the top of the area, row by row, each as it is drawn: line,
/// marker and name. Returns the height that it took. Without a painter it only measures.
double paintLegend(QPainter* painter, const std::vector<Curve>& curves, const QRectF& area,
    const QFont& font, const ChartTheme& theme);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/curves.h"

#include <QFont>
#include <QRectF>

class QPainter;

namespace slipway {

/// Paints the legend of the curves at the top of the area, in rows: line, marker and name of each,
/// drawn like the curve. Returns its height. Without a painter it only measures.
double paintLegend(QPainter* painter, const std::vector<Curve>& curves, const QRectF& area,
    const QFont& font, const ChartTheme& theme);

} // namespace slipway

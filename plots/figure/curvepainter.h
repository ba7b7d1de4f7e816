// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/curves.h"

#include <QFont>
#include <QRectF>

class QPainter;

namespace slipway {

/// Where and how curves are painted. A value for one drawing.
struct CurveCanvas {
    QRectF plot;
    AxisScale x;
    AxisScale y;
    const ChartTheme* theme = nullptr;
    QFont font; ///< font of the text beside marks
    /// A frame of a live chart: long curves are drawn by columns of device pixels, without dashes.
    bool isLive = false;
};

/// Paints the references, then the measured curves with spread, markers and marks. Exported
/// pictures and the live chart both use this function, so that they look the same.
void paintCurves(QPainter& painter, const std::vector<Curve>& curves, const CurveCanvas& canvas);

} // namespace slipway

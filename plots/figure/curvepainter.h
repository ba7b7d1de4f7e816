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
    QFont font; ///< of the words beside marks
    bool isLive = false; ///< a frame of a running chart: long curves are drawn thin and without
                         ///< smoothing of edges
};

/// Paints the references, then the measured curves with spread, markers and marks. Both the still
/// picture and the live chart are painted by this one function, so they look the same.
void paintCurves(QPainter& painter, const std::vector<Curve>& curves, const CurveCanvas& canvas);

} // namespace slipway

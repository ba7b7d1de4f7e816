// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/figure/curvepainter.h"

#include <optional>

class QPainter;

namespace slipway {

/// What the crosshair shows for one curve.
struct CrosshairEntry {
    QPointF at; ///< pixel
    SeriesStyle style;
    QString name;
    QString value; ///< with its unit, and the spread if one was measured
};

/// The measured points at the x value nearest to the pointer.
struct CrosshairReading {
    double x = 0;
    QString title; ///< "n 8192"
    std::vector<CrosshairEntry> entries;
};

/// Snaps to the nearest sample of any measured curve, then reads every curve that has a point at
/// that x value.
std::optional<CrosshairReading> readCrosshair(const ChartSpec& spec,
    const std::vector<Curve>& curves, const CurveCanvas& canvas, QPointF pointer);

void paintCrosshair(QPainter& painter, const CrosshairReading& reading, const CurveCanvas& canvas,
    const QFont& font);

} // namespace slipway

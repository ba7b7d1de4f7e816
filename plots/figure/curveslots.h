// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <vector>

namespace slipway {

/// What a curve is known by.
struct CurveKey {
    QString series;
    QString lane;
};

/// The style (ChartTheme::style()) of each of the curves that are visible together. It follows from
/// their names alone, so that a curve keeps its colour in another session and in whatever order the
/// curves arrive: training is always the first colour, validation the second. No two have the same
/// style, and no two the same colour as long as there are colours.
std::vector<int> curveSlots(const std::vector<CurveKey>& curves);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/chartspec.h"
#include "plots/metrics/seriesstore.h"

#include <QString>

#include <vector>

namespace slipway {

/// One line of the grid. Without a label it is a minor one.
struct Tick {
    double value = 0;
    QString label;
};

/// The grid of an axis and the unit that its labels count in ("GFLOP/s").
struct AxisTicks {
    std::vector<Tick> ticks;
    QString unit;
};

/// Ticks for a range, about so many with labels. A logarithmic axis of sizes counts in powers of
/// two (2048, 4096…), any other in powers of ten, with 2 and 5 between them when there is room. An
/// axis that counts steps or epochs has no fractions.
AxisTicks makeTicks(const ValueRange& range, const ChartAxis& axis, int about);

} // namespace slipway

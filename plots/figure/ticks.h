// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/chartspec.h"
#include "plots/metrics/seriesstore.h"

#include <QString>

#include <vector>

namespace slipway {

/// One grid line. Without a label it is a minor one.
struct Tick {
    double value = 0;
    QString label;
};

/// The grid lines of an axis and the unit of its labels ("GFLOP/s").
struct AxisTicks {
    std::vector<Tick> ticks;
    QString unit;
};

/// Ticks for a range, with approximately the given number of labels. A logarithmic axis of sizes
/// uses powers of two (2048, 4096…), any other powers of ten, with 2 and 5 between them if there is
/// room. An axis that counts steps or epochs has no fractions.
AxisTicks makeTicks(const ValueRange& range, const ChartAxis& axis, int about);

} // namespace slipway

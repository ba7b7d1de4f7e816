// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/chartspec.h"
#include "plots/metrics/seriesstore.h"
#include "plots/metrics/units.h"

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

/// The unit of the labels of an axis, and the divisor for them: the prefix that fits its largest
/// value; s, min or h for the length of time that a linear axis shows. On an axis over so many
/// decades that each label has its own prefix, the plain unit.
UnitScale axisUnit(const ValueRange& range, const ChartAxis& axis);

/// A value beside the axis, in the unit of its labels: "1.66 TFLOP/s".
QString axisValueText(double value, const ValueRange& range, const ChartAxis& axis);

/// Ticks for a range, with approximately the given number of labels. A logarithmic axis of sizes
/// uses powers of two (2048, 4096…), any other powers of ten, with 2 and 5 between them where
/// there would be fewer than three labels. An axis that counts steps or epochs has no fractions.
AxisTicks makeTicks(const ValueRange& range, const ChartAxis& axis, int about);

} // namespace slipway

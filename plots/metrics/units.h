// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

namespace slipway {

/// A unit with a prefix, and the divisor for numbers in it: {1e9, "GFLOP/s"}.
struct UnitScale {
    double factor = 1;
    QString unit;
};

/// The prefix under which the largest number of an axis has one to three digits before the point.
/// Units without prefixes ("%", "GiB", "img/s") and seconds above one are unchanged.
UnitScale unitScale(double largest, const QString& unit);

/// "88.4", "0.0316", "2·10⁻⁵": a number for display, with this many digits, without trailing zeros.
QString numberText(double value, int digits = 4);

/// "88.4 GFLOP/s", "3.7 ms", "95.9 %": a number with its unit.
QString quantityText(double value, const QString& unit, int digits = 3);

} // namespace slipway

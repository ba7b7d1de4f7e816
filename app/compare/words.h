// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

namespace slipway::racewords {

/// With this many significant digits, never as a power: 0.450, 31.6, 1200.
QString significant(double value, int digits = 3);
/// With the prefix that fits: "2.98 ms", "61.2 TFLOP/s".
QString quantity(double value, const QString& unit, int digits = 3);
/// "32 ×": two digits, three from a hundred on.
QString times(double ratio);
/// "84 %"
QString percent(double part);
/// "3 · 10⁻⁷", which does not break
QString power10(double value);
/// A size as people write it: no fraction where there is none.
QString size(double x);
/// "n = 8192"
QString sizeOf(const QString& name, double x);
/// "FP32 matrix product"; a work without a display name is returned unchanged.
QString work(const QString& work);
/// The work without its number type ("gemm"), and that type ("FP32"; empty: unknown).
QString workBase(const QString& work);
QString workNumbers(const QString& work);

} // namespace slipway::racewords

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <string_view>

namespace slipway {

/// A unit without its prefix, and the factor for numbers in the prefixed unit.
struct BaseUnit {
    double factor = 1;
    QString unit;
};

/// "ms" → {1e-3, "s"}, "GB/s" → {1e9, "B/s"}, "MiB" → {2^20, "B"}, "TFLOPS" → {1e12, "FLOP/s"}.
/// An unknown unit is returned unchanged.
BaseUnit baseUnit(std::string_view unit);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <string_view>

namespace slipway {

/// A unit without its prefix, and what a number in the prefixed unit is multiplied by.
struct BaseUnit {
    double factor = 1;
    QString unit;
};

/// "ms" → {1e-3, "s"}, "GB/s" → {1e9, "B/s"}, "MiB" → {2^20, "B"}, "TFLOPS" → {1e12, "FLOP/s"}.
/// A unit that it does not know stays as it is.
BaseUnit baseUnit(std::string_view unit);

} // namespace slipway

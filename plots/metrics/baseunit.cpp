// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/baseunit.h"

#include "plots/metrics/scan.h"

#include <cmath>

namespace slipway {

namespace {

struct Time {
    std::string_view word;
    double factor;
};
constexpr Time times[] = {{"s", 1}, {"sec", 1}, {"secs", 1}, {"second", 1}, {"seconds", 1},
    {"ms", 1e-3}, {"us", 1e-6}, {"µs", 1e-6}, {"ns", 1e-9}, {"min", 60}};

/// "GiB" → 2^30, "kB" → 1000, "B" → 1; 0 if it is not a size.
double sizeFactor(std::string_view unit)
{
    if (!unit.ends_with('B') || unit.size() > 3)
        return 0;
    unit.remove_suffix(1);
    if (unit.empty())
        return 1;
    const bool binary = unit.size() == 2 && unit[1] == 'i';
    static constexpr std::string_view prefixes = "KMGTPE";
    const size_t prefix = unit[0] == 'k' ? 0 : prefixes.find(unit[0]);
    if (prefix == std::string_view::npos || (unit.size() == 2 && !binary))
        return 0;
    return std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(prefix + 1));
}

/// "TFLOPS", "GFLOP/s", "FLOP/s"; 0 for anything else.
double flopsFactor(std::string_view unit)
{
    double factor = 1;
    static constexpr std::string_view prefixes = "KMGTPE";
    if (!unit.empty() && unit[0] != 'F') {
        const size_t prefix = prefixes.find(unit[0]);
        if (prefix == std::string_view::npos)
            return 0;
        factor = std::pow(1000.0, static_cast<double>(prefix + 1));
        unit.remove_prefix(1);
    }
    return unit == "FLOPS" || unit == "FLOP/s" || unit == "FLOPs/s" ? factor : 0;
}

} // namespace

BaseUnit baseUnit(std::string_view unit)
{
    for (const Time& time : times) {
        if (unit == time.word)
            return {time.factor, QStringLiteral("s")};
    }
    if (const double flops = flopsFactor(unit); flops > 0)
        return {flops, QStringLiteral("FLOP/s")};
    std::string_view size = unit;
    const bool rate = size.ends_with("/s");
    if (rate)
        size.remove_suffix(2);
    if (const double factor = sizeFactor(size); factor > 0)
        return {factor, rate ? QStringLiteral("B/s") : QStringLiteral("B")};
    return {1, labelText(unit, 40)};
}

} // namespace slipway

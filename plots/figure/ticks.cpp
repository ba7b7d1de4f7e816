// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/ticks.h"

#include "plots/metrics/units.h"

#include <array>
#include <cmath>
#include <utility>

namespace slipway {

namespace {

bool countsWholes(const QString& name)
{
    static constexpr std::array names = {
        "n", "step", "epoch", "iteration", "batch", "update", "line", "size", "ranks", "GPUs"};
    for (const char* known : names) {
        if (name == QLatin1String(known))
            return true;
    }
    return false;
}

bool countsPowersOfTwo(const ValueRange& range, const QString& name)
{
    return name == QLatin1String("n") || name == QLatin1String("size")
        || name == QLatin1String("ranks") || name == QLatin1String("GPUs")
        || (name.isEmpty() && range.low >= 1 && range.high / range.low < 100);
}

double niceStep(double rough)
{
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (double step : {1.0, 2.0, 2.5, 5.0}) {
        if (rough <= step * power * 1.0001)
            return step * power;
    }
    return 10 * power;
}

/// Steps and items are counted in millions if they are that many: "2 M", not "2000000".
QString countText(double value, double largest)
{
    if (std::abs(largest) < 1e6 || std::abs(largest) >= 1e13 || value == 0)
        return numberText(value, 6);
    static constexpr std::array<std::pair<double, char16_t>, 3> steps = {
        {{1e12, u'T'}, {1e9, u'G'}, {1e6, u'M'}}};
    for (const auto& [size, letter] : steps) {
        if (std::abs(largest) >= size)
            return numberText(value / size, 6) + QChar(0xa0) + QChar(letter);
    }
    return numberText(value, 6);
}

std::vector<Tick> linearTicks(const ValueRange& range, bool wholes, int about, double factor)
{
    std::vector<Tick> ticks;
    double step = niceStep((range.high - range.low) / std::max(about, 1));
    if (wholes)
        step = std::max(1.0, std::round(step));
    if (!(step > 0) || !std::isfinite(step))
        return ticks;
    const double first = std::ceil(range.low / step - 1e-9);
    for (double k = first; k * step <= range.high + step * 1e-9 && ticks.size() < 100; ++k) {
        const double value = k == 0 ? 0 : k * step; // never "-0"
        ticks.push_back({value, countText(value / factor, range.high / factor)});
    }
    return ticks;
}

std::vector<Tick> powersOfTwo(const ValueRange& range, int about)
{
    std::vector<Tick> ticks;
    const int first = int(std::ceil(std::log2(range.low) - 1e-9));
    const int last = int(std::floor(std::log2(range.high) + 1e-9));
    const int every = std::max(1, int(std::ceil(double(last - first + 1) / std::max(about, 1))));
    for (int k = first; k <= last && ticks.size() < 200; ++k) {
        const double value = std::pow(2.0, k);
        ticks.push_back({value, (last - k) % every == 0 ? numberText(value, 8) : QString()});
    }
    return ticks;
}

QString logLabel(double value, const QString& unit, const UnitScale& scale, bool wide)
{
    if (!wide)
        return numberText(value / scale.factor, 6);
    // Over many decades one prefix would give labels like 0.00001, so each label has its own.
    const UnitScale own = unitScale(value, unit);
    if (own.unit == unit)
        return numberText(value, 3);
    return numberText(value / own.factor, 3) + QStringLiteral(u"\u00a0") + own.unit.left(1);
}

std::vector<Tick> powersOfTen(
    const ValueRange& range, const QString& unit, int about, const UnitScale& scale, bool wide)
{
    std::vector<Tick> ticks;
    const double decades = std::log10(range.high / range.low);
    const int every = std::max(1, int(std::ceil(decades / std::max(about, 1))));
    const bool between = decades < 1.7; // room for labels at 2 and 5
    for (int k = int(std::floor(std::log10(range.low)));
         k <= int(std::ceil(std::log10(range.high))); ++k) {
        for (int digit = 1; digit < 10; ++digit) {
            const double value = digit * std::pow(10.0, k);
            if (value < range.low * (1 - 1e-9) || value > range.high * (1 + 1e-9)
                || (digit > 1 && decades > 4))
                continue;
            const bool labelled =
                (digit == 1 && k % every == 0) || (between && (digit == 2 || digit == 5));
            ticks.push_back({value, labelled ? logLabel(value, unit, scale, wide) : QString()});
        }
    }
    return ticks;
}

} // namespace

AxisTicks makeTicks(const ValueRange& range, const ChartAxis& axis, int about)
{
    if (range.isEmpty() || !std::isfinite(range.low) || !std::isfinite(range.high)
        || range.low == range.high)
        return {{}, axis.unit};
    const bool logarithmic = axis.logarithmic && range.low > 0;
    const UnitScale scale =
        unitScale(std::max(std::abs(range.low), std::abs(range.high)) * 0.999, axis.unit);
    if (!logarithmic)
        return {linearTicks(range, countsWholes(axis.name), about, scale.factor), scale.unit};
    const bool named =
        !axis.name.isEmpty() || axis.unit.isEmpty(); // a value with a unit is not a count
    if (named && countsPowersOfTwo(range, axis.name) && range.high / range.low >= 2)
        return {powersOfTwo(range, about), scale.unit};
    if (range.high / range.low < 3)
        return {linearTicks(range, countsWholes(axis.name), about, scale.factor), scale.unit};
    const bool wide = range.high / range.low > 1e5;
    return {powersOfTen(range, axis.unit, about, scale, wide), wide ? axis.unit : scale.unit};
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/figure/ticks.h"

#include "plots/metrics/metricnames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace slipway {

namespace {

constexpr double mostMinorDecades = 6; ///< beyond it minor ticks would touch each other

bool countsWholes(const QString& name)
{
    static constexpr std::array names = {
        "step", "epoch", "iteration", "batch", "update", "line", "episode", "trial"};
    return std::any_of(names.begin(), names.end(), [&name](const char* known) {
        return name == QLatin1String(known);
    }) || isSizeName(name);
}

bool countsPowersOfTwo(const ValueRange& range, const QString& name)
{
    return isSizeName(name) || (name.isEmpty() && range.low >= 1 && range.high / range.low < 100);
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

/// `shown` is the range of the axis, in units of `factor`.
std::vector<Tick> linearTicks(const ValueRange& shown, bool wholes, int about, double factor)
{
    std::vector<Tick> ticks;
    const ValueRange range{shown.low / factor, shown.high / factor};
    double step = niceStep((range.high - range.low) / std::max(about, 1));
    if (wholes && factor == 1)
        step = std::max(1.0, std::round(step));
    if (!(step > 0) || !std::isfinite(step))
        return ticks;
    const double first = std::ceil(range.low / step - 1e-9);
    for (double k = first; k * step <= range.high + step * 1e-9 && ticks.size() < 100; ++k) {
        const double value = k == 0 ? 0 : k * step; // never "-0"
        ticks.push_back({value * factor, countText(value, range.high)});
    }
    return ticks;
}

/// "64", of bytes "64 KiB": sizes are counted in powers of two.
QString sizeText(double value, const QString& unit)
{
    static constexpr std::array<std::pair<double, const char16_t*>, 4> steps = {
        {{0x1p40, u"TiB"}, {0x1p30, u"GiB"}, {0x1p20, u"MiB"}, {0x1p10, u"KiB"}}};
    if (unit == QLatin1String("B")) {
        for (const auto& [size, name] : steps) {
            if (value >= size)
                return numberText(value / size, 4) + QChar(0xa0) + QString::fromUtf16(name);
        }
    }
    return numberText(value, 8);
}

std::vector<Tick> powersOfTwo(const ValueRange& range, const QString& unit, int about)
{
    std::vector<Tick> ticks;
    const int first = int(std::ceil(std::log2(range.low) - 1e-9));
    const int last = int(std::floor(std::log2(range.high) + 1e-9));
    const int every = std::max(1, int(std::ceil(double(last - first + 1) / std::max(about, 1))));
    for (int k = first; k <= last && ticks.size() < 200; ++k) {
        const double value = std::pow(2.0, k);
        ticks.push_back({value, (last - k) % every == 0 ? sizeText(value, unit) : QString()});
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

/// Which of the nine ticks of a decade have labels, from few to many.
constexpr std::array<std::string_view, 4> labelledDigits = {"1", "125", "12357", "123456789"};

bool hasDigit(std::string_view digits, int digit)
{
    return digits.find(char('0' + digit)) != std::string_view::npos;
}

/// Calls `take` with the power and the digit of each tick of the range.
template <typename Take> void eachOfTen(const ValueRange& range, Take take)
{
    for (int k = int(std::floor(std::log10(range.low)));
         k <= int(std::ceil(std::log10(range.high))); ++k) {
        for (int digit = 1; digit < 10; ++digit) {
            const double value = digit * std::pow(10.0, k);
            if (value >= range.low * (1 - 1e-9) && value <= range.high * (1 + 1e-9))
                take(k, digit, value);
        }
    }
}

/// The fewest digits that give the axis three labels; two where there is room for no more.
std::string_view digitsFor(const ValueRange& range, int about)
{
    const int enough = std::clamp(about, 2, 3);
    for (const std::string_view digits : labelledDigits) {
        int labels = 0;
        eachOfTen(range, [&](int, int digit, double) { labels += hasDigit(digits, digit); });
        if (labels >= enough)
            return digits;
    }
    return labelledDigits.back();
}

std::vector<Tick> powersOfTen(
    const ValueRange& range, const QString& unit, int about, const UnitScale& scale, bool wide)
{
    std::vector<Tick> ticks;
    const double decades = std::log10(range.high) - std::log10(range.low);
    const int every = std::max(1, int(std::ceil(decades / std::max(about, 1))));
    const std::string_view digits = digitsFor(range, about);
    eachOfTen(range, [&](int k, int digit, double value) {
        if (digit > 1 && decades > mostMinorDecades)
            return;
        const bool labelled = hasDigit(digits, digit) && (digit > 1 || k % every == 0);
        ticks.push_back({value, labelled ? logLabel(value, unit, scale, wide) : QString()});
    });
    return ticks;
}

bool isLogarithmic(const ValueRange& range, const ChartAxis& axis)
{
    return axis.logarithmic && range.low > 0;
}

/// A value with a unit and without a name is not a count.
bool usesPowersOfTwo(const ValueRange& range, const ChartAxis& axis)
{
    const bool named = !axis.name.isEmpty() || axis.unit.isEmpty();
    return isLogarithmic(range, axis) && named && countsPowersOfTwo(range, axis.name)
        && range.high / range.low >= 2;
}

bool hasOwnPrefixes(const ValueRange& range, const ChartAxis& axis)
{
    return isLogarithmic(range, axis) && range.high / range.low > 1e5;
}

/// Minutes or hours, whatever gives round numbers for the section of time that is visible.
UnitScale timeScale(const ValueRange& range)
{
    constexpr double minute = 60, hour = 3600;
    const double shown = range.high - range.low;
    if (shown >= 2 * hour)
        return {hour, QStringLiteral("h")};
    return shown >= 3 * minute ? UnitScale{minute, QStringLiteral("min")}
                               : UnitScale{1, QStringLiteral("s")};
}

size_t labelsOf(const std::vector<Tick>& ticks)
{
    return size_t(std::count_if(
        ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.label.isEmpty(); }));
}

} // namespace

UnitScale axisUnit(const ValueRange& range, const ChartAxis& axis)
{
    if (range.isEmpty() || hasOwnPrefixes(range, axis) || usesPowersOfTwo(range, axis))
        return {1, axis.unit};
    const double largest = std::max(std::abs(range.low), std::abs(range.high)) * 0.999;
    const bool time = axis.unit == QLatin1String("s") && !isLogarithmic(range, axis);
    return time && largest >= 1 ? timeScale(range) : unitScale(largest, axis.unit);
}

QString axisValueText(double value, const ValueRange& range, const ChartAxis& axis)
{
    if (axis.unit.isEmpty() || hasOwnPrefixes(range, axis))
        return quantityText(value, axis.unit);
    const UnitScale scale = axisUnit(range, axis);
    return numberText(value / scale.factor, 3) + QStringLiteral(u"\u00a0") + scale.unit;
}

AxisTicks makeTicks(const ValueRange& range, const ChartAxis& axis, int about)
{
    if (range.isEmpty() || !std::isfinite(range.low) || !std::isfinite(range.high)
        || range.low == range.high)
        return {{}, axis.unit};
    const UnitScale scale = axisUnit(range, axis);
    const auto linear = [&] {
        return linearTicks(range, countsWholes(axis.name), about, scale.factor);
    };
    if (!isLogarithmic(range, axis))
        return {linear(), scale.unit};
    if (usesPowersOfTwo(range, axis)) {
        auto ticks = powersOfTwo(range, axis.unit, about);
        if (labelsOf(ticks) >= 2)
            return {std::move(ticks), axis.unit};
    }
    if (range.high / range.low < 3)
        return {linear(), scale.unit};
    return {powersOfTen(range, axis.unit, about, scale, hasOwnPrefixes(range, axis)), scale.unit};
}

} // namespace slipway

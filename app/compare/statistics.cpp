// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace slipway {

namespace {

constexpr size_t fewestForInterval = 3;
constexpr size_t draws = 2000;

/// The distributions of standard libraries differ; this one is the same everywhere.
size_t below(std::mt19937_64& random, size_t bound)
{
    return static_cast<size_t>(random() % bound);
}

double medianOfDraw(
    std::mt19937_64& random, const std::vector<double>& values, std::vector<double>& drawn)
{
    drawn.clear();
    for (size_t i = 0; i < values.size(); ++i)
        drawn.push_back(values[below(random, values.size())]);
    return median(drawn);
}

} // namespace

double median(std::vector<double> values)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::optional<std::pair<double, double>> ratioInterval(
    const std::vector<double>& a, const std::vector<double>& b)
{
    if (std::min(a.size(), b.size()) < fewestForInterval)
        return {};
    std::mt19937_64 random(0x51179a11u);
    std::vector<double> ratios, drawn;
    ratios.reserve(draws);
    for (size_t i = 0; i < draws; ++i) {
        const double ofB = medianOfDraw(random, b, drawn);
        ratios.push_back(ofB / medianOfDraw(random, a, drawn));
    }
    std::sort(ratios.begin(), ratios.end());
    return std::pair(ratios[draws * 25 / 1000], ratios[draws * 975 / 1000 - 1]);
}

std::optional<double> crossoverOf(const std::vector<SizedRatio>& ratios)
{
    for (size_t i = ratios.size(); i-- > 0;) {
        if (ratios[i].ratio >= 1)
            continue;
        if (i + 1 == ratios.size())
            return {};
        const SizedRatio& low = ratios[i];
        const SizedRatio& high = ratios[i + 1];
        const double part = -std::log(low.ratio) / (std::log(high.ratio) - std::log(low.ratio));
        return std::exp(std::log(low.x) + part * (std::log(high.x) - std::log(low.x)));
    }
    return {};
}

} // namespace slipway

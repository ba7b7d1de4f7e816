// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/pyramid.h"

#include <algorithm>
#include <limits>

namespace slipway {

namespace {

struct Fold {
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();

    void add(float l, float h)
    {
        low = std::min(low, l);
        high = std::max(high, h);
    }
};

} // namespace

void MinMaxPyramid::append(double x, float y)
{
    const size_t i = m_x.size();
    if (i == 0) {
        m_xMin = m_xMax = x;
    } else {
        m_monotone = m_monotone && x >= m_x.back();
        m_xMin = std::min(m_xMin, x);
        m_xMax = std::max(m_xMax, x);
    }
    m_x.push_back(x);
    m_y.push_back(y);
    // A level begins when the one below has filled its first entry, and copies its extremes.
    static_assert((fanOut & (fanOut - 1)) == 0);
    size_t span = 1;
    for (size_t k = 0;; ++k) {
        span *= fanOut;
        if (k == m_levels.size()) {
            if (i + 1 < span)
                break;
            Fold fold;
            for (size_t j = 0; j < fanOut; ++j) {
                const Extremes below =
                    k == 0 ? Extremes{m_y[j], m_y[j]} : m_levels[k - 1].entries[j];
                fold.add(below.low, below.high);
            }
            m_levels.push_back({{Extremes{fold.low, fold.high}}});
            continue;
        }
        auto& entries = m_levels[k].entries;
        if ((i & (span - 1)) == 0) { // span is a power of two
            entries.push_back({y, y});
        } else {
            Extremes& newest = entries.back();
            newest.low = std::min(newest.low, y);
            newest.high = std::max(newest.high, y);
        }
    }
}

size_t MinMaxPyramid::bytes() const
{
    size_t sum = m_x.bytes() + m_y.bytes();
    for (const Level& level : m_levels)
        sum += level.entries.size() * sizeof(Extremes);
    return sum;
}

MinMaxPyramid::Extremes MinMaxPyramid::extremes(size_t begin, size_t end) const
{
    Fold fold;
    // Climb from both ends: the remainder at a level is at most fanOut - 1 entries on each side.
    for (; begin < end && begin % fanOut; ++begin)
        fold.add(m_y[begin], m_y[begin]);
    // The newest entry of each level is current, so a range that ends at the last point needs no
    // tail.
    if (end < size() || m_levels.empty()) {
        for (; end > begin && (end % fanOut || m_levels.empty()); --end)
            fold.add(m_y[end - 1], m_y[end - 1]);
    }
    for (size_t k = 0; begin < end && k < m_levels.size(); ++k) {
        const auto& entries = m_levels[k].entries;
        const bool atEnd = end >= (k == 0 ? size() : m_levels[k - 1].entries.size());
        begin /= fanOut;
        end = atEnd ? entries.size() : end / fanOut;
        const bool top = k + 1 == m_levels.size();
        for (; begin < end && (top || begin % fanOut); ++begin)
            fold.add(entries[begin].low, entries[begin].high);
        if (end < entries.size()) {
            for (; end > begin && end % fanOut; --end)
                fold.add(entries[end - 1].low, entries[end - 1].high);
        }
    }
    return {fold.low, fold.high};
}

/// Looks near a guess first, then twice as far each time: in columns of equal width the next border
/// is about as many points away as the last one was.
size_t MinMaxPyramid::bound(double x, size_t from, size_t guess, bool upper) const
{
    const auto before = [&](size_t i) { return upper ? m_x[i] <= x : m_x[i] < x; };
    size_t low = from, high = size();
    for (size_t step = 1; guess >= low && guess < high; step *= 2) {
        if (before(guess)) {
            low = guess + 1;
            guess = low + step - 1;
        } else {
            high = guess;
            guess = high - std::min(step, high);
        }
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (before(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t MinMaxPyramid::lowerBound(double x) const
{
    return bound(x, 0, 0, false);
}

size_t MinMaxPyramid::upperBound(double x) const
{
    return bound(x, 0, 0, true);
}

void MinMaxPyramid::columns(std::span<const double> edges, std::vector<PyramidColumn>& out) const
{
    out.clear();
    if (edges.size() < 2 || empty())
        return;
    if (!m_monotone) {
        scanColumns(edges, out);
        return;
    }
    const size_t first = lowerBound(edges.front());
    size_t begin = first, count = 0;
    for (size_t i = 1; i < edges.size() && begin < size(); ++i) {
        const size_t end = bound(edges[i], begin, begin + count, i + 1 == edges.size());
        if (end > begin) {
            const Extremes range = extremes(begin, end);
            out.push_back({m_x[begin], m_x[end - 1], m_y[begin], m_y[end - 1], range.low,
                range.high, end - begin});
        }
        count = end - begin;
        begin = end;
        // In a long series the borders of columns are far from each other in memory, so that most
        // of the time would be spent waiting for it.
        if (const size_t later = begin + (begin - first) * 4 / i; later < size()) {
            __builtin_prefetch(&m_x[later]);
            __builtin_prefetch(&m_y[later]);
        }
    }
}

void MinMaxPyramid::scanColumns(
    std::span<const double> edges, std::vector<PyramidColumn>& out) const
{
    std::vector<PyramidColumn> all(edges.size() - 1);
    for (size_t i = 0; i < size(); ++i) {
        const double at = m_x[i];
        if (at < edges.front() || at > edges.back())
            continue;
        size_t c =
            static_cast<size_t>(std::upper_bound(edges.begin(), edges.end(), at) - edges.begin());
        PyramidColumn& column = all[std::min(c, all.size()) - 1];
        const float value = m_y[i];
        if (column.count++ == 0) {
            column = {at, at, value, value, value, value, 1};
            continue;
        }
        column.x = std::min(column.x, at);
        column.xLast = std::max(column.xLast, at);
        column.last = value;
        column.low = std::min(column.low, value);
        column.high = std::max(column.high, value);
    }
    std::copy_if(all.begin(), all.end(), std::back_inserter(out),
        [](const auto& column) { return column.count > 0; });
}

} // namespace slipway

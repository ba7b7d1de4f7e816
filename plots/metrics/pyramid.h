// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/blockvector.h"

#include <span>
#include <vector>

namespace slipway {

/// Summary of the points in one pixel column of a plot: enough to draw the curve as if each point
/// had been drawn.
struct PyramidColumn {
    double x = 0; ///< of its first point
    double xLast = 0;
    float first = 0;
    float last = 0;
    float low = 0;
    float high = 0;
    size_t count = 0;
};

/// MinMaxPyramid stores a long series so that any range can be drawn in time proportional to its
/// pixels: each level holds the smallest and largest of 16 entries of the level below, and the
/// newest entry of each level is always current. 12.5 bytes per point; extremes are exact. Values
/// must be finite; the caller handles NaN and infinity separately. Passive.
class MinMaxPyramid {
public:
    static constexpr size_t fanOut = 16;

    void append(double x, float y);

    size_t size() const { return m_x.size(); }
    bool empty() const { return m_x.empty(); }
    double x(size_t i) const { return m_x[i]; }
    float y(size_t i) const { return m_y[i]; }
    size_t bytes() const;

    /// True while no x was smaller than the one before it.
    bool isMonotone() const { return m_monotone; }
    double xMin() const { return m_xMin; }
    double xMax() const { return m_xMax; }

    struct Extremes {
        float low;
        float high;
    };
    /// Of the points [begin, end), which must not be empty.
    Extremes extremes(size_t begin, size_t end) const;

    /// The first point whose x is not below (not above) the value. Only for monotone x.
    size_t lowerBound(double x) const;
    size_t upperBound(double x) const;

    /// Reduces to columns: column i contains the points with edges[i] <= x < edges[i+1], the last
    /// one also those on its right edge. Empty columns are left out. With monotone x the cost
    /// depends on the number of columns; otherwise every point is visited, and `first` and `last`
    /// are in the order of arrival.
    void columns(std::span<const double> edges, std::vector<PyramidColumn>& out) const;

private:
    struct Level {
        std::vector<Extremes> entries;
    };

    void scanColumns(std::span<const double> edges, std::vector<PyramidColumn>& out) const;
    size_t bound(double x, size_t from, size_t guess, bool upper) const;

    BlockVector<double> m_x;
    BlockVector<float> m_y;
    std::vector<Level> m_levels;
    double m_xMin = 0;
    double m_xMax = 0;
    bool m_monotone = true;
};

} // namespace slipway

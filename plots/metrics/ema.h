// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/pyramid.h"
#include "plots/metrics/seriesstore.h"

namespace slipway {

/// Exponential moving average with bias correction: the early values are the mean of the values so
/// far and are not biased towards zero. Written as a step towards the new value, so that a constant
/// stays exactly constant.
class Ema {
public:
    /// 0: no smoothing; 0.99 averages about a hundred values.
    explicit Ema(double weight);
    double add(double value);

private:
    double m_weight;
    double m_power = 1; ///< weight to the power of the number of values so far
    double m_mean = 0;
};

/// SmoothedSeries follows a series and smooths all of its points, before any reduction to pixels,
/// so that the curve does not depend on the zoom. Passive; the series must outlive the updates.
class SmoothedSeries {
public:
    explicit SmoothedSeries(double weight);
    double weight() const { return m_weight; }
    /// Adds the points since the last update.
    void update(const MetricSeries& series);
    const MinMaxPyramid& points() const { return m_points; }

private:
    double m_weight;
    Ema m_ema;
    MinMaxPyramid m_points;
};

} // namespace slipway

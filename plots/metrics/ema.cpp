// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/ema.h"

#include <algorithm>

namespace slipway {

Ema::Ema(double weight)
    : m_weight(std::clamp(weight, 0.0, 0.9999))
{
}

double Ema::add(double value)
{
    m_power *= m_weight;
    m_mean += (1 - m_weight) / (1 - m_power) * (value - m_mean);
    return m_mean;
}

SmoothedSeries::SmoothedSeries(double weight)
    : m_weight(weight)
    , m_ema(weight)
{
}

void SmoothedSeries::update(const MetricSeries& series)
{
    for (size_t i = m_points.size(); i < series.size(); ++i)
        m_points.append(series.points().x(i), static_cast<float>(m_ema.add(series.y(i))));
}

} // namespace slipway

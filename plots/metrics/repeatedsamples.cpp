// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/repeatedsamples.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace slipway {

size_t RepeatedSamples::likeness(double y)
{
    constexpr int bits = 6;
    static_assert(1 << bits == likenesses);
    const auto number = std::bit_cast<uint64_t>(y + 0.0); // 0 and -0 are equal
    return static_cast<size_t>((number * 0x9e3779b97f4a7c15u) >> (64 - bits));
}

bool RepeatedSamples::isGiven(const Sample& sample) const
{
    if (m_like[likeness(sample.y)] == 0)
        return false; // most numbers are new
    const auto isOfSeries = [&](size_t i) {
        return isSameText(m_series[i], sample.series) && isSameText(m_lane[i], sample.lane);
    };
    bool isKept = false;
    for (size_t i = 0; i < m_count && !isKept; ++i)
        isKept = m_y[i] == sample.y && m_x[i] == sample.x && isOfSeries(i);
    // What goes on from a smaller x is of another run than the value that is the same.
    for (size_t age = 1; isKept && age <= m_count; ++age) {
        const size_t i = (m_next + most - age) % most;
        if (m_x[i] <= sample.x && isOfSeries(i))
            isKept = m_x[i] == sample.x;
        if (m_x[i] == sample.x && m_y[i] == sample.y && isOfSeries(i))
            break;
    }
    return isKept;
}

bool RepeatedSamples::isAgain(const Sample* begin, const Sample* end) const
{
    static const QString time = QStringLiteral("time");
    return !isLineName(begin->xName) && !isSameText(begin->xName, time)
        && std::all_of(begin, end, [this](const Sample& sample) { return isGiven(sample); });
}

void RepeatedSamples::keep(const Sample& sample)
{
    if (m_count == most)
        --m_like[likeness(m_y[m_next])];
    ++m_like[likeness(sample.y)];
    m_x[m_next] = sample.x;
    m_y[m_next] = sample.y;
    assignText(m_series[m_next], sample.series);
    assignText(m_lane[m_next], sample.lane);
    m_next = (m_next + 1) % most;
    m_count = std::max(m_count, m_next == 0 ? most : m_next);
}

void RepeatedSamples::drop(std::vector<Sample>& samples, size_t from)
{
    size_t kept = from;
    for (size_t i = from, end = from; i < samples.size(); i = end) {
        while (end < samples.size() && samples[end].line == samples[i].line)
            ++end;
        if (isAgain(samples.data() + i, samples.data() + end))
            continue;
        for (; i < end; ++i, ++kept) {
            keep(samples[i]);
            if (kept != i)
                samples[kept] = std::move(samples[i]);
        }
    }
    samples.resize(kept);
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/repeatedsamples.h"

#include <algorithm>
#include <utility>

namespace slipway {

bool RepeatedSamples::isAgain(const Sample* begin, const Sample* end) const
{
    return begin->xName != QLatin1String("line") && begin->xName != QLatin1String("time")
        && std::equal(
            begin, end, m_last.begin(), m_last.end(), [](const Sample& sample, const Given& given) {
                return sample.x == given.x && sample.y == given.y
                    && isSameText(sample.series, given.series)
                    && isSameText(sample.lane, given.lane);
            });
}

void RepeatedSamples::drop(std::vector<Sample>& samples, size_t from)
{
    size_t kept = from;
    for (size_t i = from, end = from; i < samples.size(); i = end) {
        while (end < samples.size() && samples[end].line == samples[i].line)
            ++end;
        const bool again = isAgain(samples.data() + i, samples.data() + end);
        if (again)
            continue;
        m_last.clear();
        for (; i < end; ++i, ++kept) {
            const Sample& sample = samples[i];
            if (end - from <= most)
                m_last.push_back({sample.series, sample.lane, sample.x, sample.y});
            if (kept != i)
                samples[kept] = std::move(samples[i]);
        }
    }
    samples.resize(kept);
}

} // namespace slipway

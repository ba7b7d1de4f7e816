// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/fieldsamples.h"

namespace slipway {

void giveFields(const LineFields& fields, const StepClock::Reading& reading, const LogLine& line,
    QString (*name)(std::string_view), MetricSink& sink)
{
    for (size_t i = 0; i < fields.pairCount; ++i) {
        const NamedNumber& pair = fields.pairs[i];
        Sample sample;
        sample.series = pair.series ? *pair.series : name(pair.name);
        if (sample.series.isEmpty())
            continue;
        sample.lane = rankLane(line.rank);
        sample.x = reading.x;
        sample.xName = reading.name;
        sample.y = pair.value;
        sample.unit = seriesUnit(sample.series, pair);
        sample.line = line.number;
        sink.add(std::move(sample));
    }
    sink.setProgress(reading.name, reading.x, reading.total);
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/fieldsamples.h"

namespace slipway {

namespace {

/// Of two numbers of one name the first counts: a curve has one value at each x.
bool isFirst(
    const LineFields& fields, size_t i, QString (*name)(std::string_view), const QString& series)
{
    for (size_t before = 0; before < i; ++before) {
        const NamedNumber& pair = fields.pairs[before];
        if (pair.name.size() == fields.pairs[i].name.size()
            && (pair.series ? *pair.series : name(pair.name)) == series)
            return false;
    }
    return true;
}

} // namespace

void giveFields(const LineFields& fields, const StepClock::Reading& reading, const LogLine& line,
    QString (*name)(std::string_view), MetricSink& sink, bool areOwnNames)
{
    for (size_t i = 0; i < fields.pairCount; ++i) {
        const NamedNumber& pair = fields.pairs[i];
        Sample sample;
        sample.series = pair.series ? *pair.series : name(pair.name);
        if (sample.series.isEmpty() || !isFirst(fields, i, name, sample.series))
            continue;
        sample.lane = rankLane(line.rank);
        sample.x = reading.x;
        sample.xName = reading.name;
        sample.y = pair.value;
        sample.unit = seriesUnit(sample.series, pair);
        sample.line = line.number;
        sample.isOwnName = areOwnNames;
        sample.isOfEpoch = reading.isOfEpoch;
        sink.add(std::move(sample));
    }
    sink.setProgress(reading.name, reading.x, reading.total);
}

} // namespace slipway

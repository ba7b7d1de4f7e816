// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/blocklines.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t mostOnLine = 4;
constexpr size_t longestOwnName = 40;

/// "Total mass     0.999999": the name and the number are set in columns.
bool isInColumns(const LinePairs& pairs)
{
    const auto* const end = pairs.places.begin() + pairs.placeCount;
    const auto* const place = std::find_if(
        pairs.places.begin(), end, [](const LinePairs::Place& each) { return each.pair == 0; });
    if (pairs.count != 1 || place == end)
        return false;
    const char* const behindName = pairs.pairs[0].name.data() + pairs.pairs[0].name.size();
    return place->text.data() - behindName >= 2 || *behindName == '\t';
}

} // namespace

bool BlockLines::mayRead(const LinePairs& pairs, NameCache& cache)
{
    if (pairs.count == 0 || pairs.count > mostOnLine || pairs.strayWords > 0
        || pairs.position.done >= 0 || !pairs.subject.empty() || !pairs.about.empty())
        return false;
    const bool isNamed = isInColumns(pairs);
    return std::all_of(pairs.pairs.begin(), pairs.pairs.begin() + static_cast<long>(pairs.count),
        [&](const LinePair& pair) {
            if (!(pair.assigned || isNamed) || !pair.isFraction || pair.total > 0
                || pair.name.size() > longestOwnName)
                return false;
            const NameMeaning& meaning = cache.find(pair.name);
            return (meaning.kind == NameMeaning::Unknown || meaning.kind == NameMeaning::Metric)
                && !meaning.series.isEmpty();
        });
}

void BlockLines::read(const LinePairs& pairs, NameCache& cache, const LogLine& line, double place,
    const QString& lane, MetricSink& sink)
{
    static const QString step = QStringLiteral("step");
    // What is given here is at that step, which makes it the place of the sink.
    const bool isPlaced = m_step < 0 || !(sink.placeName().isEmpty() || sink.placeName() == step);
    if (isPlaced && sink.placeName().isEmpty())
        return;
    m_made.clear();
    size_t form = isPlaced ? 1 : 2;
    for (size_t i = 0; i < pairs.count; ++i) {
        const LinePair& pair = pairs.pairs[i];
        const NameMeaning& meaning = cache.find(pair.name);
        LineMetric metric;
        metric.pair = &pair;
        metric.quantity = meaning.quantity;
        metric.series = &meaning.series;
        metric.set = meaning.set;
        metric.unit = meaning.unit;
        Sample sample = sampleOf(metric, {});
        sample.lane = lane;
        sample.x = isPlaced ? place : m_step;
        sample.xName = isPlaced ? sink.placeName() : step;
        sample.line = line.number;
        sample.place = line.end - 1;
        form = form * 31 + qHash(sample.series);
        m_made.push_back(std::move(sample));
    }
    m_held.take(form, HeldLines::Proof::Block, m_made, sink);
}

} // namespace slipway

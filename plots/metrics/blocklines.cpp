// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/blocklines.h"

#include "plots/metrics/fields.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t mostOnLine = 4;
constexpr size_t longestOwnName = 60;

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

/// A measurement of some name; "Time step: 0.057" does not count.
bool mayMeasure(const LinePair& pair, const NameMeaning& meaning)
{
    if (pair.total > 0 || pair.name.size() > longestOwnName)
        return false;
    if (meaning.kind == NameMeaning::Counter)
        return pair.isFraction && meaning.use == NameMeaning::Anywhere
            && *meaning.x == QLatin1String("step");
    return (meaning.kind == NameMeaning::Unknown
               || (meaning.kind == NameMeaning::Metric && pair.isFraction))
        && !meaning.series.isEmpty();
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
            return (pair.assigned || (pair.isFraction && isNamed))
                && mayMeasure(pair, cache.find(pair.name));
        });
}

bool BlockLines::isPlace(double x, const QString& name) const
{
    return m_step >= 0
        && (name.isEmpty() || (name == QLatin1String("step") && (x == m_step || x == m_before)));
}

/// Whole numbers alone are as often settings: they count where fractions of the same names stood.
bool BlockLines::isKnown(const LinePairs& pairs, size_t form) const
{
    const auto* const end = pairs.pairs.begin() + static_cast<long>(pairs.count);
    return m_held.knows(form) || std::all_of(pairs.pairs.begin(), end, [](const LinePair& pair) {
        return pair.isFraction;
    });
}

/// Makes the samples of a line. What is equal for lines of the same names.
size_t BlockLines::make(const LinePairs& pairs, NameCache& cache, const LogLine& line,
    const Place& place, const LineMeaning* given)
{
    const auto isGiven = [given](const LinePair& pair) {
        return given
            && std::any_of(given->metrics.begin(), given->metrics.begin() + given->count,
                [&pair](const LineMetric& metric) { return metric.pair == &pair; });
    };
    m_made.clear();
    size_t form = 7;
    for (size_t i = 0; i < pairs.count; ++i) {
        const LinePair& pair = pairs.pairs[i];
        const NameMeaning& meaning = cache.find(pair.name);
        if (!(pair.isFraction || pair.assigned) || !mayMeasure(pair, meaning) || isGiven(pair)
            || (given && meaning.kind != NameMeaning::Unknown))
            continue;
        const QString series =
            meaning.kind == NameMeaning::Counter ? seriesName(pair.name) : meaning.series;
        LineMetric metric;
        metric.pair = &pair;
        metric.quantity = meaning.quantity;
        metric.series = &series;
        metric.set = meaning.set;
        metric.unit = meaning.unit;
        Sample sample = sampleOf(metric, {});
        if (std::any_of(m_made.begin(), m_made.end(),
                [&](const Sample& made) { return made.series == sample.series; }))
            continue; // a curve has one value at each x
        sample.lane = place.lane;
        sample.x = place.x;
        sample.xName = place.name;
        sample.line = line.number;
        sample.place = line.end - 1;
        form = form * 31 + qHash(sample.series);
        m_made.push_back(std::move(sample));
    }
    return form;
}

void BlockLines::read(const LinePairs& pairs, NameCache& cache, const LogLine& line, Place place,
    const LineMeaning* given, MetricSink& sink)
{
    static const QString step = QStringLiteral("step");
    // What is given here is at that step, which makes it the place of the sink.
    const bool isPlaced = m_step < 0 || !(place.name.isEmpty() || place.name == step);
    if (isPlaced && place.name.isEmpty())
        return;
    if (!isPlaced) {
        place.x = m_step;
        place.name = step;
    }
    const size_t form = make(pairs, cache, line, place, given);
    if (m_made.empty() || !isKnown(pairs, form))
        return;
    m_held.take(form, HeldLines::Proof::Block, m_made, sink);
}

void BlockLines::readCounted(const LinePairs& pairs, NameCache& cache, const LogLine& line,
    const Place& place, MetricSink& sink)
{
    const size_t form = ~make(pairs, cache, line, place);
    m_held.take(form, HeldLines::Proof::Table, m_made, sink);
}

} // namespace slipway

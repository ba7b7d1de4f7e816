// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/blocklines.h"

#include "plots/metrics/fields.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

constexpr size_t mostOnLine = 16;
constexpr size_t longestOwnName = 60;
constexpr int mostWordsBeside = 4;

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

/// "episodic return: 29": what is counted as often as it is measured.
bool isReward(const LinePair& pair, const NameMeaning& meaning)
{
    return std::isfinite(pair.value) && meaning.kind == NameMeaning::Metric && meaning.quantity
        && meaning.quantity->kind == QLatin1String("reward");
}

/// "clock: 3200MHz", "capacity: 288KiB" are of a listing.
bool isTimeOrRate(const MetricUnit* unit)
{
    return unit && (unit->unit == QLatin1String("s") || unit->quantity);
}

bool isOfMemory(const MetricUnit* unit)
{
    return unit && unit->unit == QLatin1String("B");
}

/// A measurement of some name; "Time step: 0.057" does not count.
bool mayMeasure(const LinePair& pair, const NameMeaning& meaning)
{
    if (pair.total > 0 || pair.isBehind || pair.name.size() > longestOwnName)
        return false;
    if (meaning.isSize()) // "Number of degrees of freedom: 81", cycle by cycle
        return pair.assigned && !pair.isFraction && !pair.unit;
    if (meaning.kind == NameMeaning::Counter)
        return pair.isFraction && meaning.use == NameMeaning::Anywhere
            && *meaning.x == QLatin1String("step");
    return (meaning.kind == NameMeaning::Unknown
               || (meaning.kind == NameMeaning::Metric
                   && (pair.isFraction || isTimeOrRate(pair.unit) || isOfMemory(pair.unit)
                       || isReward(pair, meaning))))
        && !meaning.series.isEmpty();
}

/// "Mean genetic distance 1.205, standard deviation 0.511", "suminf. 136.66"
bool hasNoSign(const LinePair& pair)
{
    constexpr size_t shortest = 3;
    const std::string_view name = pair.name.substr(0, pair.name.find_last_not_of('.') + 1);
    return !pair.assigned && pair.isFraction && !pair.isQuoted && name.size() >= shortest
        && std::all_of(name.begin(), name.end(),
            [](char c) { return isLetter(c) || c == ' ' || c == '_' || c == '-'; });
}

/// "over 6400.0 frames": the last word of the name says that no name stands there.
bool endsInWord(std::string_view name)
{
    return isOneOf(name.substr(name.rfind(' ') + 1),
        {"over", "of", "at", "in", "on", "for", "to", "from", "per", "by", "with", "after", "than",
            "and", "or", "is", "was", "about", "up"});
}

/// "Estimated memory requirement: 0.12 GB", "fixed in version: 1.3"
bool isForeseen(std::string_view name)
{
    return startsWithIgnoringCase(name, "estimated ") || name.ends_with(" remaining")
        || name.ends_with("version");
}

/// A measurement, as far as the line alone tells.
bool isTold(const LinePair& pair, const NameMeaning& meaning)
{
    constexpr size_t shortest = 2;
    return (pair.assigned || pair.isStated) && !isForeseen(pair.name) && !pair.isQuoted
        && pair.name.size() >= shortest
        && (pair.isFraction || isTimeOrRate(pair.unit) || isOfMemory(pair.unit)
            || isReward(pair, meaning));
}

bool mayBeInBlock(const LinePair& pair, const NameMeaning& meaning)
{
    return (pair.isFraction || pair.assigned) && mayMeasure(pair, meaning);
}

bool isGiven(const LinePair& pair, const LineMeaning& line)
{
    return std::any_of(line.metrics.begin(), line.metrics.begin() + line.count,
        [&pair](const LineMetric& metric) { return metric.pair == &pair; });
}

/// What is tried out is x, and is drawn by ParameterSweeps where it is none.
bool isOfSweep(const LineMeaning& line)
{
    return line.sizes.count > 0
        || (line.parameterCount > 0 && !isMeasurement(line.parameters[0]->value));
}

/// "line-height: 1.5;", "# seconds = 0.5", "  weight: 0.5,", "version = '2.0'", "return 3.5 if n ==
/// 4": as programs and their files have it.
bool isCode(std::string_view text)
{
    text = trimmed(text);
    if (text.find("</") != std::string_view::npos)
        return false; // "<etotal>-12.57</etotal>" is output
    for (const std::string_view keyword : {"assert ", "elif ", "if ", "return ", "while "}) {
        if (text.starts_with(keyword))
            return true;
    }
    return text.empty()
        || std::string_view(";{}\\,>\"'").find(text.back()) != std::string_view::npos
        || std::string_view("#/*<>\"'").find(text.front()) != std::string_view::npos;
}

} // namespace

BlockLines::Reading BlockLines::readingOf(
    std::string_view text, const LinePairs& pairs, NameCache& cache)
{
    if (pairs.count == 0 || pairs.count > mostOnLine || pairs.position.done >= 0)
        return Reading::None;
    const auto* const begin = pairs.pairs.begin();
    const auto* const end = begin + static_cast<long>(pairs.count);
    const bool isPlain = pairs.strayWords == 0 && pairs.subject.empty() && pairs.about.empty();
    const bool isNamed = isPlain && isInColumns(pairs);
    if (isPlain && std::all_of(begin, end, [&](const LinePair& pair) {
            return (pair.assigned || (pair.isFraction && isNamed))
                && mayMeasure(pair, cache.find(pair.name));
        }))
        return isCode(text) ? Reading::InBlock : Reading::OfBlock;
    constexpr size_t fewNames = 2;
    if (isPlain && pairs.count >= fewNames && std::all_of(begin, end, [&](const LinePair& pair) {
            return hasNoSign(pair) && mayMeasure(pair, cache.find(pair.name));
        }))
        return Reading::InBlock;
    const bool mayRepeat = pairs.strayWords <= mostWordsBeside && !isCode(text)
        && std::any_of(begin, end, [&](const LinePair& pair) {
               const NameMeaning& meaning = cache.find(pair.name);
               return isTold(pair, meaning) && mayMeasure(pair, meaning);
           });
    return mayRepeat ? Reading::Repeated : Reading::None;
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
    const Place& place, const Use& use)
{
    m_made.clear();
    size_t form = 7;
    const QString* set = dataSetOf(pairs, cache.names()); // "val loss: 0.5 acc: 0.9": of both
    for (size_t i = 0; i < pairs.count; ++i) {
        const LinePair& pair = pairs.pairs[i];
        const NameMeaning& meaning = cache.find(pair.name);
        if (!use(pair, meaning))
            continue;
        const QString series = meaning.series.isEmpty() ? seriesName(pair.name) : meaning.series;
        LineMetric metric;
        metric.pair = &pair;
        metric.quantity = meaning.quantity;
        metric.series = &series;
        metric.set = meaning.set;
        set = meaning.set ? meaning.set : set;
        metric.section = set;
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

/// Other than that of a block of the same names.
size_t BlockLines::repeatedForm(size_t form, const LinePairs& pairs)
{
    form = form * 31 + qHash(QByteArrayView(pairs.subject.data(), qsizetype(pairs.subject.size())));
    return form * 31 + static_cast<size_t>(pairs.strayWords) + 1;
}

void BlockLines::read(const LinePairs& pairs, NameCache& cache, const LogLine& line, Place place,
    const LineMeaning* given, Reading reading, ParameterSweeps& sweeps, MetricSink& sink)
{
    static const QString step = QStringLiteral("step");
    // What is given here is at that step, which makes it the place of the sink.
    const bool isPlaced = m_step < 0 || !(place.name.isEmpty() || place.name == step);
    if (isPlaced && place.name.isEmpty()) {
        if (!given && reading == Reading::OfBlock)
            readRepeated(pairs, cache, line, place, sweeps, sink);
        else if (given && reading == Reading::OfBlock && !isOfSweep(*given))
            readBeside(pairs, cache, line, place.lane, *given, sink);
        return;
    }
    if (!isPlaced) {
        place.x = m_step;
        place.name = step;
    }
    const size_t form =
        make(pairs, cache, line, place, [given](const LinePair& pair, const NameMeaning& meaning) {
            return mayBeInBlock(pair, meaning)
                && (!given || (meaning.kind == NameMeaning::Unknown && !isGiven(pair, *given)));
        });
    if (m_made.empty())
        return;
    if (!isKnown(pairs, form)) {
        takeWhole(form, sink);
        return;
    }
    const size_t alone = repeatedForm(form, pairs); // drawn before anybody said where it is
    m_held.take(m_held.gives(alone) ? alone : form, HeldLines::Proof::Block, m_made, sink);
}

/// The samples of the line, each by itself.
void BlockLines::takeWhole(size_t form, MetricSink& sink)
{
    const std::vector<Sample> all = std::move(m_made);
    for (const Sample& sample : all) {
        m_made.assign(1, sample);
        m_held.take(~form * 31 + qHash(sample.series), HeldLines::Proof::Whole, m_made, sink);
    }
    m_made.clear();
}

void BlockLines::readBesideCounter(const LinePairs& pairs, NameCache& cache, const LogLine& line,
    const Place& place, const LineMeaning& given, MetricSink& sink)
{
    const auto isOwn = [&given](const LinePair& pair, const NameMeaning& meaning) {
        return meaning.kind == NameMeaning::Unknown && pair.total == 0 && !isGiven(pair, given)
            && mayMeasure(pair, meaning);
    };
    const size_t form = make(pairs, cache, line, place,
        [&isOwn, &cache](const LinePair& pair, const NameMeaning& meaning) {
            const bool isNamed =
                hasNoSign(pair) && !endsInWord(pair.name) && !cache.names().isStatistic(pair.name);
            return (isTold(pair, meaning) || isNamed) && isOwn(pair, meaning);
        });
    m_held.take(~form * 31 + 1, HeldLines::Proof::Table, m_made, sink);
    const size_t whole =
        make(pairs, cache, line, place, [&isOwn](const LinePair& pair, const NameMeaning& meaning) {
            return pair.assigned && !pair.isFraction && !pair.isQuoted && isOwn(pair, meaning)
                && !isForeseen(pair.name);
        });
    takeWhole(whole, sink);
}

void BlockLines::readRepeated(const LinePairs& pairs, NameCache& cache, const LogLine& line,
    Place place, ParameterSweeps& sweeps, MetricSink& sink)
{
    const bool isPlaced = !place.name.isEmpty();
    if (!isPlaced)
        place = {static_cast<double>(line.number), QStringLiteral("line"), place.lane};
    const auto use = [](const LinePair& pair, const NameMeaning& meaning) {
        return isTold(pair, meaning) && mayMeasure(pair, meaning);
    };
    const size_t form = repeatedForm(make(pairs, cache, line, place, use), pairs);
    const bool haveUnits = std::all_of(
        m_made.begin(), m_made.end(), [](const Sample& made) { return !made.unit.isEmpty(); });
    const auto below =
        haveUnits ? ParameterSweeps::Below::Measurement : ParameterSweeps::Below::Number;
    if (!isPlaced && sweeps.addBelow(form, below, m_made, sink))
        return;
    constexpr qsizetype shortest = 3; // "LP: 1.5" without a setting above
    std::erase_if(m_made, [](const Sample& sample) { return sample.series.size() < shortest; });
    if (std::all_of(pairs.pairs.begin(), pairs.pairs.begin() + static_cast<long>(pairs.count),
            [](const LinePair& pair) { return !pair.isFraction && isOfMemory(pair.unit); })) {
        takeWhole(form, sink);
        return;
    }
    m_held.takeLines(form,
        isPlaced        ? HeldLines::Proof::Table
            : haveUnits ? HeldLines::Proof::Place
                        : HeldLines::Proof::Alone,
        m_made, sink);
}

void BlockLines::readBeside(const LinePairs& pairs, NameCache& cache, const LogLine& line,
    const QString& lane, const LineMeaning& given, MetricSink& sink)
{
    const Place place{static_cast<double>(line.number), QStringLiteral("line"), lane};
    const auto use = [&given](const LinePair& pair, const NameMeaning& meaning) {
        return meaning.kind == NameMeaning::Unknown && pair.isFraction && !isGiven(pair, given)
            && isTold(pair, meaning) && mayMeasure(pair, meaning);
    };
    const size_t form = repeatedForm(make(pairs, cache, line, place, use), pairs);
    if (!m_made.empty())
        m_held.takeLines(form, HeldLines::Proof::Alone, m_made, sink);
}

void BlockLines::readSwept(const LinePairs& pairs, NameCache& cache, const LogLine& line,
    const QString& lane, std::optional<double> first, ParameterSweeps& sweeps, MetricSink& sink)
{
    const Place place{static_cast<double>(line.number), QStringLiteral("line"), lane};
    const size_t form = ~repeatedForm(
        make(pairs, cache, line, place, [](const LinePair&, const NameMeaning&) { return true; }),
        pairs);
    const bool isTaken = first ? sweeps.addBehind(form, *first, m_made, sink)
                               : sweeps.addLed(form, pairs.pairs[0], m_made, sink);
    if (!isTaken)
        m_held.takeLines(form, HeldLines::Proof::Alone, m_made, sink);
}

void BlockLines::readCounted(const LinePairs& pairs, NameCache& cache, const LogLine& line,
    const Place& place, MetricSink& sink)
{
    const size_t form = ~make(pairs, cache, line, place, mayBeInBlock);
    m_held.take(form, HeldLines::Proof::Table, m_made, sink);
}

} // namespace slipway

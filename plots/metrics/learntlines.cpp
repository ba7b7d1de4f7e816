// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/learntlines.h"

#include "plots/metrics/scan.h"

#include <algorithm>
#include <cmath>

namespace slipway {

namespace {

bool isWhole(double value)
{
    return value == std::floor(value);
}

int indexOf(const LinePair* pair, const LinePairs& pairs)
{
    return pair ? static_cast<int>(pair - pairs.pairs.data()) : -1;
}

} // namespace

void LearntLine::learn(std::string_view line, const LinePrefix& found, const LinePairs& pairs,
    const LineMeaning* meaning, uint64_t counting)
{
    m_template.set(line);
    const auto moved = [&](std::string_view part) { return m_template.moved(part, line); };
    prefix = found;
    prefix.text = moved(found.text);
    // No digit of a time stamp means anything to the grammar.
    const std::string_view whole = m_template.text();
    forPrefixWords(
        whole.substr(0, whole.size() - prefix.text.size()), [this](std::string_view word) {
            if (isTimeStamp(word))
                m_template.setFree(word);
        });
    looksLikeRow = slipway::looksLikeRow(prefix.text);
    row = looksLikeRow ? ColumnTable::formOf(prefix.text) : ColumnTable::RowForm();
    heading = table::headingFormOf(prefix.text);
    mayBeHeading = GridTable::mayBeHeading(prefix.text);
    rows = MetricRows::formOf(prefix.text);
    mayBeBare = BareLines::mayBe(prefix.text);
    m_pairs.assign(pairs.pairs.begin(), pairs.pairs.begin() + static_cast<long>(pairs.count));
    for (LinePair& pair : m_pairs) {
        pair.name = moved(pair.name);
        pair.section = moved(pair.section);
        pair.group = moved(pair.group);
    }
    m_position = pairs.position;
    m_subject = moved(pairs.subject);
    m_about = moved(pairs.about);
    m_strayWords = pairs.strayWords;
    m_numbers.clear();
    for (size_t i = 0; i < pairs.placeCount; ++i)
        learnNumber(pairs.places[i], pairs, counting, line);
    hasMeaning = meaning != nullptr;
    if (meaning)
        learnMeaning(*meaning, pairs);
}

void LearntLine::learnWords(std::string_view words, NameCache& cache)
{
    isWords = true;
    m_template.set(words);
    prefix.text = m_template.text();
    heading = table::headingFormOf(words);
    mayBeHeading = GridTable::mayBeHeading(words);
    rows = MetricRows::formOfWords(words, cache);
}

void LearntLine::learnNumber(
    const LinePairs::Place& place, const LinePairs& pairs, uint64_t counting, std::string_view line)
{
    m_template.setFree(m_template.moved(place.text, line));
    if (place.kind == LinePairs::Place::Clock)
        return;
    Number number;
    number.at = static_cast<size_t>(place.text.data() - line.data());
    number.size = place.text.size();
    number.kind = place.kind;
    number.pair = place.pair;
    number.isPosition = place.isPosition;
    number.isFirst = place.isFirst;
    std::string_view rest = place.text;
    if (place.kind == LinePairs::Place::Bracket) {
        takeInBrackets(rest, ']', number.position);
    } else {
        number.form = NumberForm::of(place.text);
        std::string_view again = line.substr(number.at);
        takeValue(again, MetricNames::builtIn(), number.value);
    }
    number.counts = place.pair >= 0 && ((counting >> place.pair) & 1) != 0;
    if (place.pair >= 0)
        number.value.unit = pairs.pairs[static_cast<size_t>(place.pair)].unit;
    m_numbers.push_back(number);
}

void LearntLine::learnMeaning(const LineMeaning& meaning, const LinePairs& pairs)
{
    m_metrics.clear();
    for (size_t i = 0; i < meaning.count; ++i) {
        const LineMetric& metric = meaning.metrics[i];
        m_metrics.push_back({metric, static_cast<size_t>(indexOf(metric.pair, pairs)),
            metric.series ? *metric.series : QString()});
    }
    m_facts = meaning;
    m_epochPair = indexOf(meaning.epochPair, pairs);
    m_stepPair = indexOf(meaning.stepPair, pairs);
    m_positionPair = indexOf(meaning.positionPair, pairs);
}

/// Whether the grammar would decide the same for both numbers.
bool LearntLine::isAlike(const Number& number, const LinePair& value)
{
    const LinePair& known = number.value;
    if ((value.total > 0) != (known.total > 0) || value.hasMean != known.hasMean
        || (value.value >= 0) != (known.value >= 0)
        || (known.total > 0 && (value.value <= value.total) != (known.value <= known.total)))
        return false;
    if (number.isFirst && isWhole(value.value) != isWhole(known.value))
        return false;
    return !number.counts
        || (mayCount(value.value) == mayCount(known.value)
            && isWhole(value.value) == isWhole(known.value));
}

bool LearntLine::readNumber(
    const Number& number, std::string_view line, const MetricNames& names, LinePairs& pairs) const
{
    std::string_view rest = line.substr(number.at);
    const size_t behind = line.size() - number.at - number.size;
    if (number.kind == LinePairs::Place::Bracket) {
        LinePosition position;
        if (!takeInBrackets(rest, ']', position) || rest.size() != behind
            || (position.total > 0) != (number.position.total > 0))
            return false;
        if (number.isPosition) {
            pairs.position.done = position.done;
            pairs.position.total = position.total;
        }
        return true;
    }
    LinePair read = number.value;
    if (number.form.isPlain()) {
        const auto value = number.form.read(rest);
        if (!value)
            return false;
        read.value = *value;
    } else {
        read = {};
        if (!takeValue(rest, names, read) || rest.size() != behind)
            return false;
    }
    if (!isAlike(number, read))
        return false;
    if (number.isPosition) {
        pairs.position.done = read.value;
        pairs.position.total = number.isFirst ? 0 : read.total;
    }
    if (number.pair >= 0) {
        LinePair& pair = pairs.pairs[static_cast<size_t>(number.pair)];
        pair.value = read.value;
        pair.total = read.total;
        pair.mean = read.mean;
    }
    return true;
}

bool LearntLine::read(
    std::string_view line, const MetricNames& names, LinePairs& pairs, LineMeaning& meaning) const
{
    if (!m_template.fits(line))
        return false;
    pairs.count = m_pairs.size();
    std::copy(m_pairs.begin(), m_pairs.end(), pairs.pairs.begin());
    pairs.position = m_position;
    pairs.subject = m_subject;
    pairs.about = m_about;
    pairs.strayWords = m_strayWords;
    pairs.isMonitor = false;
    for (const Number& number : m_numbers) {
        if (!readNumber(number, line, names, pairs))
            return false;
    }
    if (m_position.isBare && (m_position.done == 0) != (pairs.position.done == 0))
        return false;
    if (hasMeaning)
        placeNumbers(pairs, meaning);
    return true;
}

void LearntLine::placeNumbers(const LinePairs& pairs, LineMeaning& meaning) const
{
    const auto pairAt = [&](int i) { return &pairs.pairs[static_cast<size_t>(i)]; };
    meaning.count = m_metrics.size();
    for (size_t i = 0; i < m_metrics.size(); ++i) {
        meaning.metrics[i] = m_metrics[i].metric;
        meaning.metrics[i].pair = &pairs.pairs[m_metrics[i].pair];
        meaning.metrics[i].series = &m_metrics[i].series;
    }
    static_cast<LineFacts&>(meaning) = m_facts;
    meaning.otherCount = meaning.parameterCount = 0; // such lines are not learnt
    meaning.isOfSettings = false;
    meaning.epochPair = m_epochPair >= 0 ? pairAt(m_epochPair) : nullptr;
    meaning.stepPair = m_stepPair >= 0 ? pairAt(m_stepPair) : nullptr;
    meaning.positionPair = m_positionPair >= 0 ? pairAt(m_positionPair) : nullptr;
    const auto place = [](auto& slot, double done, double total) {
        slot.done = done;
        slot.total = total;
    };
    if (m_epochPair >= 0)
        place(*meaning.counters.epoch, pairAt(m_epochPair)->value, pairAt(m_epochPair)->total);
    if (m_stepPair >= 0)
        place(*meaning.counters.step, pairAt(m_stepPair)->value, pairAt(m_stepPair)->total);
    else if (m_facts.isStepPosition)
        place(*meaning.counters.step, pairs.position.done, pairs.position.total);
    if (m_positionPair >= 0)
        place(meaning.position, pairAt(m_positionPair)->value, pairAt(m_positionPair)->total);
    else if (m_facts.isOwnPosition)
        place(meaning.position, pairs.position.done, pairs.position.total);
}

void LearntLines::learn(const LogLine& line, const LinePrefix& prefix, const LinePairs& pairs,
    const LineMeaning* meaning, uint64_t counting, BlockLines::Reading reading)
{
    m_lines.learn(line.shape, [&]() -> std::unique_ptr<LearntLine> {
        if (!pairs.isLearnable || (meaning && !meaning->isLearnable)
            || pairs.placeCount > mostNumbers || pairs.count > mostNumbers)
            return nullptr;
        auto learnt = std::make_unique<LearntLine>();
        learnt->learn(line.text, prefix, pairs, meaning, counting);
        learnt->reading = reading;
        return learnt;
    });
}

void LearntLines::learnWords(const LogLine& line, std::string_view words, NameCache& cache)
{
    m_lines.learn(line.shape, [&] {
        auto learnt = std::make_unique<LearntLine>();
        learnt->learnWords(words, cache);
        return learnt;
    });
}

} // namespace slipway

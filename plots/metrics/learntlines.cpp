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

/// "2024-03-12", "08:22:45,549": of a time stamp only the digits differ, and no digit of it means
/// anything to the grammar.
bool isTimeStamp(std::string_view word)
{
    return !word.empty() && isDigit(word[0])
        && word.find_first_not_of("0123456789-:.,/TZ+") == std::string_view::npos
        && word.find_first_of(":-/") != std::string_view::npos;
}

/// Calls `found` with each word of a prefix.
template <typename Found> void forWords(std::string_view prefix, Found found)
{
    constexpr std::string_view between = " \t[]()";
    while (!prefix.empty()) {
        const size_t begin = std::min(prefix.find_first_not_of(between), prefix.size());
        prefix.remove_prefix(begin);
        const size_t end = std::min(prefix.find_first_of(between), prefix.size());
        found(prefix.substr(0, end));
        prefix.remove_prefix(end);
    }
}

int indexOf(const LinePair* pair, const LinePairs& pairs)
{
    return pair ? static_cast<int>(pair - pairs.pairs.data()) : -1;
}

} // namespace

/// The same part of the learnt line.
std::string_view LearntLine::moved(std::string_view part, std::string_view line) const
{
    const bool isPart = part.data() >= line.data() && part.data() <= line.data() + line.size();
    return isPart
        ? m_template.text().substr(static_cast<size_t>(part.data() - line.data()), part.size())
        : part; // a word of the program's own
}

void LearntLine::learn(std::string_view line, const LinePrefix& found, const LinePairs& pairs,
    const LineMeaning* meaning)
{
    m_template.set(line);
    prefix = found;
    prefix.text = moved(found.text, line);
    const std::string_view whole = m_template.text();
    forWords(whole.substr(0, whole.size() - prefix.text.size()), [this](std::string_view word) {
        if (isTimeStamp(word))
            m_template.setFree(word);
    });
    looksLikeRow = slipway::looksLikeRow(prefix.text);
    row = looksLikeRow ? ColumnTable::formOf(prefix.text) : ColumnTable::RowForm();
    m_pairs.assign(pairs.pairs.begin(), pairs.pairs.begin() + static_cast<long>(pairs.count));
    for (LinePair& pair : m_pairs) {
        pair.name = moved(pair.name, line);
        pair.section = moved(pair.section, line);
        pair.group = moved(pair.group, line);
    }
    m_position = pairs.position;
    m_subject = moved(pairs.subject, line);
    m_about = moved(pairs.about, line);
    m_strayWords = pairs.strayWords;
    m_numbers.clear();
    for (size_t i = 0; i < pairs.placeCount; ++i)
        learnNumber(pairs.places[i], pairs, meaning, line);
    hasMeaning = meaning != nullptr;
    if (meaning)
        learnMeaning(*meaning, pairs);
}

void LearntLine::learnNumber(const LinePairs::Place& place, const LinePairs& pairs,
    const LineMeaning* meaning, std::string_view line)
{
    m_template.setFree(moved(place.text, line));
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
        const bool isNumber = takeNumber(rest).has_value();
        number.isPlain = isNumber && std::none_of(rest.begin(), rest.end(), isDigit);
        if (number.isPlain)
            number.decimal = DecimalForm::of(place.text.substr(0, place.text.size() - rest.size()));
        std::string_view again = line.substr(number.at);
        takeValue(again, MetricNames::builtIn(), number.value);
    }
    number.counts = place.pair >= 0 && meaning && ((meaning->counting >> place.pair) & 1) != 0;
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
    m_counters = meaning.counters;
    m_ownPosition = meaning.position;
    m_set = meaning.set;
    m_epochPair = indexOf(meaning.epochPair, pairs);
    m_stepPair = indexOf(meaning.stepPair, pairs);
    m_positionPair = indexOf(meaning.positionPair, pairs);
    m_isStepPosition = meaning.isStepPosition;
    m_isOwnPosition = meaning.isOwnPosition;
    m_isStrict = meaning.isStrict;
    m_isPartial = meaning.isPartial;
    m_isStrong = meaning.isStrong;
    m_isOutput = meaning.isOutput;
    m_isResult = meaning.isResult;
    m_ownSet = meaning.ownSet;
    m_form = meaning.form;
}

/// Whether the grammar would decide the same for both numbers.
bool LearntLine::isAlike(const Number& number, const LinePair& value, std::string_view behind)
{
    const LinePair& known = number.value;
    if (!behind.empty() || (value.total > 0) != (known.total > 0) || value.hasMean != known.hasMean
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
    if (number.decimal.digits > 0) {
        read.value = number.decimal.read(rest.data());
        rest = {};
    } else if (number.isPlain) {
        std::string_view plain = rest.substr(0, number.size);
        const auto value = takeNumber(plain);
        if (!value || std::any_of(plain.begin(), plain.end(), isDigit))
            return false;
        read.value = *value;
        rest = {};
    } else {
        read = {};
        if (!takeValue(rest, names, read) || rest.size() != behind)
            return false;
        rest = {};
    }
    if (!isAlike(number, read, rest))
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
    meaning.counters = m_counters;
    const auto place = [](auto& slot, double done, double total) {
        slot.done = done;
        slot.total = total;
    };
    if (m_epochPair >= 0)
        place(*meaning.counters.epoch, pairAt(m_epochPair)->value, pairAt(m_epochPair)->total);
    if (m_stepPair >= 0)
        place(*meaning.counters.step, pairAt(m_stepPair)->value, pairAt(m_stepPair)->total);
    else if (m_isStepPosition)
        place(*meaning.counters.step, pairs.position.done, pairs.position.total);
    meaning.position = m_ownPosition;
    if (m_positionPair >= 0)
        place(meaning.position, pairAt(m_positionPair)->value, pairAt(m_positionPair)->total);
    else if (m_isOwnPosition)
        place(meaning.position, pairs.position.done, pairs.position.total);
    meaning.set = m_set;
    meaning.isStrict = m_isStrict;
    meaning.isPartial = m_isPartial;
    meaning.isStrong = m_isStrong;
    meaning.isOutput = m_isOutput;
    meaning.isResult = m_isResult;
    meaning.ownSet = m_ownSet;
    meaning.isTime = false;
    meaning.form = m_form;
}

const LearntLine* LearntLines::find(const LogLine& line)
{
    if (m_entries.empty() || !line.shape)
        return nullptr;
    const Entry& entry = m_entries[line.shape->slot];
    return entry.shape == line.shape->id ? entry.line.get() : nullptr;
}

void LearntLines::learn(const LogLine& line, const LinePrefix& prefix, const LinePairs& pairs,
    const LineMeaning* meaning)
{
    if (!line.shape)
        return;
    if (m_entries.empty())
        m_entries.resize(LineShapes::most);
    Entry& entry = m_entries[line.shape->slot];
    if (entry.shape != line.shape->id) { // the first line of a shape is often the only one
        entry = {line.shape->id, 0, {}};
        return;
    }
    entry.line.reset();
    if (!pairs.isLearnable || (meaning && !meaning->isLearnable) || entry.tries >= mostTries
        || pairs.placeCount > mostNumbers || pairs.count > mostNumbers)
        return;
    ++entry.tries;
    entry.line = std::make_unique<LearntLine>();
    entry.line->learn(line.text, prefix, pairs, meaning);
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/placereader.h"

#include "plots/metrics/lineprefix.h"
#include "plots/metrics/linevalue.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <cmath>

namespace slipway {

bool PlaceReader::readAtPlace(const LinePair& counter, std::string_view from)
{
    static constexpr std::string_view counted[] = {
        " iterations", " steps", " epochs", " updates", " batches", " episodes"};
    size_t noun = 0;
    for (const std::string_view each : counted) {
        if (m_line.rest.starts_with(each))
            noun = each.size(); // "loss after 100 iterations: 0.5"
    }
    const std::string_view tail = m_line.rest.substr(noun);
    const size_t sign = tail.starts_with(": ") ? 1 : tail.starts_with(" is ") ? 3 : 0;
    if (counter.assigned || sign == 0
        || !wholeCount(from.substr(0, from.size() - m_line.rest.size())))
        return false;
    static constexpr std::string_view words[] = {" of ", " at ", " in ", " for ", " after "};
    size_t at = std::string_view::npos, behind = 0;
    for (const std::string_view word : words) {
        const bool isLast = noun > 0 && counter.name.ends_with(word.substr(0, word.size() - 1));
        const size_t found =
            isLast ? counter.name.size() - word.size() + 1 : counter.name.rfind(word);
        if (found != std::string_view::npos && found > 0
            && (at == std::string_view::npos || found > at)) {
            at = found;
            behind = found + word.size();
        }
    }
    if (at == std::string_view::npos || (noun == 0 && behind >= counter.name.size()))
        return false;
    std::string_view rest = tail.substr(sign);
    skipSpaces(rest);
    from = rest;
    LinePair measured{counter.name.substr(0, at)};
    if (const size_t remark = measured.name.find(" ("); measured.name.ends_with(')'))
        measured.name = measured.name.substr(0, remark); // "Training loss (for one batch)"
    measured.assigned = true;
    if (!takeValue(rest, m_line.names, measured))
        return false;
    LinePair place = counter;
    place.name = noun > 0 ? m_line.rest.substr(1, noun - 1) : counter.name.substr(behind);
    m_line.addNoted(place);
    m_line.rest = rest;
    m_line.note(LinePairs::Place::Value, from);
    measured.isFraction = isFraction(m_line.readFrom(from));
    m_line.addNoted(measured);
    return true;
}

bool PlaceReader::readPlaceBehind(const LinePair& place, std::string_view last)
{
    static constexpr std::string_view nouns[] = {
        " steps", " epochs", " updates", " batches", " episodes"}; // iterations are a solver's
    if (place.assigned || place.isFraction || place.unit || place.total > 0 || place.value < 0
        || m_line.out.position.done >= 0)
        return false;
    const auto* const noun = std::find_if(std::begin(nouns), std::end(nouns),
        [this](std::string_view each) { return m_line.rest.starts_with(each); });
    if (m_line.out.count == 0 || !equalsIgnoringCase(last, "after") || noun == std::end(nouns))
        return false;
    m_line.rest.remove_prefix(noun->size());
    m_line.standAt(place.value, m_line.out.placeCount - 1);
    return true;
}

bool PlaceReader::readDuration(const LinePair& number, const NameWords& words)
{
    if (number.assigned || number.isFraction || number.unit || number.total > 0 || number.value < 0
        || words.count != 1 || words.text.data() != m_line.start || m_line.out.position.done >= 0
        || !m_line.rest.starts_with(": ")
        || m_line.names.meaning(words.text).kind == NameMeaning::Counter
        || !std::all_of(words.text.begin(), words.text.end(), isLetter))
        return false;
    std::string_view rest = m_line.rest.substr(2);
    skipSpaces(rest);
    const std::string_view from = rest;
    static constexpr std::string_view duration = "duration";
    LinePair measured{duration};
    if (!takeValue(rest, m_line.names, measured) || !measured.unit || measured.unit->quantity
        || measured.unit->unit != QLatin1String("s") || !trimmed(rest).empty())
        return false;
    m_line.standAt(number.value, m_line.out.placeCount - 1);
    m_line.out.about = words.text;
    m_line.out.isLearnable = false;
    m_line.rest = rest;
    m_line.note(LinePairs::Place::Value, from);
    measured.assigned = true;
    m_line.addNoted(measured);
    return true;
}

bool PlaceReader::readBehindCount(const LinePair& counted)
{
    if (counted.assigned || counted.isFraction || counted.total > 0 || counted.unit
        || m_line.out.count > 0 || m_line.out.position.done >= 0 || counted.value < 0
        || !m_line.rest.starts_with(' '))
        return false;
    std::string_view rest = m_line.rest.substr(1);
    const std::string_view from = rest;
    LinePair measured{counted.name};
    if (!takeValue(rest, m_line.names, measured) || measured.total > 0
        || !isFraction(from.substr(0, from.size() - rest.size()))
        || m_line.names.meaning(counted.name).kind != NameMeaning::Metric)
        return false;
    m_line.standAt(counted.value, m_line.out.placeCount - 1);
    m_line.rest = rest;
    m_line.note(LinePairs::Place::Value, from);
    measured.isFraction = measured.assigned = true;
    m_line.addNoted(measured);
    return true;
}

bool PlaceReader::countsSteps(const LinePair& counted)
{
    if (counted.isFraction || counted.unit || counted.total > 0 || counted.value < 0
        || m_line.out.position.done >= 0 || counted.value != std::floor(counted.value)
        || !(counted.name.empty() ? skipCountedCell() : skipCountedSteps(counted.name)))
        return false;
    m_line.standAt(counted.value, m_line.out.placeCount - 1);
    return true;
}

/// "epoch 000 | 0001000 updates | trainloss 10.35"; "At 500 steps, loss: 0.5" as well.
bool PlaceReader::skipCountedCell()
{
    static constexpr std::string_view cells[] = {
        " iterations | ", " steps | ", " iters | ", " updates | "};
    return std::any_of(std::begin(cells), std::end(cells), [this](std::string_view cell) {
        return skip(m_line.rest, cell);
    }) || skipCountedSteps({});
}

/// "At 500 steps, loss: 0.5", "After 500 steps, loss is 0.5", "Testing after 500 iterations".
bool PlaceReader::skipCountedSteps(std::string_view name)
{
    static constexpr std::string_view words[] = {" iterations", " steps", " iters"};
    const bool isAfter =
        equalsIgnoringCase(name, "after") || (name.ends_with(" after") && m_line.out.count == 0);
    for (const std::string_view word : words) {
        std::string_view behind = m_line.rest;
        if (!skip(behind, word))
            continue;
        const bool isAlone = isAfter && behind.empty();
        const bool isMeasured = isAfter || behind.find_first_of(":=") != std::string_view::npos;
        if (!isAlone && !(skip(behind, ", ") && isMeasured))
            continue;
        m_line.rest = behind;
        return true;
    }
    return false;
}

bool PlaceReader::takeCountOfShare(const LinePair& share)
{
    std::string_view at = m_line.rest;
    skipSpaces(at);
    if (m_line.out.count > 0 || m_line.out.strayWords > 0 || m_line.out.placeCount > 1
        || !share.unit || share.unit->unit != QLatin1String("%") || !skip(at, "= "))
        return false;
    skipSpaces(at);
    const std::string_view from = at;
    const auto count = takeWholeCount(at);
    if (!count || !at.starts_with(" |"))
        return false;
    m_line.rest = at;
    m_line.note(LinePairs::Place::Value, from);
    m_line.standAt(*count, m_line.out.placeCount - 1);
    return true;
}

namespace {

constexpr std::string_view endings[] = {"th ", "st ", "nd ", "rd "}; ///< of ordinals

bool startsWithEnding(std::string_view text)
{
    return std::any_of(std::begin(endings), std::end(endings),
        [text](std::string_view ending) { return text.starts_with(ending); });
}

} // namespace

bool PlaceReader::readOrdinalOf(std::string_view name)
{
    const std::string_view from = m_line.rest;
    std::string_view at = m_line.rest;
    const auto value = takeWholeCount(at);
    if (!value || !startsWithEnding(at))
        return false;
    std::string_view rest = at.substr(3);
    if (!equalsIgnoringCase(takeWord(rest), name.substr(name.rfind(' ') + 1)))
        return false;
    m_line.rest = at;
    m_line.note(LinePairs::Place::Value, from);
    m_line.rest = rest;
    LinePair pair{name, *value};
    pair.assigned = true;
    m_line.addNoted(pair);
    return true;
}

bool PlaceReader::readOrdinal()
{
    const std::string_view from = m_line.rest;
    std::string_view at = m_line.rest;
    const auto value = m_line.rest.data() == m_line.start ? takeWholeCount(at) : std::nullopt;
    if (!value || !startsWithEnding(at))
        return false;
    m_line.rest = at;
    m_line.note(LinePairs::Place::Value, from);
    m_line.rest.remove_prefix(3);
    m_line.standAt(*value, m_line.out.placeCount - 1);
    return true;
}

bool PlaceReader::readCounted()
{
    std::string_view at = m_line.rest;
    auto value = takeWholeCount(at);
    if (at.size() > 1 && at[0] == '-' && isDigit(at[1])) {
        at.remove_prefix(1);
        value = takeWholeCount(at);
    }
    static constexpr std::string_view words[] = {"epoch", "batch", "iter", "step", "update"};
    for (const std::string_view word : words) {
        if (!value || !at.starts_with(word)
            || (at.size() > word.size() && isWordCharacter(at[word.size()])))
            continue;
        LinePair pair{at.substr(0, word.size()), *value};
        pair.assigned = true;
        m_line.add(pair);
        m_line.rest = at.substr(word.size());
        skip(m_line.rest, ":");
        return true;
    }
    return false;
}

bool PlaceReader::readAtSign(const LinePair& place, std::string_view from)
{
    const bool isBehind =
        from.data() >= m_line.start + 2 && from.data()[-2] == '@' && from.data()[-1] == ' ';
    if (!isBehind || !m_line.rest.starts_with(": ") || place.unit || place.total > 0
        || place.value != std::floor(place.value) || place.value < 0)
        return false;
    LinePair step{"step", place.value};
    step.assigned = true;
    m_line.addNoted(step);
    return true;
}

void PlaceReader::takeMethod()
{
    constexpr size_t longest = 16;
    const size_t close =
        m_line.rest.starts_with(" (") ? m_line.rest.substr(0, longest).find(')') : 0;
    if (close < 3 || close == std::string_view::npos
        || !m_line.rest.substr(close + 1).starts_with(' '))
        return;
    const std::string_view method = m_line.rest.substr(2, close - 2);
    if (!std::all_of(method.begin(), method.end(),
            [](char c) { return isLetter(c) || c == '/' || c == '-'; }))
        return;
    m_line.out.about = method;
    m_line.rest.remove_prefix(close + 1);
}

void PlaceReader::readBracket()
{
    const bool leads = m_line.rest.data() == m_line.start;
    m_line.rest.remove_prefix(1);
    if (leads && readEpoch())
        return;
    const size_t close = m_line.rest.substr(0, 32).find(']');
    const std::string_view inside =
        close == std::string_view::npos ? std::string_view() : m_line.rest.substr(0, close);
    const std::string_view set = setInBracket(inside);
    const bool isCounted = !set.empty() && inside.find('/') != std::string_view::npos;
    if (leads && readTime(inside))
        return;
    if (!set.empty() && !isCounted && readValueOfSet(set, m_line.rest.substr(close + 1)))
        return;
    if (!set.empty() && !isCounted) { // "[valid] loss=0.3", "[Eval:valid] map=0.3"
        m_line.section = set;
        m_line.isForeign = false;
        m_line.rest.remove_prefix(close + 1);
        return;
    }
    if (!m_line.section.empty() && !inside.empty() && isLetter(inside[0])
        && inside.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos) {
        m_line.isForeign = true; // "[att_plot] time=0.3" behind "[valid] loss=0.3"
        m_line.rest.remove_prefix(close + 1);
        return;
    }
    if (isCounted) { // "[Train 970/1882] {'loss': 0.3}"
        m_line.section = set;
        m_line.rest.remove_prefix(set.size());
    }
    const std::string_view from = m_line.rest;
    if (isTime(inside)) { // "[26/11 12:03:14]"
        m_line.rest.remove_prefix(close + 1);
        m_line.note(LinePairs::Place::Clock, from);
        return;
    }
    LinePosition position;
    if (!takeInBrackets(m_line.rest, ']', position))
        return;
    m_line.note(LinePairs::Place::Bracket, from);
    position.leads = leads;
    const bool better = m_line.out.position.done < 0 || m_line.out.position.total == 0;
    if (better && (position.total > 0 || leads)) {
        m_line.out.position = position;
        m_line.setPosition(m_line.out.placeCount - 1);
    }
}

/// "[train] 0.024 [validation] 0.106"
bool PlaceReader::readValueOfSet(std::string_view set, std::string_view behind)
{
    skipSpaces(behind);
    const std::string_view from = behind;
    LinePair value{set};
    if (behind.empty() || !isDigit(behind[0]) || !takeValue(behind, m_line.names, value)
        || value.total > 0 || value.unit
        || !isFraction(from.substr(0, from.size() - behind.size())))
        return false;
    m_line.section = {};
    m_line.rest = behind;
    m_line.note(LinePairs::Place::Value, from);
    value.isFraction = value.assigned = true;
    m_line.addNoted(value);
    return true;
}

/// "[ 5s ] tps: 269.67"
bool PlaceReader::readTime(std::string_view inside)
{
    const std::string_view text = trimmed(inside);
    std::string_view at = text;
    LinePair pair;
    if (text.empty() || !isDigit(text[0]) || !takeValue(at, m_line.names, pair) || !at.empty()
        || !pair.unit || pair.unit->quantity || pair.unit->unit != QLatin1String("s"))
        return false;
    m_line.rest.remove_prefix(inside.size() + 1);
    addTime(pair);
    return true;
}

void PlaceReader::addTime(const LinePair& read)
{
    static constexpr std::string_view name = "t";
    LinePair time{name};
    time.value = read.value * (read.unit ? read.unit->factor : 1);
    time.assigned = time.isFraction = true;
    m_line.out.isLearnable = false;
    m_line.add(time);
}

bool PlaceReader::readEpoch()
{
    const std::string_view from = m_line.rest;
    std::string_view at = m_line.rest;
    LinePair epoch{"epoch"};
    if (at.empty() || !isDigit(at[0]) || !takeValue(at, m_line.names, epoch) || epoch.unit
        || !wholeCount(from.substr(0, from.find_first_of("/],"))))
        return false;
    const std::string_view behindEpoch = at;
    bool isPair = epoch.total == 0 && skip(at, ", ");
    if (isPair) {
        skipSpaces(at);
    } else {
        isPair = skip(at, "]");
        if (epoch.total > 0)
            skip(at, " ");
        isPair = isPair && skip(at, "[");
    }
    const std::string_view fromStep = at;
    LinePosition step;
    const bool isPlain = behindEpoch.starts_with(',');
    if (!isPair || !takeInBrackets(at, ']', step)
        || (step.total <= 0 && epoch.total <= 0 && !isPlain))
        return false;
    m_line.rest = behindEpoch;
    m_line.note(LinePairs::Place::Value, from);
    epoch.assigned = true;
    m_line.addNoted(epoch);
    m_line.rest = at;
    m_line.note(LinePairs::Place::Bracket, fromStep);
    m_line.out.position = step;
    m_line.setPosition(m_line.out.placeCount - 1);
    return true;
}

bool PlaceReader::isTime(std::string_view inside)
{
    return inside.find(':') != std::string_view::npos && isDigit(inside[0])
        && inside.find_first_not_of("0123456789:/-., ") == std::string_view::npos;
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/valuereader.h"

#include "plots/metrics/lineprefix.h"
#include "plots/metrics/linevalue.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace slipway {

bool ValueReader::readVector(std::string_view name)
{
    constexpr int mostNumbers = 8;
    std::array<std::string_view, mostNumbers> texts;
    std::string_view at = m_line.rest;
    const bool isTuple = at.starts_with('(');
    if (!isTuple && !at.starts_with('['))
        return false;
    at.remove_prefix(1);
    const bool isQuoted = !isTuple && at.starts_with('\''); // "IoU: ['86.2', '1.4']"
    const char close = isTuple ? ')' : ']', between = isTuple || isQuoted ? ',' : ' ';
    int count = 0;
    bool anyFraction = false;
    for (skipSpaces(at); !at.empty() && at[0] != close; skipSpaces(at)) {
        if (isQuoted && !skip(at, "'"))
            return false;
        const std::string_view from = at;
        if (count == mostNumbers || !takeNumber(at))
            return false;
        texts[static_cast<size_t>(count)] = from.substr(0, from.size() - at.size());
        if ((isQuoted && !skip(at, "'")) || at.empty() || (at[0] != between && at[0] != close))
            return false;
        anyFraction = anyFraction || isFraction(texts[static_cast<size_t>(count)]);
        ++count;
        if ((isTuple || isQuoted) && at[0] == ',' && !skip(at, ", "))
            return false; // "(+2.03,-1.17)" is one number
    }
    if (at.empty() || count < 2 || !anyFraction)
        return false;
    m_line.rest = at.substr(1);
    addParts(name, texts.data(), static_cast<size_t>(count));
    return true;
}

bool ValueReader::readComponents(std::string_view name)
{
    constexpr size_t mostNumbers = 4;
    const auto isOther = [](char c) {
        return !isDigit(c) && !isSpace(c) && c != '.' && c != '-' && c != '+' && c != 'e'
            && c != 'E';
    };
    if (m_line.out.count == 0 || m_line.out.strayWords > 1
        || std::any_of(m_line.rest.begin(), m_line.rest.end(), isOther))
        return false;
    std::array<std::string_view, mostNumbers> texts;
    size_t count = 0;
    std::string_view at = m_line.rest;
    for (skipSpaces(at); !at.empty(); skipSpaces(at)) {
        const std::string_view from = at;
        if (count == mostNumbers || !takeNumber(at) || (!at.empty() && !isSpace(at[0])))
            return false;
        texts[count] = from.substr(0, from.size() - at.size());
        if (!isFraction(texts[count++]))
            return false;
    }
    if (count < 2)
        return false;
    m_line.rest = at;
    m_line.out.isLearnable = false;
    addParts(name, texts.data(), count);
    return true;
}

void ValueReader::addParts(std::string_view name, const std::string_view* texts, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        std::string_view text = texts[i];
        m_line.noteText(LinePairs::Place::Value, text);
        LinePair pair{name, takeNumber(text).value_or(0)};
        pair.part = static_cast<int>(i) + 1;
        pair.assigned = pair.isFraction = true;
        m_line.addNoted(pair);
    }
}

bool ValueReader::splitQuotient(LinePair pair, std::string_view from)
{
    const std::string_view text = m_line.readFrom(from);
    const size_t slash = text.find(" / ");
    if (slash == std::string_view::npos || pair.unit || pair.hasMean
        || !isFraction(text.substr(0, slash)) || !isFraction(text.substr(slash + 3))
        || m_line.names.meaning(pair.name).kind == NameMeaning::Counter)
        return false;
    std::string_view behind = text.substr(slash + 3);
    const auto second = takeNumber(behind);
    if (!second || !behind.empty())
        return false;
    m_line.out.isLearnable = false; // what is learnt of a number has its total
    pair.total = 0;
    pair.assigned = pair.isFraction = true;
    pair.part = 1;
    m_line.noteText(LinePairs::Place::Value, text.substr(0, slash));
    m_line.addNoted(pair);
    pair.value = *second;
    pair.part = 2;
    m_line.noteText(LinePairs::Place::Value, text.substr(slash + 3));
    m_line.addNoted(pair);
    return true;
}

void ValueReader::leaveLimit(LinePair& pair, std::string_view from)
{
    const std::string_view text = m_line.readFrom(from);
    const size_t slash = text.find('/');
    if (pair.total <= 0 || slash == std::string_view::npos || !isFraction(text.substr(0, slash)))
        return;
    const NameMeaning meaning = m_line.names.meaning(pair.name);
    const bool isShare =
        meaning.quantity && meaning.quantity->kind == QLatin1String("accuracy"); // "acc: 8.5/10"
    if (meaning.kind == NameMeaning::Counter || isShare)
        return;
    pair.total = 0;
    m_line.out.isLearnable = false; // what is learnt of a number has its total
}

void ValueReader::takeLetterBehind(LinePair& pair)
{
    std::string_view at = m_line.rest;
    const bool isApart = skip(at, " ");
    if (pair.unit || pair.total > 0 || at.empty() || (at.size() > 1 && isWordCharacter(at[1])))
        return;
    if (at[0] == 'C' && pair.isFraction) {
        const NameMeaning meaning = m_line.names.meaning(pair.name);
        if (!meaning.quantity || meaning.quantity->id != QLatin1String("temperature"))
            return;
        pair.unit = m_line.names.unit("\u00b0C");
    } else {
        static constexpr std::string_view signs = "kmg";
        const size_t power = signs.find(static_cast<char>(at[0] | 0x20));
        if (isApart || power == std::string_view::npos || !m_line.names.meaning(pair.name).isSize())
            return;
        pair.value *= std::pow(1024.0, static_cast<double>(power + 1));
    }
    m_line.rest = at.substr(1);
    m_line.out.isLearnable = false;
}

bool ValueReader::takePower(LinePair& pair)
{
    constexpr double mostBits = 62;
    std::string_view at = m_line.rest;
    const std::string_view sign = at.substr(std::min<size_t>(1, at.size()));
    if (at.empty() || !isDigit(at[0]) || (!sign.starts_with('^') && !sign.starts_with("**")))
        return false;
    m_line.out.isLearnable = false; // "3^4" is none, and neither is "2^99"
    if (!skip(at, "2^") && !skip(at, "2**"))
        return false;
    skipSpaces(at);
    const auto exponent = takeWholeCount(at);
    if (!exponent || *exponent > mostBits)
        return false;
    pair.value = std::exp2(*exponent);
    std::string_view behind = at;
    skipSpaces(behind);
    if (skip(behind, "=")) {
        skipSpaces(behind);
        if (takeWholeCount(behind) == pair.value)
            at = behind;
    }
    m_line.rest = at;
    return true;
}

bool ValueReader::readMean(const NameWords& words)
{
    if (m_line.rest.size() < 4 || m_line.rest[0] != '(' || !isDigit(m_line.rest[1]))
        return false;
    std::string_view at = m_line.rest.substr(1);
    const std::string_view from = at;
    LinePair pair{words.text};
    if (!takeValue(at, m_line.names, pair) || !at.starts_with(')') || pair.total > 0
        || !isFraction(from.substr(0, from.size() - at.size())))
        return false;
    m_line.rest = at;
    m_line.note(LinePairs::Place::Value, from);
    m_line.rest.remove_prefix(1);
    pair.isFraction = true;
    m_line.addNoted(pair);
    return true;
}

void ValueReader::takeUnitAtEnd(LinePair& pair)
{
    const std::string_view rest = trimmed(m_line.rest);
    if (pair.unit || pair.total > 0 || rest.empty() || rest.data() < m_line.rest.data() + 2)
        return;
    pair.unit = m_line.names.unit(rest);
    if (pair.unit)
        m_line.rest = {};
}

void ValueReader::skipMeanInColumns(const LinePair& pair)
{
    std::string_view at = m_line.rest;
    skipSpaces(at);
    const std::string_view from = at;
    if (m_line.out.count != 1 || m_line.out.strayWords > 0 || pair.assigned || !pair.isFraction
        || at.data() < m_line.rest.data() + 2 || !takeNumber(at) || !trimmed(at).empty()
        || !isFraction(from.substr(0, from.size() - at.size())))
        return;
    m_line.rest = at;
    m_line.note(LinePairs::Place::Value, from);
}

void ValueReader::skipOtherUnit(const LinePair& pair)
{
    static constexpr std::string_view units[] = {"GPa", "MPa", "kPa", "Pa", "kbar", "atm", "nm",
        "mm", "cm", "m", "km", "kg", "g", "mol", "rad", "deg", "dB", "V", "A", "T", "J", "kJ", "N",
        "Hz", "kHz", "GHz", "C", "au", "Bohr", "Ang", "Angstrom", "degC"};
    constexpr size_t longest = 16;
    if (!pair.assigned || !pair.isFraction || pair.unit || pair.total > 0
        || !m_line.rest.starts_with(' '))
        return;
    std::string_view at = m_line.rest.substr(1);
    size_t end = 0;
    while (end < at.size() && end <= longest
        && (isLetter(at[end]) || at[end] == '/' || at[end] == '^' || isDigit(at[end])))
        ++end;
    const std::string_view unit = at.substr(0, end);
    const bool ends =
        end == at.size() || (end > 0 && std::string_view(",;|)").find(at[end]) != at.npos);
    if (unit.empty() || !isLetter(unit[0]) || !ends || end > longest
        || (unit.find('/') == std::string_view::npos
            && std::find(std::begin(units), std::end(units), unit) == std::end(units)))
        return;
    m_line.rest = at.substr(end);
}

void ValueReader::skipMark()
{
    static constexpr std::string_view marks[] = {"~", "≈", "↓", "↑", "`", "$"};
    std::string_view at = m_line.rest;
    if (at.empty() || isDigit(at[0])
        || std::none_of(std::begin(marks), std::end(marks),
            [&at](std::string_view mark) { return skip(at, mark); }))
        return;
    skipSpaces(at);
    if (!at.empty() && (isDigit(at[0]) || at[0] == '-' || at[0] == '.'))
        m_line.rest = at;
}

bool ValueReader::skipClock()
{
    constexpr size_t datedStamp = 19;
    const std::string_view stamp = m_line.rest.substr(0, m_line.rest.find_first_of(" ,;|)]"));
    if (stamp.size() >= datedStamp && isTimeStamp(stamp)) {
        m_line.rest.remove_prefix(stamp.size());
        return true;
    }
    std::string_view at = m_line.rest; // "1 day, 8:02:35"
    if (takeWholeCount(at) && (skip(at, " days, ") || skip(at, " day, ")) && !at.empty()
        && isDigit(at[0]))
        m_line.rest = at;
    size_t end = 0;
    int colons = 0;
    while (end < m_line.rest.size() && (isDigit(m_line.rest[end]) || m_line.rest[end] == ':')) {
        if (m_line.rest[end] == ':'
            && (end == 0 || end + 2 >= m_line.rest.size() || !isDigit(m_line.rest[end + 1])
                || !isDigit(m_line.rest[end + 2])))
            return false;
        colons += m_line.rest[end] == ':' ? 1 : 0;
        ++end;
    }
    if (colons == 0 || colons > 2)
        return false;
    while (end < m_line.rest.size() && (isDigit(m_line.rest[end]) || m_line.rest[end] == '.'))
        ++end;
    m_line.rest.remove_prefix(end);
    return true;
}

bool ValueReader::skipSettings(std::string_view name)
{
    static constexpr std::string_view words[] = {
        "parameters", "params", "hyperparameters", "hparams", "config", "configuration"};
    if (!m_line.rest.starts_with('{')
        || std::none_of(std::begin(words), std::end(words),
            [name](std::string_view word) { return equalsIgnoringCase(name, word); }))
        return false;
    int depth = 0;
    size_t end = 0;
    for (; end < m_line.rest.size() && (end == 0 || depth > 0); ++end)
        depth += m_line.rest[end] == '{' ? 1 : m_line.rest[end] == '}' ? -1 : 0;
    m_line.rest.remove_prefix(end);
    if (m_line.rest.starts_with(". Best is ")) // another trial, which was read before
        m_line.rest = {};
    return true;
}

} // namespace slipway

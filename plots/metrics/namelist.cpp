// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/namelist.h"

#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t longestListedName = 30;

bool isListedName(std::string_view name)
{
    return !name.empty() && name.size() <= longestListedName && isLetter(name[0])
        && name.find_first_of("0123456789'\"()[]{}=|") == std::string_view::npos;
}

/// ":", "=>", "===>", "->"; no plain "=", for "x, y = 1, 2" is code.
bool skipAssignment(std::string_view& rest)
{
    const bool isColon = skip(rest, ":");
    size_t end = 0;
    while (end < rest.size() && (rest[end] == '=' || rest[end] == '-'))
        ++end;
    const bool isArrow = end > 0 && end < rest.size() && rest[end] == '>';
    if (isArrow)
        rest.remove_prefix(end + 1);
    skipSpaces(rest);
    return isColon || isArrow;
}

/// "m/s" behind "17.9 "
bool skipUnknownUnit(std::string_view& rest)
{
    constexpr size_t longestUnknown = 8;
    std::string_view at = rest;
    skipSpaces(at);
    size_t end = 0;
    while (end < at.size() && (isLetter(at[end]) || at[end] == '/' || at[end] == '^'))
        ++end;
    if (end == 0 || end > longestUnknown || (end < at.size() && at[end] != ','))
        return false;
    rest = at.substr(end);
    return true;
}

} // namespace

/// "mean/median reward 4.3/4.5": two words share what follows them, and the numbers.
bool NameList::takeTwo(std::string_view& rest, const MetricNames& names)
{
    const size_t slash = rest.substr(0, longestListedName).find('/');
    if (slash == std::string_view::npos || slash == 0)
        return false;
    const size_t digit = rest.substr(0, 2 * longestListedName).find_first_of("0123456789-+", slash);
    if (digit == std::string_view::npos || rest[digit - 1] != ' ')
        return false;
    const std::string_view left = trimmed(rest.substr(0, digit));
    const size_t behind = left.find(' ');
    if (behind == std::string_view::npos || slash > behind
        || left.find(':') != std::string_view::npos)
        return false;
    const std::string_view words[] = {
        left.substr(0, slash), left.substr(slash + 1, behind - slash - 1)};
    const std::string_view shared = trimmed(left.substr(behind));
    std::string_view at = rest.substr(digit);
    count = 2;
    set = {};
    for (size_t i = 0; i < count; ++i) {
        if (!isListedName(words[i]) || words[i].find('/') != std::string_view::npos)
            return false;
        pairs[i] = LinePair{shared};
        pairs[i].isListed = pairs[i].assigned = true;
        pairs[i].group = words[i];
    }
    m_separator = '/';
    if (!isListedName(shared) || shared.find('/') != std::string_view::npos
        || !readNumbers(at, m_separator, names) || !pairs[0].isFraction || !pairs[1].isFraction)
        return false;
    rest = at;
    return true;
}

bool NameList::take(std::string_view& rest, const MetricNames& names)
{
    if (takeTwo(rest, names))
        return true;
    static constexpr ByteSet signs(":=");
    const size_t end = std::min(signs.firstIn(rest), rest.find("->"));
    if (end == std::string_view::npos || end + 1 >= rest.size())
        return false;
    const std::string_view left = trimmed(rest.substr(0, end));
    const char separator = left.find(',') != std::string_view::npos ? ',' : '/';
    if (left.find(separator) == std::string_view::npos)
        return false;
    std::string_view at = rest.substr(end);
    if (!skipAssignment(at) || !readNames(left, separator, names)
        || !readNumbers(at, separator, names))
        return false;
    rest = at;
    m_separator = separator;
    return true;
}

bool NameList::readNames(std::string_view left, char separator, const MetricNames& names)
{
    count = 0;
    set = {};
    for (;;) {
        const size_t end = left.find(separator);
        const std::string_view name = trimmed(left.substr(0, end));
        if (!isListedName(name) || count == most)
            return false;
        if (count == 0 && set.empty() && separator == ',' && names.set(name)) {
            set = name;
        } else {
            pairs[count] = LinePair{name};
            pairs[count].isListed = true;
            pairs[count++].assigned = true;
        }
        if (end == std::string_view::npos)
            return count >= 2 && (separator == ',' || count == 2 || areShort());
        left.remove_prefix(end + 1);
    }
}

/// "r/w/o: 645.10/662.11/90.01"
bool NameList::areShort() const
{
    constexpr size_t fewLetters = 8, mostShort = 4;
    return count <= mostShort
        && std::all_of(pairs.begin(), pairs.begin() + static_cast<long>(count),
            [](const LinePair& pair) { return pair.name.size() <= fewLetters; });
}

bool NameList::readNumbers(std::string_view& rest, char separator, const MetricNames& names)
{
    bool haveUnits = true; // "18 m/s, 26 m/s": whole numbers are measurements then, too
    for (size_t i = 0; i < count; ++i) {
        if (i > 0 && !skip(rest, std::string_view(&separator, 1)))
            return false;
        skipSpaces(rest);
        const std::string_view from = rest;
        LinePair read = pairs[i];
        if (separator == ',') {
            if (!takeValue(rest, names, read) || read.total > 0)
                return false;
            haveUnits = (read.unit || skipUnknownUnit(rest)) && haveUnits;
        } else if (const auto value = takeNumber(rest)) {
            read.value = *value; // "0.5/0.7" is no share here
        } else {
            return false;
        }
        texts[i] = from.substr(0, from.size() - rest.size());
        read.isFraction = isFraction(texts[i]);
        pairs[i] = read;
        skipSpaces(rest);
    }
    // As many numbers as names. Counts in a list of two are as often a share: "used/total: 3/16".
    const bool hasFraction = std::any_of(pairs.begin(), pairs.begin() + static_cast<long>(count),
        [](const LinePair& pair) { return pair.isFraction; });
    skip(rest, ",");
    skipSpaces(rest);
    return (hasFraction || (separator == ',' && haveUnits))
        && (separator == ',' ? rest.empty() : rest.empty() || !isDigit(rest[0]));
}

} // namespace slipway

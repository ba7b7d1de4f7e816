// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/namewords.h"

#include "plots/metrics/linevalue.h"
#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr int mostWords = 10; ///< of a name

/// "(ms)" behind a name is its unit, "(train)" belongs to the name.
bool takeParentheses(std::string_view& at, NameWords& words, const MetricNames& names)
{
    const size_t end = behindParenthesis(at);
    if (end == std::string_view::npos || end < 3)
        return false;
    std::string_view inside = trimmed(at.substr(1, end - 2));
    const MetricUnit* unit = takeMetricUnit(inside, names);
    if (unit && (inside.empty() || inside.starts_with(','))) // "lat (ms,95%)"
        words.unit = unit;
    else if (!startsName(at[1]))
        return false;
    at.remove_prefix(end);
    return true;
}

/// "EvalErr[0]PerSample": one past the rest of the name, where an index stands within it.
size_t behindIndex(std::string_view text, size_t end)
{
    size_t digits = end + 1;
    while (digits < text.size() && isDigit(text[digits]))
        ++digits;
    if (end >= text.size() || text[end] != '[' || digits == end + 1 || digits + 1 >= text.size()
        || text[digits] != ']' || !isLetter(text[digits + 1]))
        return end;
    size_t behind = digits + 1;
    while (behind < text.size() && isNamePart(text[behind]))
        ++behind;
    return behind;
}

/// "|R|", "||r||_2", "||r(i)||/||b||": one past a norm or a quotient of two; 0: it is none.
size_t behindBars(std::string_view text)
{
    constexpr size_t longest = 24;
    size_t bars = 0;
    while (bars < text.size() && text[bars] == '|')
        ++bars;
    if (bars == 0 || bars > 2 || bars >= text.size() || !isLetter(text[bars]))
        return 0;
    const size_t close = text.substr(0, longest).find('|', bars);
    if (close == std::string_view::npos || text[close - 1] == ' '
        || text.substr(close, bars) != std::string_view("||", bars))
        return 0;
    size_t end = close + bars;
    if (end < text.size() && text[end] == '_') {
        while (end < text.size() && isNamePart(text[end]))
            ++end;
    }
    if (end < text.size() && text[end] == '/') { // "|r|/|b| ="
        const size_t other = behindBars(text.substr(end + 1));
        return other > 0 ? end + 1 + other : 0;
    }
    return end;
}

/// "(for one batch) at step 200: 1.6": words within a name, before those that say where it was
/// measured; 0: something else.
size_t behindRemark(std::string_view text)
{
    constexpr size_t longest = 40;
    const size_t close = text.substr(0, longest).find(')');
    if (close == std::string_view::npos || close < 2)
        return 0;
    const std::string_view inside = text.substr(1, close - 1), behind = text.substr(close + 1);
    const bool isPlace = behind.starts_with(" at ") || behind.starts_with(" after ");
    return isPlace
            && std::all_of(
                inside.begin(), inside.end(), [](char c) { return isLetter(c) || c == ' '; })
        ? close + 1
        : 0;
}

/// "rows (batch: 192.0s, 130178 rows/s)": numbers of their own stand in it, and no value behind it.
bool holdsNumbers(std::string_view parenthesis, std::string_view behind)
{
    skipSpaces(behind);
    if (!behind.empty() && (isDigit(behind[0]) || behind[0] == ':' || behind[0] == '='))
        return false;
    const auto isFree = [](char before, char c) {
        return isDigit(c) && (before == ' ' || before == ':' || before == '=');
    };
    return std::adjacent_find(parenthesis.begin(), parenthesis.end(), isFree) != parenthesis.end();
}

/// "Kinetic   Energy: 0.6": the spaces between two words of a name that stands in columns, of which
/// the last has the colon; 0: it is none.
size_t gapInName(std::string_view at)
{
    constexpr size_t widest = 5;
    const size_t gap = std::min(at.find_first_not_of(' '), at.size());
    size_t end = gap;
    while (end < at.size() && isLetter(at[end]))
        ++end;
    const bool isName = gap > 1 && gap <= widest && end > gap && end < at.size() && at[end] == ':';
    return isName ? gap : 0;
}

} // namespace

size_t behindExpression(std::string_view text)
{
    constexpr size_t longest = 24;
    const size_t close = text.substr(0, longest).find(')');
    if (close == std::string_view::npos || close < 3 || !isLetter(text[1]))
        return 0;
    const size_t sign = text.find_first_not_of(' ', close + 1);
    return sign != std::string_view::npos && text[sign] == '=' ? close + 1 : 0;
}

size_t behindNorm(std::string_view text)
{
    const size_t end = behindBars(text);
    const size_t sign = end > 0 ? text.find_first_not_of(' ', end) : std::string_view::npos;
    if (sign == std::string_view::npos)
        return 0;
    const bool isQuotient = text.substr(0, end).find("|/|") != std::string_view::npos;
    return text[sign] == '=' || text[sign] == ':' || (isQuotient && isDigit(text[sign])) ? end : 0;
}

size_t behindProduct(std::string_view text)
{
    constexpr size_t longest = 12;
    const size_t close = text.substr(0, longest).find('>');
    if (close == std::string_view::npos || close < 2 || !(isLetter(text[1]) || text[1] == '|'))
        return 0;
    const std::string_view inside = text.substr(1, close - 1);
    if (inside.find(',') == std::string_view::npos && inside.find(' ') != std::string_view::npos)
        return 0;
    const size_t sign = text.find_first_not_of(' ', close + 1);
    return sign != std::string_view::npos && text[sign] == '=' ? close + 1 : 0;
}

NameWords takeNameWords(std::string_view& rest, const MetricNames& names)
{
    std::string_view at = rest;
    NameWords words;
    for (;;) {
        const char* const start = at.data();
        size_t end = 0;
        while (end < at.size() && isNamePart(at[end]))
            ++end;
        end = end > 0 ? behindIndex(at, end)
                      : std::max({behindNorm(at), behindExpression(at), behindProduct(at)});
        at.remove_prefix(end);
        if (!at.empty() && at[0] == '(')
            takeParentheses(at, words, names);
        words.last = std::string_view(start, static_cast<size_t>(at.data() - start));
        words.text = std::string_view(rest.data(), static_cast<size_t>(at.data() - rest.data()));
        ++words.count;
        if (at.size() < 2 || at[0] != ' ')
            break;
        const bool isSet = words.count == 1 && words.last.ends_with('.')
            && names.set(words.last.substr(0, words.last.size() - 1));
        if (words.last.size() > 4 && words.last.ends_with('.') && isLetter(at[1]) && !isSet)
            break; // "done. Loss: 5.9"; "Avg. Loss" and "Train. Acc." are names
        const size_t open = std::min(at.find_first_not_of(' '), at.size() - 1);
        if (at[open] == '(' && !words.unit) { // "Kinetic energy    (eV) ="
            if (const size_t remark = behindRemark(at.substr(open))) {
                at.remove_prefix(open + remark + 1);
                continue;
            }
            std::string_view behind = at.substr(open);
            if (takeParentheses(behind, words, names)
                && !holdsNumbers(at.substr(open, at.size() - open - behind.size()), behind)) {
                at = behind;
                if (!words.unit)
                    words.qualified = rest.substr(0, rest.size() - at.size());
                break;
            }
            words.unit = nullptr;
            break;
        }
        if (const size_t gap = gapInName(at)) { // "Kinetic   Energy:"
            at.remove_prefix(gap);
            continue;
        }
        const bool isNumberOf = at.starts_with(" # of "); // "avg # of iterations"
        if (!isNumberOf && (!startsName(at[1]) || at[1] == '%') && behindNorm(at.substr(1)) == 0)
            break;
        const char c = at[1];
        if ((c == 'n' || c == 'N' || c == 'i' || c == 'I')) { // "loss nan"
            std::string_view number = at.substr(1);
            const bool word = takeNumber(number) && number.size() > 1 && number[0] == ' '
                && isLetter(number[1]); // "number of nan iterations"
            if (number.size() + 1 != at.size() && !word)
                break;
        }
        if (words.count >= mostWords || isWrapped(at.substr(1))) // "loss tensor(0.5)"
            break;
        at.remove_prefix(isNumberOf ? 3 : 1);
    }
    rest = at;
    return words;
}

} // namespace slipway

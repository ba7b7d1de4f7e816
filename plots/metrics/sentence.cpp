// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/sentence.h"

#include "plots/metrics/linevalue.h"
#include "plots/metrics/scan.h"
#include "plots/metrics/tablecells.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace slipway {

namespace {

constexpr size_t mostSentenceParts = 18;

/// A Latin, Greek or Cyrillic letter that is not of ASCII: two bytes, as "π".
bool isForeignLetter(std::string_view text)
{
    const auto first = static_cast<unsigned char>(text[0]);
    return text.size() > 1 && first >= 0xc3 && first <= 0xd3;
}

/// Whether the byte at `at` is one of such a letter.
bool isOfForeignLetter(std::string_view text, size_t at)
{
    return isForeignLetter(text.substr(at))
        || (at > 0 && isForeignLetter(text.substr(at - 1))
            && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
}

/// "0:00.30", "1:02:03.5" in seconds.
std::optional<double> takeClock(std::string_view& text)
{
    std::string_view rest = text;
    double seconds = 0;
    int parts = 0;
    for (;; ++parts) {
        const std::string_view from = rest;
        const auto value = parts == 0 ? takeWholeCount(rest) : takeNumber(rest);
        const size_t size = from.size() - rest.size();
        if (!value || (parts > 0 && (size < 2 || !(*value < 60) || (size > 2 && from[2] != '.'))))
            return {};
        seconds = seconds * 60 + *value;
        if (!skip(rest, ":"))
            break;
    }
    const bool isWhole = text.substr(0, text.size() - rest.size()).find('.') == text.npos;
    if (parts == 0 || parts > 2 || (parts == 1 && isWhole) // "threads 4:10"
        || (!rest.empty() && isWordCharacter(rest[0]))) // "05:18.14PM"
        return {};
    text = rest;
    return seconds;
}

/// "± 30.1 µs", "+/- 0.2" behind a number.
void skipSpread(std::string_view& text, const MetricNames& names)
{
    std::string_view rest = text;
    skipSpaces(rest);
    if (!skip(rest, "\xc2\xb1") && !skip(rest, "+/-") && !skip(rest, "+-"))
        return;
    skipSpaces(rest);
    if (!takeNumber(rest))
        return;
    skipSpaces(rest);
    takeMetricUnit(rest, names);
    text = rest;
}

/// "1,000,000", "1_000_000", "2^20", "2**20", "1e6", "1024": how many there are of something.
std::optional<double> takeCountOf(std::string_view& text)
{
    std::string_view rest = text;
    const std::string_view from = rest;
    auto value = takeWholeCount(rest);
    if (!value)
        return {};
    const size_t digits = from.size() - rest.size();
    const auto isGroup = [&rest] {
        return rest.size() >= 4 && (rest[0] == ',' || rest[0] == '_')
            && std::all_of(rest.begin() + 1, rest.begin() + 4, isDigit)
            && (rest.size() == 4 || !isDigit(rest[4]));
    };
    while (digits <= 3 && isGroup()) {
        value = *value * 1000 + wholeCount(rest.substr(1, 3)).value_or(0);
        rest.remove_prefix(4);
    }
    if (std::string_view power = rest; skip(power, "^") || skip(power, "**")) {
        const auto exponent = takeWholeCount(power);
        if (!exponent || *exponent > 60)
            return {};
        value = std::pow(*value, *exponent);
        rest = power;
    }
    if (!rest.empty() && (rest[0] == '.' || toLowerCase(rest[0]) == 'e')) {
        rest = from; // "1e6", "1.0e+06"
        value = takeNumber(rest);
        const bool isWhole = value && *value >= 1 && *value == std::floor(*value)
            && from.substr(0, from.size() - rest.size()).find_first_of("eE") != from.npos;
        if (!isWhole)
            return {};
    }
    text = rest;
    return value;
}

/// "16K" behind a whole number: memory is counted in powers of two.
double takeMultiple(std::string_view& text)
{
    static constexpr std::string_view signs = "KMG";
    const size_t power = text.empty() ? signs.npos : text[0] == 'k' ? 0 : signs.find(text[0]);
    if (power == signs.npos || (text.size() > 1 && isWordCharacter(text[1])))
        return 1;
    text.remove_prefix(1);
    return std::pow(1024.0, double(power + 1));
}

/// "2236.9 GFLOPS" at the start: then what stands before it is no name of it.
bool hasUnit(std::string_view text, const MetricNames& names)
{
    const bool isNumber = takeNumber(text).has_value();
    skipSpaces(text);
    return isNumber && takeMetricUnit(text, names);
}

/// "1024x1024", "96 x  96 x   64", "64 × 64": `value` is that of all if they are equal, else that
/// of the first.
bool takeProduct(std::string_view& text, SentencePart& part)
{
    std::string_view rest = text;
    std::array<double, 3> factors = {};
    size_t count = 0;
    do {
        if (count > 0)
            skipSpaces(rest);
        const auto factor = takeWholeCount(rest);
        if (!factor || *factor < 1 || count == factors.size())
            return false;
        factors[count++] = *factor;
        std::string_view sign = rest;
        skipSpaces(sign);
        if (!skip(sign, "x") && !skip(sign, "×") && !skip(sign, "X"))
            break;
        rest = sign;
    } while (!rest.empty());
    if (count < 2 || (!rest.empty() && (isWordCharacter(rest[0]) || rest[0] == '.')))
        return false;
    part.isProduct = part.isCount = true;
    part.value = factors[0];
    part.factors = factors;
    text = rest;
    return true;
}

/// Takes a number with its unit; false: it is something else that begins with a digit.
bool takeNumberPart(std::string_view& text, const MetricNames& names, SentencePart& part)
{
    const std::string_view from = text;
    const auto behindDigits = std::find_if_not(text.begin(), text.end(), isDigit);
    const char sign = behindDigits != text.end() ? *behindDigits : ' ';
    if (sign == ':')
        part.value = takeClock(text);
    else if (isLetter(sign))
        part.value = takeDuration(text); // "0m4.021s"
    if (part.value) {
        part.unit = names.unit("s");
        part.text = from.substr(0, from.size() - text.size());
        return true;
    }
    if (const auto size = table::takeSizeOfAll(text)) {
        std::string_view product = from;
        if (!takeProduct(product, part)) // of more factors
            part.isProduct = part.isCount = true;
        part.value = size;
    } else if (!takeProduct(text, part)) {
        part.value = takeCountOf(text);
        part.isCount = part.value.has_value();
    }
    if (!part.value)
        part.value = takeNumber(text);
    if (part.isCount)
        part.multiple = takeMultiple(text);
    part.text = from.substr(0, from.size() - text.size());
    if (!part.value)
        return false;
    if (part.isProduct)
        return true;
    part.isFactor = skip(text, "x");
    if (part.isFactor)
        return text.empty() || !isWordCharacter(text[0]);
    std::string_view behind = text;
    skipSpaces(behind);
    const MetricUnit* unit = takeMetricUnit(behind, names);
    if (const size_t colon = std::min(behind.find(':'), behind.size()); !unit && colon > 0) {
        unit = names.unit(behind.substr(0, colon)); // "size 2048 KB: …"
        if (unit && unit->unit != QLatin1String("B"))
            unit = nullptr;
        behind.remove_prefix(unit ? colon : 0);
    }
    std::string_view next = behind;
    skipSpaces(next);
    if (!unit || (!next.empty() && isDigit(next[0]) && !hasUnit(next, names)))
        return true; // "size 100 seconds 0.5": a name
    part.unit = unit;
    text = behind;
    skipSpread(text, names);
    return true;
}

/// What %timeit, timeit and @btime print around a time: "2.31 ms ± 30.1 µs per loop (mean ± std.
/// dev. of 7 runs, 100 loops each)", "100 loops, best of 5: 2.31 msec per loop", "1.234 ms (2
/// allocations: 128.05 KiB)".
std::string_view withoutRemarks(std::string_view text)
{
    if (text.ends_with(" per loop") || text.ends_with(" each)")) {
        text = text.substr(0, text.find(" per loop"));
        if (const size_t best = text.find(" loops, best of "); best != std::string_view::npos)
            text.remove_prefix(std::min(text.find(": ", best), text.size()));
        return text;
    }
    const size_t open = text.ends_with(')') ? text.rfind('(') : std::string_view::npos;
    std::string_view inside = text.substr(std::min(open, text.size() - 1) + 1);
    return takeWholeCount(inside) && inside.starts_with(" allocation") ? text.substr(0, open)
                                                                       : text;
}

/// "input/ellipse_N_03000.gal", "/scratch/me/out": the bytes of a path at the start; 0: none.
size_t pathSize(std::string_view text)
{
    size_t size = 0, slashes = 0, slash = 0;
    for (; size < text.size() && text[size] != ' ' && text[size] != ',' && text[size] != '\t';
         ++size) {
        slashes += text[size] == '/' ? 1 : 0;
        slash = text[size] == '/' ? size : slash;
    }
    text = text.substr(0, size);
    const bool isPath = slashes > 1 || text.starts_with('/') || text.starts_with("./")
        || text.starts_with("~/") || text.starts_with("../")
        || (slashes == 1 && text.find('.', slash) != std::string_view::npos);
    return isPath && slashes > 0 && text.size() > 1 ? size : 0;
}

/// "(GB/s)", "(CPU/GPU)": what stands in parentheses at the start, with a slash and without
/// numbers.
std::string_view inParentheses(std::string_view text)
{
    constexpr size_t longest = 24;
    if (text[0] != '(' && text[0] != '[')
        return {};
    const size_t close = text.substr(0, longest).find_first_of(")]");
    if (close == std::string_view::npos)
        return {};
    const std::string_view inside = text.substr(1, close - 1);
    const bool isQuotient = inside.find('/') != std::string_view::npos
        && std::none_of(inside.begin(), inside.end(), isDigit);
    return isQuotient ? inside : std::string_view();
}

/// "(64, 64)", "[1024, 1024]" at the start: as large in each dimension.
bool takeShape(std::string_view& text, SentencePart& part)
{
    if (text[0] != '(' && text[0] != '[')
        return false;
    std::string_view at = text.substr(1);
    const auto size = takeWholeCount(at);
    const std::string_view first = text.substr(1, text.size() - 1 - at.size());
    int dimensions = 1;
    while (size && skip(at, ",")) {
        skip(at, " ");
        if (!skip(at, first))
            return false;
        ++dimensions;
    }
    if (dimensions < 2 || at.empty() || at[0] != (text[0] == '(' ? ')' : ']'))
        return false;
    part.value = size;
    part.isProduct = part.isCount = true;
    part.text = text.substr(0, text.size() - at.size() + 1);
    text = at.substr(1);
    return true;
}

/// The words behind the last number: the name of a path says nothing of a measurement.
void passName(std::vector<SentencePart>& parts)
{
    for (auto part = parts.rbegin(); part != parts.rend() && !part->value; ++part)
        part->isUsed = true;
}

} // namespace

bool splitSentence(
    std::string_view text, const MetricNames& names, std::vector<SentencePart>& parts)
{
    static constexpr auto isBetween = [] {
        std::array<bool, 256> table{};
        for (const char c : std::string_view(" \t:=,;.()[]|>-#"))
            table[static_cast<unsigned char>(c)] = true;
        return table;
    }();
    parts.clear();
    if (!text.empty())
        text = withoutRemarks(text);
    const bool hasSlash = text.find('/') != std::string_view::npos;
    while (!text.empty()) {
        SentencePart part;
        const bool isWord = isLetter(text[0]) || text[0] == '_' || isForeignLetter(text);
        const bool mayBePath =
            hasSlash && (isWord || text[0] == '/' || text[0] == '.' || text[0] == '~');
        if (const size_t path = mayBePath ? pathSize(text) : 0; path > 0) {
            passName(parts);
            text.remove_prefix(path);
            continue;
        }
        const bool isShape = takeShape(text, part);
        const bool isTimes =
            !isShape && text[0] == 'x' && text.size() > 1 && isDigit(text[1]); // "x7.34"
        if (isShape) {
            // taken
        } else if (isTimes && (parts.empty() || !parts.back().value)) {
            text.remove_prefix(1);
            if (!takeNumberPart(text, names, part) || part.unit)
                return false;
            part.isFactor = true;
        } else if (const std::string_view inside =
                       hasSlash ? inParentheses(text) : std::string_view();
                   !inside.empty()) {
            text.remove_prefix(inside.size() + 2);
            if (!names.unit(inside))
                continue;
            part.text = inside;
        } else if (isWord) {
            size_t end = 1;
            while (end < text.size()
                && (isWordCharacter(text[end]) || text[end] == '-' || isOfForeignLetter(text, end)))
                ++end;
            part.text = text.substr(0, end);
            text.remove_prefix(end);
            part.isPlural = skip(text, "(s)");
        } else if (isDigit(text[0])) {
            if (!takeNumberPart(text, names, part))
                return false;
        } else if (text.starts_with("/ ") && !parts.empty() && parts.back().unit) {
            text.remove_prefix(1); // "0.007 s / 35.2 GFLOPS"
            continue;
        } else if (text.starts_with("{}")) {
            text.remove_prefix(2); // "synchronized {} with 4 threads"
            continue;
        } else if (text.starts_with("≈") || text.starts_with("→")) {
            text.remove_prefix(3); // "pi ≈ 3.129"
            continue;
        } else if (!isBetween[static_cast<unsigned char>(text[0])]
            || (text[0] == '-' && text.size() > 1 && isDigit(text[1]))) {
            return false;
        } else {
            text.remove_prefix(1);
            continue;
        }
        if (parts.size() == mostSentenceParts)
            return false;
        parts.push_back(part);
    }
    return true;
}

namespace {

constexpr size_t mostListed = 4;

/// "M N K", "m, n": letters that name one number each; how many, 0 for anything else.
size_t takeLetters(std::string_view names, std::array<char, mostListed>& letters)
{
    size_t count = 0;
    for (size_t i = 0; i < names.size(); ++i) {
        const bool isAlone =
            isLetter(names[i]) && (i + 1 == names.size() || !isLetter(names[i + 1]));
        if (isAlone && count < letters.size())
            letters[count++] = names[i];
        else if (names[i] != ' ' && names[i] != ',')
            return 0;
    }
    return count > 1 ? count : 0;
}

/// Takes numbers with nothing but spaces between them; how many.
size_t takeList(std::string_view& text, std::array<std::string_view, mostListed>& numbers)
{
    size_t count = 0;
    for (std::string_view rest = text; count < numbers.size(); ++count) {
        skipSpaces(rest);
        const std::string_view from = rest;
        if (!takeNumber(rest) || (!rest.empty() && rest[0] != ' ' && rest[0] != ','))
            break;
        numbers[count] = from.substr(0, from.size() - rest.size());
        text = rest;
        if (rest.starts_with(','))
            return count + 1;
    }
    return count;
}

} // namespace

std::string_view withoutLists(std::string_view text, std::string& made)
{
    made.clear();
    size_t taken = 0; // of the text
    for (size_t sign = text.find('='); sign != text.npos; sign = text.find('=', sign + 1)) {
        std::string_view behind = text.substr(sign + 1);
        std::array<std::string_view, mostListed> numbers;
        const size_t count = takeList(behind, numbers);
        if (count < 2)
            continue;
        const size_t comma = text.rfind(',', sign);
        std::array<char, mostListed> letters{};
        size_t begin = taken;
        if (takeLetters(text.substr(begin, sign - begin), letters) != count && comma != text.npos)
            begin = std::max(begin, comma + 1);
        const bool areNamed = takeLetters(text.substr(begin, sign - begin), letters) == count;
        const auto isFraction = [](auto number) { return number.find('.') != number.npos; };
        if (!areNamed && !std::all_of(numbers.begin(), numbers.begin() + count, isFraction))
            continue; // "N = 16 1.5 ms"
        made += text.substr(taken, begin - taken);
        for (size_t i = 0; areNamed && i < count; ++i)
            made.append(1, letters[i]).append("=").append(numbers[i]).append(" ");
        taken = text.size() - behind.size();
        if (!areNamed) { // with the comma behind it
            taken = std::min(text.find(',', taken), text.size());
            taken += taken < text.size() ? 1 : 0;
        }
        sign = std::max(sign, taken == 0 ? 0 : taken - 1);
    }
    if (taken == 0)
        return text;
    made += text.substr(taken);
    return made;
}

} // namespace slipway

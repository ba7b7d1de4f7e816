// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/scan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace slipway {

namespace {

/// Characters that may follow the digits of a number; anything else means that it was part of
/// something else.
bool endsNumber(std::string_view rest)
{
    if (rest.empty())
        return true;
    const bool digitFollows = rest.size() > 1 && isDigit(rest[1]);
    switch (rest[0]) {
    case '.':
    case ':':
    case ',':
    case '-':
        return !digitFollows;
    case '_':
        return false;
    default:
        return true;
    }
}

std::optional<double> takeWordNumber(std::string_view& rest)
{
    std::string_view at = rest;
    const bool negative = skip(at, "-");
    const auto word = [&](std::string_view name) {
        return startsWithIgnoringCase(at, name)
            && (at.size() == name.size() || !isWordCharacter(at[name.size()]));
    };
    double value = 0;
    size_t length = 3;
    if (word("nan")) {
        value = std::nan("");
    } else if (word("inf")) {
        value = INFINITY;
    } else if (word("infinity")) {
        value = INFINITY;
        length = 8;
    } else {
        return {};
    }
    rest = at.substr(length);
    return negative ? -value : value;
}

constexpr size_t mostExactDigits = 15;
constexpr double powersOfTen[mostExactDigits + 1] = {
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/// "112", "0.7057", "95.": most numbers of a log are short and without an exponent. Both the digits
/// and the power of ten are exact doubles then, so their quotient is the nearest one.
std::optional<double> takeShortDecimal(std::string_view& at)
{
    const char* end = at.data();
    const char* const stop = end + at.size();
    const bool negative = end < stop && *end == '-';
    end += negative ? 1 : 0;
    uint64_t digits = 0; // what does not fit into it is of no use below
    const auto takeDigits = [&] {
        const char* const first = end;
        for (; end < stop && isDigit(*end); ++end)
            digits = digits * 10 + static_cast<uint64_t>(*end - '0');
        return static_cast<size_t>(end - first);
    };
    size_t count = takeDigits(), fraction = 0;
    if (count > 0 && end < stop && *end == '.') {
        ++end;
        fraction = takeDigits();
        count += fraction;
    }
    if (count == 0 || count > mostExactDigits || (end < stop && (*end == 'e' || *end == 'E')))
        return {};
    at.remove_prefix(static_cast<size_t>(end - at.data()));
    const double value = static_cast<double>(digits) / powersOfTen[fraction];
    return negative ? -value : value;
}

} // namespace

/// "0.6798D+10", "1.000D-04": Fortran's double precision.
Q_NEVER_INLINE std::optional<double> takeFortran(std::string_view& at)
{
    size_t mantissa = !at.empty() && at[0] == '-' ? 1 : 0;
    bool point = false;
    for (; mantissa < at.size() && (isDigit(at[mantissa]) || (at[mantissa] == '.' && !point));
         ++mantissa)
        point = point || at[mantissa] == '.';
    size_t end = mantissa + 2;
    while (end < at.size() && end < mantissa + 5 && isDigit(at[end]))
        ++end;
    if (!point || end < mantissa + 4 || mantissa > 40 || (end < at.size() && isDigit(at[end])))
        return {};
    char text[48];
    std::copy_n(at.begin(), end, text);
    text[mantissa] = 'e';
    if (text[mantissa + 1] == '+') // which from_chars does not read
        std::copy(text + mantissa + 2, text + end, text + mantissa + 1);
    const size_t size = at[mantissa + 1] == '+' ? end - 1 : end;
    double value = 0;
    const auto [stop, error] = std::from_chars(text, text + size, value);
    if (error != std::errc() || stop != text + size)
        return {};
    at.remove_prefix(end);
    return value;
}

/// Whether that may stand here: behind the digits comes "D+" or "D-".
bool mayBeFortran(std::string_view behind)
{
    return behind.size() > 2 && (behind[0] == 'D' || behind[0] == 'd')
        && (behind[1] == '+' || behind[1] == '-') && isDigit(behind[2]);
}

/// "0.24415228f0", "1.0f-5": Julia's single precision. The power of ten behind the digits; 0: none.
Q_NEVER_INLINE int takeJulia(std::string_view& at)
{
    std::string_view digits = at.substr(1);
    const bool minus = skip(digits, "-");
    const auto power = takeWholeCount(digits);
    if (!power || *power > 99)
        return 0;
    at = digits;
    return static_cast<int>(minus ? -*power : *power);
}

/// A number with a letter behind its digits: "0.68D+10", "0.24f0"; "0x1f" is none.
std::optional<double> takeLettered(std::string_view whole, std::string_view& at, double value)
{
    if (mayBeFortran(at)) {
        at = whole;
        return takeFortran(at);
    }
    if (at.size() > 1 && at[0] == 'f' && (isDigit(at[1]) || at[1] == '-')
        && whole.substr(0, whole.size() - at.size()).find('.') != std::string_view::npos)
        return value * std::pow(10, takeJulia(at));
    if (at.size() > 1 && (at[0] == 'x' || at[0] == 'X') && isDigit(at[1]))
        return {};
    return value;
}

std::optional<double> takeNumber(std::string_view& rest)
{
    std::string_view at = rest;
    if (skip(at, "+") && (at.empty() || at[0] == '-'))
        return {};
    const size_t sign = !at.empty() && at[0] == '-' ? 1 : 0;
    if (at.size() <= sign
        || (!isDigit(at[sign]) && at[sign] != '.')) // from_chars also reads "nan(x)"
        return takeWordNumber(rest);
    double value = 0;
    const std::string_view whole = at;
    if (const auto decimal = takeShortDecimal(at)) {
        value = *decimal;
    } else {
        const auto [end, error] = std::from_chars(at.data(), at.data() + at.size(), value);
        if (error != std::errc())
            return {};
        at.remove_prefix(static_cast<size_t>(end - at.data()));
    }
    if (!at.empty() && isLetter(at[0])) {
        const auto lettered = takeLettered(whole, at, value);
        if (!lettered)
            return {};
        value = *lettered;
    }
    if (!endsNumber(at))
        return {};
    rest = at;
    return value;
}

DecimalForm DecimalForm::of(std::string_view text)
{
    DecimalForm form;
    form.isNegative = skip(text, "-");
    const size_t point = std::min(text.find('.'), text.size());
    form.digits = text.size() - (point < text.size() ? 1 : 0);
    form.fraction = form.digits - point;
    const auto mayStand = [](char c) { return isDigit(c) || c == '.'; };
    if (point == 0 || form.digits > mostExactDigits
        || !std::all_of(text.begin(), text.end(), mayStand)
        || std::count(text.begin(), text.end(), '.') > 1)
        return {};
    return form;
}

double DecimalForm::read(const char* text) const
{
    text += isNegative ? 1 : 0;
    uint64_t value = 0;
    for (size_t i = 0; i < digits - fraction; ++i)
        value = value * 10 + static_cast<uint64_t>(*text++ - '0');
    text += fraction > 0 ? 1 : 0;
    for (size_t i = 0; i < fraction; ++i)
        value = value * 10 + static_cast<uint64_t>(*text++ - '0');
    const double number = static_cast<double>(value) / powersOfTen[fraction];
    return isNegative ? -number : number;
}

std::optional<double> wholeNumber(std::string_view text)
{
    text = trimmed(text);
    const auto value = takeNumber(text);
    return text.empty() ? value : std::nullopt;
}

std::optional<double> wholeCount(std::string_view text)
{
    if (text.empty() || text.size() > 15)
        return {};
    double value = 0;
    for (char c : text) {
        if (!isDigit(c))
            return {};
        value = value * 10 + (c - '0');
    }
    return value;
}

std::optional<double> clockTime(std::string_view cell)
{
    double seconds = 0;
    int parts = 0;
    while (!cell.empty() && parts < 3) {
        const size_t end = std::min(cell.find(':'), cell.size());
        const auto part = wholeCount(cell.substr(0, end));
        if (!part || end > 4)
            return {};
        seconds = seconds * 60 + *part;
        ++parts;
        cell.remove_prefix(std::min(cell.size(), end + 1));
    }
    return parts > 1 && cell.empty() ? std::optional(seconds) : std::nullopt;
}

bool isOneOf(std::string_view word, std::span<const std::string_view> words)
{
    return std::any_of(words.begin(), words.end(),
        [word](std::string_view known) { return equalsIgnoringCase(word, known); });
}

std::string_view takeWord(std::string_view& rest)
{
    skipSpaces(rest);
    size_t end = 0;
    while (end < rest.size() && !isSpace(rest[end]))
        ++end;
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

QString labelText(std::string_view utf8, size_t most)
{
    if (utf8.size() > most) {
        while (most > 0 && (static_cast<unsigned char>(utf8[most]) & 0xc0) == 0x80)
            --most;
        utf8 = utf8.substr(0, most);
    }
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/scan.h"

#include <charconv>
#include <cmath>

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

} // namespace

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
    const auto [end, error] = std::from_chars(at.data(), at.data() + at.size(), value);
    if (error != std::errc())
        return {};
    at.remove_prefix(static_cast<size_t>(end - at.data()));
    if (!endsNumber(at))
        return {};
    if (at.size() > 1 && (at[0] == 'x' || at[0] == 'X') && isDigit(at[1]))
        return {};
    rest = at;
    return value;
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

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <optional>
#include <string_view>

namespace slipway {

/// Small parsing functions shared by the recognisers. Recognition is the hot path of a fast log, so
/// none of them allocates or compiles an expression, and what each recogniser calls for each line
/// is inline.

/// What is kept for each rank is kept for so many: a malicious log must not grow the maps.
constexpr size_t manyRanks = 4096;

constexpr bool isSpace(char c)
{
    return c == ' ' || c == '\t';
}
inline std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}
constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
constexpr bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool isWordCharacter(char c)
{
    return isLetter(c) || isDigit(c) || c == '_';
}
constexpr char toLowerCase(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
inline bool startsWithIgnoringCase(std::string_view text, std::string_view lowerCase)
{
    if (text.size() < lowerCase.size())
        return false;
    for (size_t i = 0; i < lowerCase.size(); ++i) {
        if (toLowerCase(text[i]) != lowerCase[i])
            return false;
    }
    return true;
}
inline bool equalsIgnoringCase(std::string_view text, std::string_view lowerCase)
{
    return text.size() == lowerCase.size() && startsWithIgnoringCase(text, lowerCase);
}

/// Removes the prefix, if present.
inline bool skip(std::string_view& rest, std::string_view prefix)
{
    if (!rest.starts_with(prefix))
        return false;
    rest.remove_prefix(prefix.size());
    return true;
}
inline void skipSpaces(std::string_view& rest)
{
    while (!rest.empty() && isSpace(rest.front()))
        rest.remove_prefix(1);
}

/// Reads a number at the start: decimal, exponent, "nan", "inf". Removes it from `rest`. Not a
/// number: what continues as a word, a time, a version, an address or a thousands group
/// ("0x1f", "12:30", "2.4.1", "10.0.0.1", "1,234"), and what no double can represent. A unit
/// directly after it ("95%", "62s") stays in `rest`.
std::optional<double> takeNumber(std::string_view& rest);

/// Whether the whole text is one number.
std::optional<double> wholeNumber(std::string_view text);

/// Whether the whole text is a count: digits only, below 2^53.
std::optional<double> wholeCount(std::string_view text);

/// Removes the next word and the spaces before it; empty at the end.
std::string_view takeWord(std::string_view& rest);

/// Text for a label: at most `most` bytes, cut at a character boundary.
QString labelText(std::string_view utf8, size_t most = 200);

} // namespace slipway

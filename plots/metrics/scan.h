// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace slipway {

/// Small parsing functions shared by the recognisers. Recognition is the hot path of a fast log, so
/// none of them allocates or compiles an expression, and what each recogniser calls for each line
/// is inline.

/// What is kept for each rank is kept for so many: a malicious log must not grow the maps.
constexpr size_t manyRanks = 4096;

/// What a byte is, one bit for each kind: one look instead of many comparisons.
namespace bytekind {
constexpr uint8_t digit = 1, letter = 2, underscore = 4;
constexpr uint8_t greek = 8; ///< the first byte of such a letter, in UTF-8
constexpr uint8_t joiner = 16; ///< within a name: "val/acc", "acc@1", "f1-score", "step.loss"
constexpr uint8_t mark = 32; ///< within a name as some programs write it: %, ', +
constexpr uint8_t beyond = 64; ///< beyond ASCII
constexpr uint8_t within = 128; ///< a byte of a letter beyond ASCII that is not its first

constexpr std::array<uint8_t, 256> table = [] {
    std::array<uint8_t, 256> kinds{};
    for (size_t i = 0; i < kinds.size(); ++i) {
        const bool isLetter = (i >= 'a' && i <= 'z') || (i >= 'A' && i <= 'Z');
        kinds[i] = i >= 0x80 && i < 0xc0                   ? uint8_t(beyond | within)
            : i == 0xce || i == 0xcf                       ? uint8_t(beyond | greek)
            : i >= 0x80                                    ? beyond
            : i >= '0' && i <= '9'                         ? digit
            : isLetter                                     ? letter
            : i == '_'                                     ? underscore
            : i == '.' || i == '/' || i == '@' || i == '-' ? joiner
            : i == '%' || i == '\'' || i == '+'            ? mark
                                                           : uint8_t(0);
    }
    return kinds;
}();
} // namespace bytekind

constexpr bool isOfKind(char c, uint8_t kinds)
{
    return (bytekind::table[static_cast<unsigned char>(c)] & kinds) != 0;
}
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
    return isOfKind(c, bytekind::letter);
}
/// Whether the text begins with a Greek letter, of two bytes.
constexpr bool isGreek(std::string_view text)
{
    return text.size() >= 2 && isOfKind(text[0], bytekind::greek)
        && isOfKind(text[1], bytekind::within);
}
constexpr bool isWordCharacter(char c)
{
    return isOfKind(c, bytekind::letter | bytekind::digit | bytekind::underscore);
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

/// Some bytes, which are looked for in a text with one look at each of its bytes.
class ByteSet {
public:
    constexpr explicit ByteSet(std::string_view bytes)
    {
        for (const char c : bytes)
            m_has[static_cast<unsigned char>(c)] = true;
    }
    constexpr bool has(char c) const { return m_has[static_cast<unsigned char>(c)]; }

    /// npos: there is none.
    size_t firstIn(std::string_view text, size_t from = 0) const
    {
        while (from < text.size() && !has(text[from]))
            ++from;
        return from < text.size() ? from : std::string_view::npos;
    }
    size_t firstNotIn(std::string_view text, size_t from = 0) const
    {
        while (from < text.size() && has(text[from]))
            ++from;
        return from < text.size() ? from : std::string_view::npos;
    }
    size_t lastNotIn(std::string_view text) const
    {
        size_t end = text.size();
        while (end > 0 && has(text[end - 1]))
            --end;
        return end - 1; // npos behind 0
    }

private:
    std::array<bool, 256> m_has{};
};

/// Removes the prefix, if present.
inline bool skip(std::string_view& rest, std::string_view prefix)
{
    if (!rest.starts_with(prefix))
        return false;
    rest.remove_prefix(prefix.size());
    return true;
}
inline bool startsWithOneOf(
    std::string_view text, std::initializer_list<std::string_view> beginnings)
{
    for (const std::string_view beginning : beginnings) {
        if (text.starts_with(beginning))
            return true;
    }
    return false;
}
inline void skipSpaces(std::string_view& rest)
{
    while (!rest.empty() && isSpace(rest.front()))
        rest.remove_prefix(1);
}

/// Reads a number at the start: decimal, exponent (Fortran's "1.0D-04", too), "nan", "inf". Removes
/// it from `rest`. Not a number: what continues as a word, a time, a version, an address or a
/// thousands group
/// ("0x1f", "12:30", "2.4.1", "10.0.0.1", "1,234"), and what no double can represent. A unit
/// directly after it ("95%", "62s") stays in `rest`.
std::optional<double> takeNumber(std::string_view& rest);

/// DecimalForm is where the digits of a number without an exponent stand: "-0.7057". Another number
/// of the same form has its digits in the same places, and is read without looking for them.
struct DecimalForm {
    size_t digits = 0; ///< 0: the text is no such number, or longer than a double is exact
    size_t fraction = 0; ///< of them, those behind the point
    bool isNegative = false;

    static DecimalForm of(std::string_view text);
    /// As takeNumber() reads it.
    double read(const char* text) const;
};

/// Whether the whole text is one number.
std::optional<double> wholeNumber(std::string_view text);

/// Whether the whole text is a count: digits only, below 2^53.
std::optional<double> wholeCount(std::string_view text);
/// Takes the digits at the beginning: "277" of "277: text". None: there are none, or too many.
inline std::optional<double> takeWholeCount(std::string_view& rest)
{
    size_t digits = 0;
    while (digits < rest.size() && isDigit(rest[digits]))
        ++digits;
    const auto value = wholeCount(rest.substr(0, digits));
    rest.remove_prefix(digits);
    return value;
}

/// "0:12", "1:02:03" in seconds, all of the text.
std::optional<double> clockTime(std::string_view cell);

/// Removes the next word and the spaces before it; empty at the end.
std::string_view takeWord(std::string_view& rest);

/// Letter case apart.
bool isOneOf(std::string_view word, std::span<const std::string_view> words);
inline bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return isOneOf(word, std::span(words.begin(), words.size()));
}

/// Text for a label: at most `most` bytes, cut at a character boundary.
QString labelText(std::string_view utf8, size_t most = 200);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/linefilter.h"

#include "plots/metrics/lineprefix.h"
#include "plots/metrics/scan.h"

#include <algorithm>
#include <bit>
#include <string>

namespace slipway {

namespace {

size_t indexOf(char byte)
{
    return static_cast<unsigned char>(byte);
}

/// The pairs of adjacent bytes in a text. A word is not in the text where one of its pairs is
/// missing, as the first one of most words is; a pair may be taken for another one.
class BytePairs {
    static constexpr size_t size = 1024;

public:
    explicit BytePairs(std::string_view text)
    {
        for (size_t i = 0; i + 1 < text.size(); ++i)
            m_held[slotOf(text, i)] = true;
    }
    bool mayHold(std::string_view word) const
    {
        for (size_t i = 0; i + 1 < word.size(); ++i) {
            if (!m_held[slotOf(word, i)])
                return false;
        }
        return true;
    }

private:
    static size_t slotOf(std::string_view text, size_t i)
    {
        return (indexOf(text[i]) * 37 + indexOf(text[i + 1])) % size;
    }

    std::array<bool, size> m_held{};
};

/// "cores", "num_cores", "numCores" and "ncores", which MetricNames takes for names of a size, not
/// "scores". `lowerCase`: the line.
bool hasName(std::string_view line, std::string_view lowerCase, std::string_view name)
{
    for (size_t at = lowerCase.find(name); at != lowerCase.npos;
         at = lowerCase.find(name, at + 1)) {
        size_t begin = at;
        while (begin > 0 && isLetter(line[begin - 1]))
            --begin;
        const bool isCamel =
            at > begin && line[at] != lowerCase[at] && line[at - 1] == lowerCase[at - 1];
        if (at == begin || !isLetter(line[at]) || isCamel
            || lowerCase.substr(begin, at - begin) == "n")
            return true;
    }
    return false;
}

} // namespace

uint8_t LineFilter::bitOf(char byte)
{
    uint8_t& bit = m_bits[indexOf(byte)];
    if (bit == 0 && m_bitCount < 8)
        bit = static_cast<uint8_t>(1u << m_bitCount++);
    return bit;
}

void LineFilter::add(const LineSigns& signs)
{
    if (m_count >= most)
        return;
    const Set self = Set(1) << m_count++;
    m_words.push_back(signs.words);
    m_names.push_back(signs.names);
    m_titles.push_back(signs.titles);
    m_fits.push_back(signs.fits);
    if (!signs.titles.empty())
        m_titled |= self;
    if (signs.first.empty() && signs.last.empty() && signs.holds.empty())
        m_always |= self;
    for (const char byte : signs.first)
        m_first[indexOf(byte)] |= self;
    for (const char byte : signs.last)
        m_last[indexOf(byte)] |= self;
    if (signs.holds.empty())
        return;
    size_t wanted = 0; // of a byte without a bit nothing is known, and then it is not wanted
    for (const char byte : signs.holds)
        wanted |= bitOf(byte);
    for (size_t held = 0; held < m_holding.size(); ++held) {
        if ((held & wanted) == wanted)
            m_holding[held] |= self;
    }
}

LineFilter::Set LineFilter::candidates(std::string_view line) const
{
    return byBytes(line) | m_titled;
}

LineFilter::Set LineFilter::byBytes(std::string_view line) const
{
    line = trimmed(line);
    if (line.empty())
        return m_always;
    unsigned held = 0;
    size_t i = 0;
    for (; i + 4 <= line.size(); i += 4)
        held |= m_bits[indexOf(line[i])] | m_bits[indexOf(line[i + 1])]
            | m_bits[indexOf(line[i + 2])] | m_bits[indexOf(line[i + 3])];
    for (; i < line.size(); ++i)
        held |= m_bits[indexOf(line[i])];
    return m_always | m_first[indexOf(line.front())] | m_last[indexOf(line.back())]
        | m_holding[held];
}

LineFilter::Set LineFilter::withWords(std::string_view shape, Set candidates) const
{
    std::string lowerCase(shape);
    std::transform(lowerCase.begin(), lowerCase.end(), lowerCase.begin(), toLowerCase);
    const BytePairs pairs(lowerCase);
    const auto isHeld = [&](std::string_view word) {
        return pairs.mayHold(word) && lowerCase.find(word) != std::string::npos;
    };
    const auto isName = [&](std::string_view name) {
        return pairs.mayHold(name) && hasName(shape, lowerCase, name);
    };
    // Those of the time at which a logger printed the line are no part of a title.
    const std::string_view unprefixed = peelPrefix(shape).text;
    const bool hasDigits = std::any_of(unprefixed.begin(), unprefixed.end(), isDigit);
    const auto isTitle = [&](std::string_view title) {
        return (!hasDigits || title.find_first_of(": ") != title.npos) && isHeld(title);
    };
    const std::string_view text = trimmed(shape);
    std::string_view open = shape; // "TACC: " with nothing behind it
    skipSpaces(open);
    const auto fits = [text, open](bool (*isFit)(std::string_view)) {
        return !text.empty() && (isFit(text) || (open.size() > text.size() && isFit(open)));
    };
    const Set bySigns = byBytes(shape);
    for (Set rest = candidates; rest; rest &= rest - 1) {
        const auto i = static_cast<size_t>(std::countr_zero(rest));
        const Set self = Set(1) << i;
        const auto& words = m_words[i];
        const auto& titles = m_titles[i];
        const auto& names = m_names[i];
        const bool hasSigns = (bySigns & self) != 0
            && ((words.empty() && names.empty()) || std::any_of(words.begin(), words.end(), isHeld)
                || std::any_of(names.begin(), names.end(), isName))
            && (!m_fits[i] || fits(m_fits[i]));
        if (!hasSigns && std::none_of(titles.begin(), titles.end(), isTitle))
            candidates &= ~self;
    }
    return candidates;
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/lineshapes.h"

#include "plots/metrics/scan.h"

#include <algorithm>
#include <cstring>

namespace slipway {

namespace {

constexpr size_t wordSize = sizeof(uint64_t);
constexpr uint64_t everyByte = 0x0101010101010101u;

uint64_t wordAt(const char* at)
{
    uint64_t word = 0;
    std::memcpy(&word, at, wordSize);
    return word;
}

/// The last bytes, fewer than eight; those behind the end are 0.
uint64_t lastWord(const char* at, size_t bytes)
{
    uint64_t word = 0;
    std::memcpy(&word, at, bytes);
    return word;
}

/// The word with each byte from '0' to '9' replaced by '0', which has the same upper half.
uint64_t withoutDigits(uint64_t word)
{
    constexpr uint64_t highBits = everyByte * 0x80;
    const uint64_t low = word & ~highBits; // so that no sum carries into the next byte
    const uint64_t from0 = low + everyByte * (0x80 - '0');
    const uint64_t above9 = low + everyByte * (0x80 - '9' - 1);
    const uint64_t digits = from0 & ~above9 & ~word & highBits;
    return word & ~((digits >> 7) * 0x0f);
}

uint64_t mixedIn(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

} // namespace

uint64_t LineShapes::readShape(std::string_view line)
{
    uint64_t hash = line.size();
    const size_t whole = line.size() / wordSize * wordSize;
    const auto take = [&](size_t at, uint64_t word) {
        word = withoutDigits(word);
        std::memcpy(m_shape.data() + at, &word, wordSize);
        hash = mixedIn(hash, word);
    };
    for (size_t at = 0; at < whole; at += wordSize)
        take(at, wordAt(line.data() + at));
    if (whole < line.size())
        take(whole, lastWord(line.data() + whole, line.size() - whole));
    return hash ^ (hash >> 32);
}

const LineShape* LineShapes::find(std::string_view line, const LineFilter& filter)
{
    if (line.size() > longest)
        return nullptr;
    if (m_entries.empty()) {
        m_entries.resize(most);
        m_hashes.resize(most);
    }
    const uint64_t hash = readShape(line);
    const std::string_view shape(m_shape.data(), line.size());
    const size_t first = hash % (most / entriesOfHash) * entriesOfHash;
    for (size_t slot = first; slot < first + entriesOfHash; ++slot) {
        if (m_hashes[slot] != hash)
            continue;
        Entry& entry = m_entries[slot];
        if (entry.shape.id == 0 || entry.text != shape)
            continue;
        if (!entry.isKnown) {
            entry.isKnown = true;
            entry.shape.candidates = filter.withWords(shape, entry.shape.candidates);
            entry.shape.traits = LineTraits::of(shape);
        }
        return &entry.shape;
    }
    const size_t slot = first + ++m_lastId % entriesOfHash;
    Entry& entry = m_entries[slot];
    m_hashes[slot] = hash;
    entry.text.assign(shape);
    entry.shape = {m_lastId, slot, filter.candidates(shape), entry.text};
    entry.isKnown = false;
    return &entry.shape;
}

NumberForm NumberForm::of(std::string_view text)
{
    std::string_view rest = text;
    NumberForm form;
    if (takeNumber(rest) && std::none_of(rest.begin(), rest.end(), isDigit)) {
        form.m_size = text.size() - rest.size();
        form.m_decimal = DecimalForm::of(text.substr(0, form.m_size));
    }
    return form;
}

std::optional<double> NumberForm::readAny(std::string_view text) const
{
    const size_t behind = text.size() - m_size;
    const auto value = takeNumber(text);
    return value && text.size() == behind ? value : std::nullopt;
}

void LineTemplate::set(std::string_view text)
{
    m_text.assign(text);
    m_fixed.assign((text.size() + wordSize - 1) / wordSize, ~uint64_t(0));
}

void LineTemplate::setFree(std::string_view part)
{
    for (const char& c : part) {
        const auto at = static_cast<size_t>(&c - m_text.data());
        if (!isDigit(c))
            continue;
        uint64_t bits = 0;
        const unsigned char all = 0xff;
        std::memcpy(reinterpret_cast<char*>(&bits) + at % wordSize, &all, 1);
        m_fixed[at / wordSize] &= ~bits;
    }
}

std::string_view LineTemplate::moved(std::string_view part, std::string_view line) const
{
    const bool isPart = part.data() >= line.data() && part.data() <= line.data() + line.size();
    return isPart ? text().substr(static_cast<size_t>(part.data() - line.data()), part.size())
                  : part;
}

bool LineTemplate::fits(std::string_view line) const
{
    if (line.size() != m_text.size())
        return false;
    const size_t words = line.size() / wordSize, rest = line.size() % wordSize;
    const auto differ = [this](size_t i, uint64_t a, uint64_t b) {
        return ((a ^ b) & m_fixed[i]) != 0;
    };
    const char* a = line.data();
    const char* b = m_text.data();
    for (size_t i = 0; i < words; ++i, a += wordSize, b += wordSize) {
        if (differ(i, wordAt(a), wordAt(b)))
            return false;
    }
    return rest == 0 || !differ(words, lastWord(a, rest), lastWord(b, rest));
}

} // namespace slipway

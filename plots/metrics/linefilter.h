// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace slipway {

/// What the lines of one recogniser have in common, in bytes: every line that it accepts, or learns
/// something from, shows at least one of the first three signs, one of the words or names, and
/// fits; or shows one of the titles. Without any sign it is asked about all lines. Which digit a
/// digit is must not matter.
struct LineSigns {
    std::string_view first = {}; ///< one of these is the first byte that is no space
    std::string_view last = {}; ///< one of these is the last byte that is no space
    std::string_view holds = {}; ///< all of these are on the line
    std::vector<std::string_view> words = {}; ///< in lower case; letter case apart
    /// The same, at the beginning of a word: "cores", "ncores" and "numCores", and not in "scores".
    std::vector<std::string_view> names = {};
    /// The same, and enough without another sign; single words only on a line without
    /// digits, but for those of its prefix.
    std::vector<std::string_view> titles = {};
    /// What the words leave open, of a line without the spaces around it whose digits are all "0":
    /// whether the recogniser could do anything with such a line. It is asked once for many lines,
    /// and once more with the spaces at their end, where there are some.
    bool (*fits)(std::string_view shape) = nullptr;
};

/// LineFilter tells which of many recognisers a line may concern. The answer may name too many,
/// never too few, and is the same for all lines of one shape (LineShapes). Made once, then
/// constant.
class LineFilter {
public:
    using Set = uint64_t; ///< a bit for each recogniser, in their order
    static constexpr size_t most = 64;

    /// The next recogniser, up to `most`.
    void add(const LineSigns& signs);
    /// By the bytes of the line.
    Set candidates(std::string_view line) const;
    /// Those of the candidates that find one of their words, and that the line fits. Slower.
    /// `shape`: the line, each digit shown as "0".
    Set withWords(std::string_view shape, Set candidates) const;

private:
    Set byBytes(std::string_view line) const;
    /// The bit of a byte among those that are looked for in a line; 0: there are too many already.
    uint8_t bitOf(char byte);

    std::array<Set, 256> m_first{}; ///< by the byte
    std::array<Set, 256> m_last{};
    std::array<uint8_t, 256> m_bits{}; ///< by the byte
    std::array<Set, 256> m_holding{}; ///< by the bits of all bytes of a line
    Set m_always = 0;
    Set m_titled = 0; ///< those that have titles
    std::vector<std::vector<std::string_view>> m_words; ///< of each recogniser
    std::vector<std::vector<std::string_view>> m_names; ///< of each recogniser
    std::vector<std::vector<std::string_view>> m_titles; ///< of each recogniser
    std::vector<bool (*)(std::string_view)> m_fits; ///< of each recogniser
    size_t m_count = 0;
    int m_bitCount = 0;
};

} // namespace slipway

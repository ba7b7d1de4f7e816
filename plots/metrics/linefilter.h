// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace slipway {

/// What the lines of one recogniser have in common, in bytes: every line that it accepts, or learns
/// something from, shows at least one of these signs. Without any sign it is asked about all lines.
struct LineSigns {
    std::string_view first = {}; ///< one of these is the first byte that is no space
    std::string_view last = {}; ///< one of these is the last byte that is no space
    std::string_view holds = {}; ///< all of these are on the line
};

/// LineFilter tells which of many recognisers a line may concern. One pass over the bytes of a line
/// serves all of them; the answer may name too many, never too few. Made once, then constant.
class LineFilter {
public:
    using Set = uint64_t; ///< a bit for each recogniser, in their order
    static constexpr size_t most = 64;

    /// The next recogniser, up to `most`.
    void add(const LineSigns& signs);
    Set candidates(std::string_view line) const;

private:
    /// The bit of a byte among those that are looked for in a line; 0: there are too many already.
    uint8_t bitOf(char byte);

    std::array<Set, 256> m_first{}; ///< by the byte
    std::array<Set, 256> m_last{};
    std::array<uint8_t, 256> m_bits{}; ///< by the byte
    std::array<Set, 256> m_holding{}; ///< by the bits of all bytes of a line
    Set m_always = 0;
    size_t m_count = 0;
    int m_bitCount = 0;
};

} // namespace slipway

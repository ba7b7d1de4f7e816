// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linefilter.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// What is known of all lines that differ only in their digits.
struct LineShape {
    uint64_t id = 0; ///< of no other shape, before or after; 0: none
    size_t slot = 0; ///< of the shapes that are known now; below LineShapes::most
    LineFilter::Set candidates = 0; ///< the recognisers that it may concern
};

/// LineShapes remembers the shapes of the latest lines, each digit shown as "0": a program prints
/// its lines in a few shapes, and what depends on the shape alone is found out once. Bounded: a
/// later shape takes the place of an earlier one.
class LineShapes {
public:
    static constexpr size_t most = 4096;
    static constexpr size_t longest = 512; ///< a longer line has no shape

    /// Valid until the next call; null for a line that is too long.
    const LineShape* find(std::string_view line, const LineFilter& filter);
    /// Forgets the shapes: the filter is another.
    void clear() { m_entries.clear(); }

private:
    struct Entry {
        uint64_t hash = 0;
        std::string text;
        LineShape shape;
        bool isKnown = false; ///< it was seen a second time, and the words were looked for
    };
    static constexpr size_t entriesOfHash = 4;

    /// Puts the shape of the line into m_shape and returns its hash.
    uint64_t readShape(std::string_view line);

    std::array<char, longest + sizeof(uint64_t)> m_shape; ///< of the line that is being read
    std::vector<Entry> m_entries;
    uint64_t m_lastId = 0;
};

/// LineTemplate is a line that stands for others of its shape: some of their digits may differ,
/// all the rest is the same.
class LineTemplate {
public:
    void set(std::string_view text);
    /// The digits in this part of the text may differ.
    void setFree(std::string_view part);
    /// For a line of the same shape.
    bool fits(std::string_view line) const;

    /// The same place in another line.
    size_t offset(std::string_view part) const
    {
        return static_cast<size_t>(part.data() - m_text.data());
    }
    std::string_view text() const { return m_text; }

private:
    std::string m_text;
    std::vector<uint64_t> m_fixed; ///< the bits that must be equal, eight bytes each
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linefilter.h"
#include "plots/metrics/linetraits.h"
#include "plots/metrics/scan.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// What is known of all lines that differ only in their digits.
struct LineShape {
    uint64_t id = 0; ///< of no other shape, before or after; 0: none
    size_t slot = 0; ///< of the shapes that are known now; below LineShapes::most
    LineFilter::Set candidates = 0; ///< the recognisers that it may concern
    std::string_view text = {}; ///< a line of it, each digit shown as "0"
    LineTraits traits = {}; ///< looked for when the shape is seen a second time
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
    void clear()
    {
        m_entries.clear();
        m_hashes.clear();
    }

private:
    struct Entry {
        std::string text;
        LineShape shape;
        bool isKnown = false; ///< it was seen a second time, and the words were looked for
    };
    static constexpr size_t entriesOfHash = 4;

    /// Puts the shape of the line into m_shape and returns its hash.
    uint64_t readShape(std::string_view line);

    std::array<char, longest + sizeof(uint64_t)> m_shape; ///< of the line that is being read
    std::vector<Entry> m_entries;
    std::vector<uint64_t> m_hashes; ///< of the entries, close together: most are looked at in vain
    uint64_t m_lastId = 0;
};

/// ShapeMemory keeps what was found out about lines of a shape, one thing for each shape that is
/// known now. The first line of a shape is often the only one: nothing is found out before the
/// second.
template <typename Thing> class ShapeMemory {
public:
    /// Null when nothing is known. Valid until the next learn().
    const Thing* find(const LineShape* shape) const
    {
        if (m_entries.empty() || !shape)
            return nullptr;
        const Entry& entry = m_entries[shape->slot];
        return entry.shape == shape->id ? entry.thing.get() : nullptr;
    }
    /// Keeps what `make` gives, which may be null, in place of what was known. Does nothing after
    /// some times: a form that never fits is not learnt again and again.
    template <typename Make> const Thing* learn(const LineShape* shape, Make make)
    {
        constexpr int mostTries = 8;
        if (!shape)
            return nullptr;
        if (m_entries.empty())
            m_entries.resize(LineShapes::most);
        Entry& entry = m_entries[shape->slot];
        if (entry.shape != shape->id) {
            entry = {shape->id, 0, {}};
            return nullptr;
        }
        entry.thing.reset();
        if (entry.tries < mostTries) {
            ++entry.tries;
            entry.thing = make();
        }
        return entry.thing.get();
    }

private:
    struct Entry {
        uint64_t shape = 0; ///< LineShape::id
        int tries = 0;
        std::unique_ptr<Thing> thing;
    };
    std::vector<Entry> m_entries; ///< by LineShape::slot
};

/// NumberForm is a number that stands before nothing but words: in another line of the form it is
/// read alone, without what follows it.
class NumberForm {
public:
    /// `text`: up to where what follows the number was read.
    static NumberForm of(std::string_view text);
    bool isPlain() const { return m_size > 0; }
    /// In the same place of another line; none when that is no number of this form.
    std::optional<double> read(std::string_view text) const
    {
        return m_decimal.digits > 0 ? m_decimal.read(text.data()) : readAny(text);
    }

private:
    std::optional<double> readAny(std::string_view text) const;

    size_t m_size = 0; ///< of the number; 0: the text is something else
    DecimalForm m_decimal;
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

    /// What `part` of `line`, from which this one was set, is here. Text from elsewhere is returned
    /// as it is.
    std::string_view moved(std::string_view part, std::string_view line) const;
    std::string_view text() const { return m_text; }

private:
    std::string m_text;
    std::vector<uint64_t> m_fixed; ///< the bits that must be equal, eight bytes each
};

} // namespace slipway

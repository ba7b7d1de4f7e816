// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/lineassembler.h"

#include <string>
#include <vector>

namespace slipway {

/// ObjectLines puts the lines of an object that a program prints over several lines together:
/// json.dumps(…, indent=4), pprint. What is in it belongs together in whatever order it comes: the
/// epoch may be its last line. Lines that turn out to be something else are given back. Passive;
/// keeps a few lines.
class ObjectLines {
public:
    enum class Taken {
        No, ///< the line is not of an object
        Held, ///< more is to come
        Whole, ///< it was the last one: text()
        Broken ///< what was held is no object: takeHeld(), then this line again
    };
    struct Line {
        std::string text;
        qint64 number = 0, end = 0;
        bool mayCount = false;
    };

    Taken take(const LogLine& line);
    /// The object as one line. Valid until the next one is taken.
    const std::string& text() const { return m_text; }
    int rank() const { return m_rank; }
    std::vector<Line> takeHeld();

private:
    static constexpr size_t mostLines = 64;
    static constexpr size_t longest = 400; ///< bytes of one of its lines

    bool opens(std::string_view text);
    bool goesOn(std::string_view text) const;
    bool isOpen() const { return m_depth > 0; }

    std::vector<Line> m_held;
    std::string m_text;
    int m_depth = 0; ///< braces and brackets that are open
    int m_rank = -1; ///< whose lines they are
};

} // namespace slipway

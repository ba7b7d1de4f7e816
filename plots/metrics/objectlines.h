// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/lineassembler.h"

#include <map>
#include <string>
#include <vector>

namespace slipway {

/// ObjectLines puts the lines of an object that a program prints over several lines together:
/// json.dumps(…, indent=4), pprint. What is in it belongs together in whatever order it comes: the
/// epoch may be its last line. Each rank has its own, whose lines may take turns. Lines that turn
/// out to be something else are given back. Passive; keeps a few lines.
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
        int rank = -1;
        bool mayCount = false;
    };

    Taken take(const LogLine& line);
    /// The object as one line. Valid until the next one is taken.
    const std::string& text() const { return m_text; }
    std::vector<Line> takeHeld(int rank);
    /// Of all ranks, in the order of the log.
    std::vector<Line> takeHeld();

private:
    static constexpr size_t mostOpen = 64; ///< ranks
    static constexpr size_t mostLines = 64;
    static constexpr size_t longest = 400; ///< bytes of one of its lines

    struct Object {
        std::vector<Line> held;
        std::string text;
        int depth = 0; ///< braces and brackets that are open
    };

    static bool opens(std::string_view text);
    static bool goesOn(std::string_view text);

    std::map<int, Object> m_open; ///< by rank
    std::string m_text;
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linecursor.h"
#include "plots/metrics/namewords.h"

#include <string_view>

namespace slipway {

/// PlaceReader reads where on a line a program says how far it is: in brackets, in front, behind
/// what was measured. Each function takes what it reads from the line and returns whether that was
/// such a place. Passive; used by readPairs().
class PlaceReader {
public:
    explicit PlaceReader(LineCursor& line)
        : m_line(line)
    {
    }

    /// "Latency of step 2: 1.9 ms", "loss at epoch 3: 0.5": what counts stands before the number.
    bool readAtPlace(const LinePair& counter, std::string_view from);
    /// "return 93.2 after 1000 steps": where the program is.
    bool readPlaceBehind(const LinePair& place, std::string_view last);
    /// "10 sec: 17813.86 ops/sec": when that was measured, from the start.
    void addTime(const LinePair& read);
    /// "Query 3: 0.52 sec", "Run 3: 18.5 s": how long the one of this number took, and nothing else
    /// on the line.
    bool readDuration(const LinePair& number, const NameWords& words);
    /// "Train loss 0 48.220909 Grad Norm 13.5": a number between a measurement and its value
    /// counts.
    bool readBehindCount(const LinePair& counted);
    /// "1.34 secs, 2 evals, 1 steps, fitness=6684.1", "CG: 614 iterations, <r,r> = 4.6": as many as
    /// there were, before what was measured then. The number is that of the last place.
    bool countsSteps(const LinePair& counted);
    /// "  5 % =      100 | time elapsed: …": as many steps as the share in front.
    bool takeCountOfShare(const LinePair& share);
    /// "20th train Loss: 0.3"
    bool readOrdinal();
    /// "current step: 1th step": an ordinal of what the name before it counts.
    bool readOrdinalOf(std::string_view name);
    /// "1epoch", "1-500batch": a number directly before what it counts, of a range the last one.
    bool readCounted();
    /// "Validation @ 500: {'rmse': 0.68}": where the program is.
    bool readAtSign(const LinePair& place, std::string_view from);
    /// "1 (QN/Block)  Elapsed: 7.451": how the iteration was done.
    void takeMethod();
    /// "[10/1583]", "[valid] loss=0.3", "[26/11 12:03:14]": a bracket at the start of the rest, its
    /// first sign at least.
    void readBracket();

private:
    bool skipCountedCell();
    bool skipCountedSteps(std::string_view name);
    /// "[0/5][50/1583]", "[2][10/800]", "[0/30][6]", "[1,  2000]": the first of two counts the
    /// epochs.
    bool readEpoch();
    bool readTime(std::string_view inside);
    bool readValueOfSet(std::string_view set, std::string_view behind);
    static bool isTime(std::string_view inside);

    LineCursor& m_line;
};

} // namespace slipway

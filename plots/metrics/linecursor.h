// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/linepairs.h"
#include "plots/metrics/metricnames.h"

#include <string_view>

namespace slipway {

/// LineCursor is how far one line has been read: what is left of it, and the pairs that were found
/// so far. Readers of different things take turns with it. Passive; lives while readPairs() does.
struct LineCursor {
    LineCursor(std::string_view text, const MetricNames& known, LinePairs& pairs)
        : rest(text)
        , start(text.data())
        , names(known)
        , out(pairs)
    {
    }

    /// What was read from `from` up to here.
    std::string_view readFrom(std::string_view from) const
    {
        return from.substr(0, from.size() - rest.size());
    }
    void note(LinePairs::Place::Kind kind, std::string_view from)
    {
        noteText(kind, readFrom(from));
    }
    void noteText(LinePairs::Place::Kind kind, std::string_view text)
    {
        if (out.placeCount == out.places.size())
            out.isLearnable = false;
        else
            out.places[out.placeCount++] = {kind, text};
    }
    void setPosition(size_t place)
    {
        for (size_t i = 0; i < out.placeCount; ++i)
            out.places[i].isPosition = i == place;
    }
    /// The number that was noted at `place` says where the program is.
    void standAt(double done, size_t place)
    {
        out.position = {done, 0, true, false, false};
        setPosition(place);
    }
    bool isSet(std::string_view word) const { return names.set(word) != nullptr; }
    void add(LinePair pair)
    {
        pair.section = section;
        if (pair.group.empty())
            pair.group = group;
        if (isForeign)
            return;
        if (out.count < LinePairs::most)
            out.pairs[out.count++] = pair;
    }
    /// The value of what was noted last.
    void addNoted(const LinePair& pair)
    {
        const size_t before = out.count;
        add(pair);
        if (out.count > before && out.isLearnable)
            out.places[out.placeCount - 1].pair = static_cast<int>(before);
    }

    std::string_view rest;
    const char* const start; ///< of the whole line
    std::string_view section; ///< see LinePair
    std::string_view group;
    bool isForeign = false; ///< the numbers are of something else than a data set
    const MetricNames& names;
    LinePairs& out;
};

} // namespace slipway

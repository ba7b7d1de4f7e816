// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/heldlines.h"
#include "plots/metrics/linemeaning.h"

#include <utility>
#include <vector>

namespace slipway {

/// BlockLines reads programs that print a block of lines for each step: one that says where they
/// are, and below it measurements of their own names, each on a line of its own: "Fermi : 0.2384".
/// They are given once the same line has followed several steps. Passive; bounded by its HeldLines.
class BlockLines {
public:
    struct Place {
        double x = 0;
        QString name; ///< of x; empty: nobody said where the program is
        QString lane;
    };

    /// Whether the line may be one of a block, by its names. The same for all lines of a form.
    static bool mayRead(const LinePairs& pairs, NameCache& cache);

    /// "Step 5": a heading of a document, or where the program is, as far as only these lines tell.
    void noteStep(double step) { m_before = std::exchange(m_step, step); }
    /// Whether nothing but such lines says where the program is. `x`, `name`: where it was last.
    bool isPlace(double x, const QString& name) const;
    /// A line for which mayRead() holds and that has no place of its own. `given`: what of it was
    /// read already, so that only a program's own names are left; null: nothing.
    void read(const LinePairs& pairs, NameCache& cache, const LogLine& line, Place place,
        const LineMeaning* given, MetricSink& sink);
    /// "Episode 10  Last length: 13  Average length: 31.3": own names on a line that counts.
    void readCounted(const LinePairs& pairs, NameCache& cache, const LogLine& line,
        const Place& place, MetricSink& sink);

private:
    bool isKnown(const LinePairs& pairs, size_t form) const;
    size_t make(const LinePairs& pairs, NameCache& cache, const LogLine& line, const Place& place,
        const LineMeaning* given = nullptr);

    HeldLines m_held;
    double m_step = -1; ///< -1: there was none
    double m_before = -1; ///< the one before
    std::vector<Sample> m_made; ///< of the line that is being read
};

} // namespace slipway

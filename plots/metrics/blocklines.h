// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/heldlines.h"
#include "plots/metrics/linemeaning.h"
#include "plots/metrics/parametersweeps.h"

#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace slipway {

/// BlockLines reads programs that print a block of lines for each step: one that says where they
/// are, and below it measurements of their own names, each on a line of its own: "Fermi : 0.2384".
/// They are given once the same line has followed several steps, or, where nobody says where the
/// program is, once it has come back often with other numbers. Passive; bounded by its HeldLines.
class BlockLines {
public:
    /// How the lines of a form may be read, by their names.
    enum class Reading : uint8_t {
        None,
        Repeated, ///< there are other words on them: only where they come back often
        InBlock, ///< nothing but names and their numbers, which may be code
        OfBlock ///< nothing but these, in a block or repeated
    };
    struct Place {
        double x = 0;
        QString name; ///< of x; empty: nobody said where the program is
        QString lane;
    };

    /// `text`: of the line, without its prefix.
    static Reading readingOf(std::string_view text, const LinePairs& pairs, NameCache& cache);

    /// "Step 5": a heading of a document, or where the program is, as far as only these lines tell.
    void noteStep(double step) { m_before = std::exchange(m_step, step); }
    /// Documents count their steps from 1, one after the other.
    bool isFarOn(double step) const
    {
        constexpr double mostOfDocument = 50;
        return step >= mostOfDocument || (m_step >= 0 && step > m_step + 1);
    }
    /// Whether nothing but such lines says where the program is. `x`, `name`: where it was last.
    bool isPlace(double x, const QString& name) const;
    /// A line that is OfBlock or InBlock and has no place of its own. `given`: what of it was read
    /// already, so that only a program's own names are left; null: nothing.
    void read(const LinePairs& pairs, NameCache& cache, const LogLine& line, Place place,
        const LineMeaning* given, Reading reading, ParameterSweeps& sweeps, MetricSink& sink);
    /// "Save best model: monitor(max): 0.3649": a line that is Repeated, and of which nothing else
    /// was read. Where nobody says where the program is, it may belong to one of the `sweeps`.
    void readRepeated(const LinePairs& pairs, NameCache& cache, const LogLine& line, Place place,
        ParameterSweeps& sweeps, MetricSink& sink);
    /// "0.10 <m> = 0.99", of which `first` is the number in front, and "k= 1  ortho=1.8e-10  probe=
    /// 84.3%", which has none, where nobody says where the program is.
    void readSwept(const LinePairs& pairs, NameCache& cache, const LogLine& line,
        const QString& lane, std::optional<double> first, ParameterSweeps& sweeps,
        MetricSink& sink);
    /// "After sweep 3 energy=-101.47  maxlinkdim=41": own names on a line that counts, beside what
    /// was `given` at this place.
    void readBesideCounter(const LinePairs& pairs, NameCache& cache, const LogLine& line,
        const Place& place, const LineMeaning& given, MetricSink& sink);
    /// "Episode 10  Last length: 13  Average length: 31.3": own names on a line that counts.
    void readCounted(const LinePairs& pairs, NameCache& cache, const LogLine& line,
        const Place& place, MetricSink& sink);

    /// The log has ended.
    void finish(MetricSink& sink) { m_held.finish(sink); }

private:
    bool isKnown(const LinePairs& pairs, size_t form) const;
    /// "res = 1.1621e+01, total err = 1.8003e-02": own names beside what was `given`, where nobody
    /// says where the program is.
    void readBeside(const LinePairs& pairs, NameCache& cache, const LogLine& line,
        const QString& lane, const LineMeaning& given, MetricSink& sink);
    /// Whether a number of a line is given.
    using Use = std::function<bool(const LinePair& pair, const NameMeaning& meaning)>;
    size_t make(const LinePairs& pairs, NameCache& cache, const LogLine& line, const Place& place,
        const Use& use);
    void takeWhole(size_t form, MetricSink& sink);
    static size_t repeatedForm(size_t form, const LinePairs& pairs);

    HeldLines m_held;
    double m_step = -1; ///< -1: there was none
    double m_before = -1; ///< the one before
    std::vector<Sample> m_made; ///< of the line that is being read
};

} // namespace slipway

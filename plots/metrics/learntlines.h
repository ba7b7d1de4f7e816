// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/barelines.h"
#include "plots/metrics/blocklines.h"
#include "plots/metrics/columntable.h"
#include "plots/metrics/gridtable.h"
#include "plots/metrics/lineassembler.h"
#include "plots/metrics/linemeaning.h"
#include "plots/metrics/lineprefix.h"
#include "plots/metrics/lineshapes.h"
#include "plots/metrics/metricrows.h"

#include <vector>

namespace slipway {

/// How the general grammar read one line, to read others of its form without the grammar: the
/// names and their meanings are the same, only the numbers are taken anew.
class LearntLine {
public:
    bool isWords = false; ///< without a number: nothing else of this is set than what a heading is
    ColumnTable::HeadingForm heading; ///< of the line without its prefix
    bool mayBeHeading = false; ///< of a GridTable
    bool mayBeBare = false; ///< see BareLines::mayBe()
    MetricRows::Form rows = MetricRows::Form::Other; ///< for those below it
    LinePrefix prefix; ///< its text is that of the learnt line
    bool looksLikeRow = false;
    ColumnTable::RowForm row;
    bool hasMeaning = false; ///< readMeaning() found one
    BlockLines::Reading reading = BlockLines::Reading::None;

    /// `counting`: see LineMeaning, also where the line has none.
    void learn(std::string_view line, const LinePrefix& found, const LinePairs& pairs,
        const LineMeaning* meaning, uint64_t counting);
    void learnWords(std::string_view words, NameCache& cache);
    /// Whether the line is of this form. False also where a number of it would lead the grammar to
    /// something else; the pairs and the meaning are of no use then. They are valid until something
    /// else is learnt.
    bool read(std::string_view line, const MetricNames& names, LinePairs& pairs,
        LineMeaning& meaning) const;

private:
    struct Number {
        size_t at = 0, size = 0; ///< in the line
        LinePairs::Place::Kind kind = LinePairs::Place::Value;
        int pair = -1;
        bool isPosition = false, isFirst = false;
        NumberForm form;
        bool counts = false; ///< see LineMeaning::counting
        LinePair value; ///< as it was read
        LinePosition position;
    };

    void learnNumber(const LinePairs::Place& place, const LinePairs& pairs, uint64_t counting,
        std::string_view line);
    void learnMeaning(const LineMeaning& meaning, const LinePairs& pairs);
    bool readNumber(const Number& number, std::string_view line, const MetricNames& names,
        LinePairs& pairs) const;
    static bool isAlike(const Number& number, const LinePair& value);
    void placeNumbers(const LinePairs& pairs, LineMeaning& meaning) const;

    LineTemplate m_template;
    std::vector<Number> m_numbers;
    std::vector<LinePair> m_pairs;
    LinePosition m_position;
    std::string_view m_subject, m_about;
    int m_strayWords = 0;

    struct Metric {
        LineMetric metric;
        size_t pair = 0;
        QString series;
    };
    std::vector<Metric> m_metrics;
    LineFacts m_facts;
    int m_epochPair = -1, m_stepPair = -1, m_positionPair = -1;
};

/// LearntLines keeps a LearntLine for each shape of line that was seen more than once. Bounded by
/// the number of shapes.
class LearntLines {
public:
    /// Null when nothing of this shape was learnt.
    const LearntLine* find(const LogLine& line) const { return m_lines.find(line.shape); }
    /// What the line turned out to be. Does nothing where another line of the form may differ in
    /// more than its numbers. `counting`: see LineMeaning, also where the line has none.
    void learn(const LogLine& line, const LinePrefix& prefix, const LinePairs& pairs,
        const LineMeaning* meaning, uint64_t counting, BlockLines::Reading reading);
    /// A line without numbers, and its words without a prefix.
    void learnWords(const LogLine& line, std::string_view words, NameCache& cache);

private:
    static constexpr size_t mostNumbers = 24; ///< of a line, so that a hostile log fills no memory

    ShapeMemory<LearntLine> m_lines;
};

} // namespace slipway

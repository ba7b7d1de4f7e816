// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/drawnform.h"
#include "plots/metrics/headinglines.h"
#include "plots/metrics/tablecells.h"
#include "plots/metrics/tableheading.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// ColumnTable reads tables whose columns have names: "Step Temp Press" above rows of numbers,
/// drawn with bars, separated by tabs, commas or spaces. A line is taken for a heading only once a
/// row of numbers fits below it. Where words stand between the numbers, those count that end where
/// a heading ends. That is one job however a row is drawn: each way is tried with the same lines
/// above and the columns that are open. Passive; keeps one line of text and the columns of one
/// table.
class ColumnTable {
public:
    static constexpr size_t mostColumns = table::mostCells;

    struct Column {
        NameMeaning meaning;
        const MetricUnit* unit = nullptr; ///< in its heading
        bool isDevice = false; ///< the number of the GPU that the row is about
        bool isRenamed = false; ///< several of the heading have its name
        bool isVariant = false; ///< its words name what is compared: "Kernel"
        bool isCount = false; ///< "n_clusters"
        bool isUnitOfCells = false; ///< the unit stands behind each number, which is in base units
    };
    struct Row {
        std::array<std::optional<double>, mostColumns> values;
        std::string_view lane; ///< the text of a column of words, or above the table
        bool isTitled = false; ///< the text above the table is in it
        bool isBordered = false;
        bool isFirst = false; ///< below its heading
        bool isTagged = false; ///< a word before the row that its heading lacks: "DAV:"
        bool isWorded = false; ///< words between the numbers: a solver's, which counts its problems
                               ///< from 1 again
        int counter = -1; ///< the column that counts, of a table of which no word is known
        bool isByTime = false; ///< that column has the time
        bool isSwept = false; ///< that column has what is tried out, which is no whole number

        /// As it is before anything but its values is known.
        void begin();
    };

    /// What of a line decides whether it may be a row of any table.
    struct RowForm {
        size_t cells = 0;
        size_t numbers = 0;
        size_t leading = 0; ///< numbers before the first word
        bool isBordered = false;
        bool hasVectors = false; ///< see table::vectorCells()
    };

    using HeadingForm = table::HeadingForm;

    static RowForm formOf(std::string_view line);
    /// False when read() would do nothing with this line.
    bool mayRead(std::string_view line, const RowForm& form) const;

    /// What may be a heading; anything that is not a row.
    void keep(std::string_view line, const HeadingForm& form);
    /// Whether the line is a row below a heading that was kept, now or before.
    bool read(std::string_view line, NameCache& cache, const MetricNames& names, Row& row);
    /// The same for a row with a number before it that counts, and for which there is no name.
    bool readCounted(
        int count, std::string_view line, NameCache& cache, const MetricNames& names, Row& row);

    /// Whether its rows, or those below the line above, begin with the time, which is no prefix
    /// then. `isPrefixed`: the line may have one.
    bool beginsWithTime(bool isPrefixed) const;

    const std::vector<Column>& columns() const { return m_columns; }

private:
    using Cells = table::Cells;
    using Span = table::Span;

    bool readLine(std::string_view line, NameCache& cache, const MetricNames& names, Row& row);
    bool readChanged(
        const std::string& heading, NameCache& cache, const MetricNames& names, Row& row);
    bool readTagCounted(
        std::string_view line, NameCache& cache, const MetricNames& names, Row& row);
    bool readDrawn(table::DrawnForm::Kind kind, std::string_view line, NameCache& cache,
        const MetricNames& names, Row& row);
    bool readBelowBars(std::string_view line, NameCache& cache, const MetricNames& names, Row& row);
    bool readRuled(std::string_view line, NameCache& cache, const MetricNames& names, Row& row);
    bool readPlain(std::string_view line, const Cells& cells, size_t count, size_t remarks,
        NameCache& cache, const MetricNames& names, Row& row);
    bool readVectors(std::string_view line, NameCache& cache, const MetricNames& names, Row& row);
    bool readSparse(std::string_view line, const Cells& cells, size_t count,
        const MetricNames& names, Row& row);
    bool readListed(std::string_view line, const Cells& cells, size_t count, NameCache& cache,
        const MetricNames& names, Row& row);
    bool readSpacious(
        std::string_view line, size_t words, NameCache& cache, const MetricNames& names, Row& row);
    bool open(std::string_view heading, std::string_view line, const Cells& cells, size_t count,
        size_t remarks, NameCache& cache, const MetricNames& names);
    bool openStacked(std::string_view line, const Cells& cells, size_t count, NameCache& cache,
        const MetricNames& names);
    bool openOwn(
        std::string_view line, const Cells& cells, size_t count, size_t remarks, NameCache& cache);
    bool adoptOwn(
        const Cells& headings, const Cells& cells, size_t count, bool bordered, NameCache& cache);
    bool readByEdges(std::string_view line, const Cells& cells, size_t count, NameCache& cache,
        const MetricNames& names, Row& row);
    bool readTagged(std::string_view line, const Cells& cells, size_t count, NameCache& cache,
        const MetricNames& names, Row& row);
    bool adopt(const Cells& headings, const Cells& cells, size_t count, bool bordered,
        NameCache& cache, const MetricNames& names);

    table::HeadingLines m_lines;
    std::string m_lead; ///< the words with which the heading and all rows begin: "scf:"
    std::string m_padded; ///< the current line without them
    std::string m_tableTitle; ///< that of the open table
    std::string m_titledLane; ///< a lane that no cell alone has
    std::vector<size_t> m_ruledColumns; ///< those that the open table has; empty: it has no rule
    std::optional<table::DrawnForm> m_drawn; ///< of the open table
    bool m_isTagCounted = false; ///< "12:" before its rows
    std::vector<Column> m_columns;
    std::vector<size_t> m_edges; ///< where the numbers of each column end; empty: cells are counted
    bool m_bordered = false;
    bool m_counts = false; ///< a column is a counter or a size
    bool m_isSwept = false; ///< see Row::isSwept
    bool m_tagged = false; ///< the first column repeats a word: "ENERGY:"
    bool m_tagsRows = false; ///< a word before each row that the heading lacks: "DAV:"
    bool m_showsDay = false; ///< times are of the day, and not since the start
    bool m_worded = false; ///< one column is of words
    int m_counter = -1; ///< see Row::counter
    std::vector<Span> m_spans; ///< of the cells of the first row
    int m_misfits = 0; ///< lines since the last row
};

/// Whether a line may be a row: numbers, and at most one word between them.
bool looksLikeRow(std::string_view line);

} // namespace slipway

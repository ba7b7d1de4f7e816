// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/columntable.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// GridTable reads tables by where their numbers stand, which ColumnTable does not: cells may be
/// empty, marks and words may stand between them, a heading may have several lines and its names
/// several words. A table is taken for one once some rows have shown its columns, and either one of
/// them counts or the heading has known words. Passive; keeps a few lines and the columns of one
/// table.
class GridTable {
public:
    using Column = ColumnTable::Column;

    /// A row, and the line that it was.
    struct Row {
        ColumnTable::Row cells;
        qint64 line = 0;
        qint64 end = 0; ///< the byte of the log behind the line
        std::string label; ///< the word before the numbers, where a table has one
    };

    /// False when read() would do nothing with a line of this form but to keep it.
    static bool mayRead(const ColumnTable::RowForm& form) { return form.numbers >= leastCells; }

    /// Whether keep() is to be called with a line without numbers. Which digit a digit is does not
    /// matter.
    static bool mayBeHeading(std::string_view text);
    /// A line that may be part of a heading.
    void keep(std::string_view text, qint64 line);
    /// Whether the line is a row; what is certainly none is kept. The rows that are now known as
    /// such, this one the last; none as long as it may still be none.
    bool read(std::string_view text, qint64 line, qint64 end, NameCache& cache,
        const MetricNames& names, std::vector<Row>& rows);

    const std::vector<Column>& columns() const { return m_columns; }

private:
    static constexpr size_t leastCells = 3;
    static constexpr size_t mostCells = ColumnTable::mostColumns - 1;

    struct Cell {
        size_t begin = 0, end = 0;
        double value = 0;
        bool isEmpty = false; ///< "-"
    };
    using Cells = std::vector<Cell>;
    struct Held {
        Cells cells;
        qint64 line = 0, end = 0;
        std::string label;
    };
    struct Span {
        size_t begin = 0, end = 0; ///< of its first number
        std::vector<size_t> begins, ends; ///< of all, a few
    };
    enum class Fit { Edge, Near }; ///< ends or begins where others do, or stands near to them
    struct Kept {
        std::string text;
        qint64 line = 0;
    };

    static bool cellsOf(
        std::string_view text, const MetricNames& names, Cells& cells, std::string& label);
    bool establish(NameCache& cache, const MetricNames& names);
    bool findSpans();
    bool lacksColumns() const;
    bool readHeadings(std::vector<std::string>& headings) const;
    bool nameColumns(
        std::vector<std::string>& headings, NameCache& cache, const MetricNames& names);
    bool isShifted(std::string_view heading) const;
    bool addHeading(std::string_view heading, std::vector<std::string>& columns) const;
    void dropLoose();
    bool isBelowHeading(qint64 line) const;
    void giveHeld(std::vector<Row>& rows);
    int columnAt(size_t begin, size_t end, Fit fit) const;
    bool findCounter();
    enum class Rise { Strictly, Somewhere, Never };
    bool isRising(size_t column, Rise how) const;
    bool place(const Held& held, Row& row);
    void noteEdges(size_t column, size_t begin, size_t end);

    std::array<Kept, 6> m_kept; ///< the last lines that may be headings, the newest first
    std::vector<Held> m_held; ///< rows of a table that is not established
    qint64 m_begin = 0; ///< the line of its first row
    std::vector<Span> m_spans; ///< of its columns; empty: there is none
    std::vector<Column> m_columns;
    int m_counter = -1; ///< the column that counts, or has the time
    bool m_isByTime = false;
    int m_misfits = 0;
    bool m_isFirst = false; ///< the next row is the first
    bool m_isLabelled = false; ///< its rows begin with a word that many of them share
};

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/compare/runcurves.h"

#include <QJsonObject>
#include <QSet>

namespace slipway {

// The runs whose curves are compared as a table: one row for each run, or for each of its lanes.
// Pure.

/// Where a series of one run ended, and its best value.
struct CurveEnd {
    QString series;
    QString unit;
    QString xName;
    std::optional<double> last; ///< NaN or infinite if the series ended so
    std::optional<SeriesPoint> best; ///< none: the better direction is not known
};

/// One run, or one of its lanes.
struct CurvesEntry {
    size_t run = 0; ///< its place in the sources
    QString lane;
    std::vector<CurveEnd> ends; ///< in the order of the wanted series; absent ones have no last
};
/// In the order of the sources and of their lanes. A run without any of the series has one entry.
std::vector<CurvesEntry> curvesEntries(
    const std::vector<CurvesSource>& sources, const QStringList& series);

/// One cell: what it shows, and the number that it is sorted by.
struct CurvesCell {
    QString text;
    std::optional<double> number = {};
    QString whole = {}; ///< for a tool tip and to copy, where the text is shortened
};
struct CurvesColumn {
    QString id; ///< "run", "field:lr", "final:valid_loss", "best:valid_loss", "node", …
    QString title;
    bool isNumber = false;
};
struct CurvesRow {
    QString runId;
    size_t entry = 0; ///< its place in the entries
    std::vector<CurvesCell> cells;
};
struct CurvesTable {
    std::vector<CurvesColumn> columns;
    std::vector<CurvesRow> rows;
};
/// The fields that differ, the final and the best value of each series, duration, node, image and
/// its digest. Fields that are equal are left out.
CurvesTable curvesTable(const std::vector<CurvesSource>& sources,
    const std::vector<CurvesEntry>& entries, const QStringList& series);

/// How the rows are shown. A value.
struct CurvesOrder {
    QString column; ///< by which they are sorted; empty: in the order of the runs
    bool descending = false;
    QString filter; ///< words that a row must contain
    QSet<QString> pinned; ///< ids of runs that come first and are never filtered out
    bool operator==(const CurvesOrder&) const = default;
};
/// The places of the rows to show. Cells without a number come last.
std::vector<size_t> arrangedRows(const CurvesTable& table, const CurvesOrder& order);

/// One row for scripts: run, lane, fields, series with final and best, seconds, node, image and
/// its digest (null: not known).
QJsonObject entryObject(const CurvesEntry& entry, const std::vector<CurvesSource>& sources);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/metricnames.h"
#include "plots/metrics/tablecells.h"

#include <array>

namespace slipway::table {

/// What the heading of a column says, and the cell below it. A value; the meaning is in the cache.
struct ColumnHeading {
    const NameMeaning* meaning = nullptr;
    const MetricUnit* unit = nullptr;
    bool isUnitOfCells = false; ///< the unit stands behind the numbers, and not in the heading
    bool isDevice = false; ///< "GPU(ms)"
    bool isCount = false; ///< "n_clusters"
    bool isWord = false; ///< a name that is known
    bool tells = false; ///< a unit of which it may be told what is measured
};
using ColumnHeadings = std::array<ColumnHeading, mostCells>;

/// "10block": a number with the word that it belongs to, which is no unit.
bool isNumberedName(std::string_view text, const MetricNames& names);

/// Reads the headings of a table with this first row; false when one of them is none.
bool readColumnHeadings(const Cells& headings, const Cells& cells, size_t count, bool bordered,
    NameCache& cache, ColumnHeadings& found);

} // namespace slipway::table

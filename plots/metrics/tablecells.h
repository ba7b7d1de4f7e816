// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/metricnames.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// The cells of a line of a table, whatever it is drawn with. The views point into the line. What
/// splits a line returns how many cells there are, at most as many as are kept.
namespace table {

constexpr size_t mostCells = 40;
using Cells = std::array<std::string_view, mostCells>;
/// A part of a line, by its bytes.
struct Span {
    size_t begin = 0, end = 0;
};

/// The length of a border at the start of the text: "|", "│", "┃", "┆"; 0: none.
inline size_t borderAt(std::string_view text)
{
    if (text.empty() || (text[0] != '|' && text[0] != '\xe2'))
        return 0;
    if (text[0] == '|')
        return 1;
    const bool isBorder = text.starts_with("\xe2\x94\x82") || text.starts_with("\xe2\x94\x83")
        || text.starts_with("\xe2\x94\x86");
    return isBorder ? 3 : 0;
}

/// The cells drawn with bars: "| 1 | 0.5 |". A bar within one becomes a slash.
template <typename It> std::string drawnLine(It cell, It end)
{
    std::string line(1, '|');
    for (; cell != end; ++cell) {
        const size_t begin = line.size();
        line += ' ';
        line += *cell;
        line += " |";
        std::replace(line.begin() + static_cast<std::ptrdiff_t>(begin), line.end() - 1, '|', '/');
    }
    return line;
}

/// Whether the line is drawn with bars: "| 1 | 0.5 |", "1 | 0.5".
bool isBordered(std::string_view line);
size_t borderedCells(std::string_view line, Cells& cells);
size_t separatedCells(std::string_view line, char separator, Cells& cells);
/// Cells that are at least `gap` spaces apart.
size_t spacedCells(std::string_view line, size_t gap, Cells& cells);
/// Words, each with the unit behind it: "Iteration Elapsed (secs)".
size_t cellsWithUnits(std::string_view line, Cells& cells);
/// Where the cells are in their line.
std::vector<Span> spansOf(std::string_view line, const Cells& cells, size_t count);
/// Those of a row with lists of numbers in brackets, which are one cell each: "[0.62 225.48]". 0:
/// it has none, or something else in brackets.
size_t vectorCells(std::string_view line, Cells& cells);
/// Right-aligned headings with spaces in them: each ends where the number below it ends. 0: they do
/// not.
size_t edgeCells(
    std::string_view heading, std::string_view line, const Cells& row, size_t count, Cells& cells);
/// Headings in quotes, with spaces between them: #"Progress (%)"   "Temperature (K)". 0: others.
size_t quotedCells(std::string_view heading, Cells& cells);
/// Those of a row of numbers, by bars, commas or spaces.
size_t rowCells(std::string_view line, bool bordered, Cells& cells);

bool isNumberLike(std::string_view cell);
/// "10:02:03" in the first row of a table: nothing has run for ten hours yet.
bool isTimeOfDay(std::string_view cell);
/// "chr1:18971871": a place in a genome, another one in each row.
bool isLocus(std::string_view cell);
/// "loss=0.5", "loss: 0.5": no cell below a heading, for it has its own name.
bool isNamed(std::string_view cell);
/// Whether a word begins somewhere: "0.6798D+10" and "nan" have none.
bool hasWord(std::string_view text);
/// The numbers among the cells; 0 when the cells name them themselves.
size_t countNumbers(const Cells& cells, size_t count);
/// A cell of a drawn table that holds nothing: "", "--:--:--".
bool isVoid(std::string_view cell);
/// The numbers among the cells of a row, and the cells between bars that hold nothing.
size_t countValues(const Cells& cells, size_t count, bool bordered);
/// "256x256x256", "1024 x 1024": takes a size that all dimensions have.
std::optional<double> takeSizeOfAll(std::string_view& rest);
/// With its unit, in base units, or a time; none: something else.
std::optional<double> cellValue(std::string_view cell, const MetricNames& names);
/// "9098.8 GB/s": the unit behind the number; null: it has none.
const MetricUnit* unitOfCell(std::string_view cell, const MetricNames& names);

} // namespace table

} // namespace slipway

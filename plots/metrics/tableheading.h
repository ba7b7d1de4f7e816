// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/tablecells.h"

#include <algorithm>
#include <string>

namespace slipway::table {

/// "Count  Size  Time, us  Bandwidth, GB/s" above "avg  min  max  avg  min  max": a phrase for each
/// column that has no name yet, and one for each group of names that come again. False: it is
/// something else.
bool addGroups(std::string_view heading, std::vector<std::string>& columns);

/// A heading without the "#" of a comment before it.
std::string_view withoutMark(std::string_view heading);
/// "CPU NODE SOCKET CORE L1d:L1i:L2:L3 ONLINE MAXMHZ": of lscpu -e, which lists what there is.
inline bool isOfProcessors(std::string_view heading)
{
    return heading.starts_with("CPU ") && heading.find(" CORE") != std::string_view::npos;
}
/// Where the parentheses or brackets at the end of a heading open: "Time (s)"; npos: it has none.
inline size_t parenthesisAt(std::string_view heading)
{
    return heading.ends_with(')') ? heading.rfind('(')
        : heading.ends_with(']')  ? heading.rfind('[')
                                  : std::string_view::npos;
}
/// A line between a heading in columns and its rows that takes nothing from it: a sentence, or
/// "Ini   0.79834   3.464102e+00".
bool isRemarkInColumns(std::string_view line);
/// The same below a heading that begins with "# ": "# Datatype: MPI_CHAR." below
/// "# Size   Bandwidth (MB/s)".
bool isMarkedRemark(std::string_view line, std::string_view heading);
/// What both lines begin with: "scf: iscf  Eharris" above "scf:    1   -467.6". No plain word, with
/// which two measurements may begin as well: "validation loss: 0.5".
size_t commonLead(std::string_view heading, std::string_view line);
/// Whether each name stands above its number. Names that are not set in columns need not, nor those
/// of a comment, "# t  x  y", which is written once above rows of any width.
bool isAligned(std::string_view heading, const Cells& names, std::string_view line,
    const Cells& cells, size_t count);
/// Whether each number ends where its name ends.
bool isRightAligned(std::string_view heading, const Cells& names, std::string_view line,
    const Cells& cells, size_t count);
/// Appends each word of a heading to the name of the column below it. False when one of them
/// stands between two columns, or above none.
bool addWords(std::string_view heading, std::string_view line, const Cells& cells, size_t count,
    std::array<std::string, mostCells>& names);

/// How many names the heading has, where one or two spaces part them.
struct NameCounts {
    size_t spaced = 0, wide = 0;
};
NameCounts countNames(std::string_view heading);

/// Calls `adopts` with each way to split a heading into as many names as there are numbers below
/// it, or more of them where words follow the numbers, until one is taken. The last column may be
/// empty below right-aligned names: "notes".
template <typename Adopts>
bool forSplits(std::string_view heading, const NameCounts& counts, std::string_view line,
    const Cells& cells, size_t count, size_t remarks, Adopts adopts)
{
    Cells names;
    const std::string_view text = withoutMark(heading);
    const auto adoptsSpaced = [&](size_t found, size_t gap) {
        if (found < count || found > count + std::max<size_t>(1, remarks))
            return false; // most headings
        spacedCells(text, gap, names);
        return (found <= count + remarks || isRightAligned(heading, names, line, cells, count))
            && adopts(names);
    };
    if (text.starts_with('"') && quotedCells(text, names) == count)
        return adopts(names);
    // "Step, loss" above "1 0.5" as well, and the other way round.
    const bool isListed = text.find(',') != std::string_view::npos;
    if (isListed && separatedCells(text, ',', names) == count && adopts(names))
        return true;
    if (isListed && line.find(',') != std::string_view::npos)
        return false;
    if (adoptsSpaced(counts.spaced, 1) || adoptsSpaced(counts.wide, 2))
        return true;
    if (counts.wide == 1 && counts.spaced > count && text.find(" (") != std::string_view::npos
        && cellsWithUnits(text, names) == count && adopts(names))
        return true;
    return counts.spaced + 1 >= count && edgeCells(heading, line, cells, count, names) == count
        && adopts(names);
}

} // namespace slipway::table

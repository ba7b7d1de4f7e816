// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/tablecells.h"

#include <string>

namespace slipway::table {

/// A heading without the "#" of a comment before it.
std::string_view withoutMark(std::string_view heading);
/// A line between a heading and its rows that takes nothing from it: "*** Starting … ***", a
/// sentence, or "# Datatype: MPI_CHAR." below "# Size   Bandwidth (MB/s)".
bool isRemark(std::string_view line, std::string_view heading);
/// What both lines begin with: "scf: iscf  Eharris" above "scf:    1   -467.6". No plain word, with
/// which two measurements may begin as well: "validation loss: 0.5".
size_t commonLead(std::string_view heading, std::string_view line);
/// Whether each name stands above its number. Names that are not set in columns need not.
bool isAligned(std::string_view heading, const Cells& names, std::string_view line,
    const Cells& cells, size_t count);
/// Whether each number ends where its name ends.
bool isRightAligned(std::string_view heading, const Cells& names, std::string_view line,
    const Cells& cells, size_t count);
/// Appends each word of a heading to the name of the column below it. False when one of them
/// stands between two columns, or above none.
bool addWords(std::string_view heading, std::string_view line, const Cells& cells, size_t count,
    std::array<std::string, mostCells>& names);

/// Calls `adopts` with each way to split a heading into as many names as there are numbers below
/// it, or more of them where words follow the numbers, until one is taken. The last column may be
/// empty below right-aligned names: "notes".
template <typename Adopts>
bool forSplits(std::string_view heading, std::string_view line, const Cells& cells, size_t count,
    size_t remarks, Adopts adopts)
{
    Cells names;
    const std::string_view text = withoutMark(heading);
    const auto fits = [&](size_t found) {
        return (found >= count && found <= count + remarks)
            || (found == count + 1 && isRightAligned(heading, names, line, cells, count));
    };
    if (text.starts_with('"') && quotedCells(text, names) == count)
        return adopts(names);
    if (line.find(',') != std::string_view::npos)
        return separatedCells(text, ',', names) == count && adopts(names);
    if (fits(spacedCells(text, 1, names)) && adopts(names))
        return true;
    if (fits(spacedCells(text, 2, names)) && adopts(names))
        return true;
    return edgeCells(heading, line, cells, count, names) == count && adopts(names);
}

} // namespace slipway::table

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::table {

/// "<dbl> <int>", "│ Int64  Float64": of what type the columns of a data frame are.
bool isOfTypes(std::string_view line);

/// A line of a data frame of Julia without the bar behind its index: " Row │ threads  time", "   1
/// │ 1  10.2". Empty: it is none.
std::string withoutIndexBar(std::string_view line);

/// How a data frame that pandas, R or Julia printed lines up: each name ends where the cells below
/// it end, and the index before the rows has no name, or its names on a line of their own. Of an
/// index with several levels, a cell that repeats the one above is left empty. Where names and
/// cells end elsewhere, each is a word. A value; made by the heading and the first row.
class DataFrameForm {
public:
    /// `indexNames`: the line below the heading that has the names of the index; empty: there is
    /// none. `drawn`: as take(), of the row. None: the lines do not line up like that.
    static std::optional<DataFrameForm> of(std::string_view heading, std::string_view indexNames,
        std::string_view row, std::string& drawn);

    /// The names of its columns, those of the index first. An index without a name has none.
    const std::vector<std::string>& names() const { return m_names; }
    /// Puts the cells below the names, drawn with bars, into `drawn`. False: it is no row.
    bool take(std::string_view row, std::string& drawn);

private:
    static constexpr size_t longestLine = 400;
    static constexpr size_t mostLevels = 4;

    bool findEdges(std::string_view heading, std::string_view row, size_t gap);
    bool findIndex(std::string_view names);
    bool takeWords(std::string_view row, std::vector<std::string_view>& cells) const;
    bool takeEdges(std::string_view row, std::vector<std::string_view>& cells);
    bool takeIndex(std::string_view text, std::vector<std::string_view>& cells);

    std::vector<std::string> m_names;
    std::vector<size_t> m_edges; ///< where the columns end; empty: its cells are words
    std::vector<size_t> m_levels; ///< where those of the index begin; empty: it has no name
    std::vector<std::string> m_index; ///< of the row before
};

} // namespace slipway::table

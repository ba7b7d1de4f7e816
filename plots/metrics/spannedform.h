// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::table {

/// How the columns of a table lie whose cells are two spaces or more apart, while its names, which
/// may have spaces in them, are not: "Workers Polygon mode   Class ms" above "4   replicated
/// polygons   404.22". Each word of the heading belongs to the cell that it stands above. A value;
/// made by the heading and the first row.
class SpannedForm {
public:
    /// `drawn`: as take(), of the row. None: the lines do not lie like that.
    static std::optional<SpannedForm> of(
        std::string_view heading, std::string_view row, std::string& drawn);

    const std::vector<std::string>& names() const { return m_names; }
    /// Puts the cells, drawn with bars, into `drawn`. False: it is no row.
    bool take(std::string_view row, std::string& drawn) const;

private:
    static constexpr size_t longestLine = 400;
    static constexpr size_t leastColumns = 4;

    static bool mayBeRow(std::string_view row);

    std::vector<std::string> m_names;
};

} // namespace slipway::table

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slipway::table {

/// NumberedColumns puts together the heading of a table whose columns are listed above it, one on a
/// line: "# column   1     --> step : The current simulation time step.", "#  2: temperature".
/// Passive.
class NumberedColumns {
public:
    /// Whether the line names the next column of a list of at least two.
    bool keep(std::string_view line);
    /// The names so far, in one line.
    const std::string& heading() const { return m_heading; }

private:
    std::string m_heading;
    size_t m_count = 0;
};

} // namespace slipway::table

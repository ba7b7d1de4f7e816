// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/tablerow.h"

#include "plots/metrics/scan.h"
#include "plots/metrics/tablecells.h"

#include <algorithm>

namespace slipway {

std::vector<std::string_view> tableCells(std::string_view line)
{
    constexpr size_t mostCells = 32;
    std::string_view rest = trimmed(line);
    std::vector<std::string_view> cells;
    size_t border = table::borderAt(rest);
    if (border == 0 || rest.size() > 4096)
        return cells;
    cells.reserve(8);
    rest.remove_prefix(border);
    size_t end = 0;
    while (end < rest.size() && cells.size() < mostCells) {
        border = table::borderAt(rest.substr(end));
        if (border == 0) {
            ++end;
            continue;
        }
        cells.push_back(trimmed(rest.substr(0, end)));
        rest.remove_prefix(end + border);
        end = 0;
    }
    return cells;
}

} // namespace slipway

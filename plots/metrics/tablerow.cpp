// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/tablerow.h"

#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

namespace {

/// U+2502 and U+2503, the light and the heavy bar, or the bar of ASCII; 0 when there is none.
size_t borderLength(std::string_view rest)
{
    if (rest.empty() || (rest[0] != '|' && rest[0] != '\xe2'))
        return 0;
    if (rest[0] == '|')
        return 1;
    return rest.starts_with("\xe2\x94\x82") || rest.starts_with("\xe2\x94\x83") ? 3 : 0;
}

} // namespace

std::vector<std::string_view> tableCells(std::string_view line)
{
    constexpr size_t mostCells = 32;
    std::string_view rest = trimmed(line);
    std::vector<std::string_view> cells;
    if (rest.empty() || (rest[0] != '|' && rest[0] != '\xe2'))
        return cells;
    cells.reserve(8);
    size_t border = borderLength(rest);
    if (border == 0 || rest.size() > 4096)
        return cells;
    rest.remove_prefix(border);
    size_t end = 0;
    while (end < rest.size() && cells.size() < mostCells) {
        border = borderLength(rest.substr(end));
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

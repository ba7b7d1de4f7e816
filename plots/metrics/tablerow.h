// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// Splits a row of a drawn table ("│ a │ b │", "┃", "|") into its trimmed cells. Empty when the
/// line is not a row. The views point into the line.
std::vector<std::string_view> tableCells(std::string_view line);

} // namespace slipway

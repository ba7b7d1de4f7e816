// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string_view>

namespace slipway {

/// A larger number before a line counts: larger jobs are not followed line by line.
constexpr int mostRanks = 1000;

/// Removes the rank label from the line and returns the rank, or -1: "3: " (srun --label),
/// "[1,3]<stdout>:" (mpirun --tag-output), "[3] " and "[3]: ".
/// `mayCount`, if not null: whether it is written as a counter would be, too: "[10]
/// train-rmse:0.5".
int takeRankLabel(std::string_view& text, bool* mayCount = nullptr);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string_view>

namespace slipway {

/// With how many processes or threads a command starts its program.
struct LaunchCount {
    std::string_view count; ///< A whole number, a part of the command.
    std::string_view of; ///< "processes" or "threads"
};

/// "srun -n 4 ./a.out" and "mpirun -np 4 ./a.out" → 4 processes; "OMP_NUM_THREADS=8 ./a.out",
/// also behind "export " → 8 threads. Empty: the command names no count.
std::optional<LaunchCount> launchCount(std::string_view command);
/// Whether it begins like a command that may name one. Which digit a digit is does not matter.
bool mayBeLaunch(std::string_view command);

} // namespace slipway

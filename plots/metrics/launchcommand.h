// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// With how many processes or threads a command starts its program.
struct LaunchCount {
    std::string_view count; ///< A whole number, a part of the command.
    std::string_view of; ///< "processes" or "threads"
};

/// "srun -n 4 ./a.out" and "mpirun -np 4 ./a.out" → 4 processes; "OMP_NUM_THREADS=8 ./a.out",
/// also behind "export " → 8 threads. Empty: the command names no count.
std::optional<LaunchCount> launchCount(std::string_view command);

/// A number that a command gives to its program.
struct CommandNumber {
    std::string name; ///< "batch_size" of "--batch-size 32", "N" of "./matmul_N512", "argument 1"
    double value = 0;
};

/// The numbers of a command that starts a program, as a shell or its prompt shows it, in their
/// order: "$ ./matmul 512", "+ srun -n 4 ./a.out --size=64", "me@host:~/work$ python run.py -n 10".
/// Empty: the line is something else, or has none.
std::vector<CommandNumber> commandNumbers(std::string_view line);

} // namespace slipway

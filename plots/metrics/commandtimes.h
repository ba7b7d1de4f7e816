// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <string>
#include <string_view>

namespace slipway {

/// How long a command took, as time(1), tcsh and zsh print it, in the words of bash: "0.02user
/// 0.51system 0:05.47elapsed 9%CPU (…)k" is "real 5.47 s, user 0.02 s, sys 0.51 s". Of
/// zsh, what the command sets comes first, or else its program: "OMP_NUM_THREADS=4 ./a.out  0.02s
/// user …", "./a.out  0.02s user …". Empty: the line says something else.
std::string timesOfCommand(std::string_view line);
/// Whether a line ends like one of them, as few lines do.
inline bool mayBeTimesOfCommand(std::string_view line)
{
    return !line.empty() && std::string_view("kwl \t").find(line.back()) != std::string_view::npos;
}

} // namespace slipway

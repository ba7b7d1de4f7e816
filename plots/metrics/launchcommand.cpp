// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/launchcommand.h"

#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

namespace {

std::optional<LaunchCount> counted(std::string_view count, std::string_view of)
{
    constexpr size_t mostDigits = 7;
    if (count.size() > mostDigits || !wholeCount(count))
        return {};
    return LaunchCount{count, of};
}

constexpr std::string_view setThreads = "OMP_NUM_THREADS=";

/// "srun", "/usr/bin/mpirun"
bool isLauncher(std::string_view program)
{
    static constexpr std::string_view launchers[] = {
        "srun", "mpirun", "mpiexec", "orterun", "ibrun", "aprun"};
    return isOneOf(program.substr(program.rfind('/') + 1), launchers);
}

} // namespace

std::optional<LaunchCount> launchCount(std::string_view command)
{
    static constexpr std::string_view options[] = {"-n", "-np", "--ntasks", "--np"};
    skip(command, "export ");
    const std::string_view program = takeWord(command);
    if (std::string_view threads = program; skip(threads, setThreads))
        return counted(threads, "threads");
    if (!isLauncher(program))
        return {};
    for (std::string_view word = takeWord(command); !word.empty(); word = takeWord(command)) {
        const size_t equals = std::min(word.find('='), word.size());
        if (isOneOf(word.substr(0, equals), options)) {
            const bool isJoined = equals < word.size();
            return counted(isJoined ? word.substr(equals + 1) : takeWord(command), "processes");
        }
        // "-n4"
        if (std::string_view joined = word; skip(joined, "-n") && wholeCount(joined))
            return counted(joined, "processes");
    }
    return {};
}

bool mayBeLaunch(std::string_view command)
{
    skip(command, "export ");
    const std::string_view program = takeWord(command);
    return program.starts_with(setThreads) || isLauncher(program);
}

} // namespace slipway

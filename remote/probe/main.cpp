// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/agent.h"
#include "remote/probe/bench/bench.h"
#include "remote/probe/check.h"
#include "remote/probe/gather.h"
#include "remote/probe/rowwriter.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

using namespace slipway::probe;

namespace {

const char usage[] =
    "usage: slipway-probe check [--level quick|bench|stress] [--where host|container] [--runtime "
    "NAME] [--rows FILE] [--deadline SECONDS] [--seconds SECONDS]\n"
    "       slipway-probe race  --work gemm-fp32|gemm-fp64|triad|nbody --lane gpu|cpu|cpu-1 "
    "[--lane-label TEXT] [--sizes N,N] [--repeats N] [--warmup N] [--rows FILE]\n"
    "       slipway-probe agent [--every SECONDS]\n"
    "       slipway-probe version\n";

int wrongUsage()
{
    std::fputs(usage, stderr);
    return 2;
}

/// The value after the option, which is removed from the arguments; none: not given.
std::optional<std::string> takeOption(std::vector<std::string>& arguments, std::string_view name)
{
    const auto it = std::ranges::find(arguments, name);
    if (it == arguments.end() || it + 1 == arguments.end())
        return {};
    const std::string value = it[1];
    arguments.erase(it, it + 2);
    return value;
}

/// "bench" includes "bench.triad"; without names all match.
bool wanted(const std::string& id, const std::vector<std::string>& only)
{
    return only.empty() || std::ranges::any_of(only, [&](const std::string& name) {
        return id == name || id.starts_with(name + '.');
    });
}

int check(std::vector<std::string> arguments)
{
    static const char* const levels[] = {"quick", "bench", "stress"};
    static const char* const places[] = {"host", "container"};
    const std::string level = takeOption(arguments, "--level").value_or("quick");
    const std::string where = takeOption(arguments, "--where").value_or("host");
    const std::string runtime = takeOption(arguments, "--runtime").value_or("");
    const std::string deadline = takeOption(arguments, "--deadline").value_or("10");
    const std::string stressSeconds = takeOption(arguments, "--seconds").value_or("60");
    const std::string file = takeOption(arguments, "--rows").value_or("");
    const std::vector<std::string> only = split(takeOption(arguments, "--only").value_or(""), ',');
    const auto levelAt = std::ranges::find(levels, level);
    const auto placeAt = std::ranges::find(places, where);
    Settings settings;
    settings.deadline = std::strtod(deadline.c_str(), nullptr);
    settings.stressSeconds = std::strtod(stressSeconds.c_str(), nullptr);
    if (!arguments.empty() || levelAt == std::end(levels) || placeAt == std::end(places)
        || !(settings.deadline > 0) || !(settings.stressSeconds > 0))
        return wrongUsage();
    settings.level = Level(levelAt - std::begin(levels));
    settings.place = Place(placeAt - std::begin(places));
    settings.runtime = runtime;

    RowWriter writer(file);
    writer.begin(level.c_str(), where.c_str());
    std::vector<Check> checks;
    addDriverChecks(checks);
    addGpuChecks(checks);
    addNodeChecks(checks);
    addBenchChecks(checks);
    const Facts facts = gatherFacts(settings);
    for (const Check& check : checks) {
        if (check.level > settings.level || !wanted(check.id, only))
            continue;
        auto begin = std::chrono::steady_clock::now();
        check.run(settings, facts, [&](Row row) {
            const auto now = std::chrono::steady_clock::now();
            if (!row.ms)
                row.ms = std::chrono::duration<double, std::milli>(now - begin).count();
            begin = now;
            writer.add(row);
        });
    }
    writer.end();
    return writer.exitCode();
}

} // namespace

int main(int count, char** values)
{
    std::vector<std::string> arguments(values + std::min(count, 2), values + count);
    const std::string command = count > 1 ? values[1] : "";
    if (command == "check")
        return check(arguments);
    if (command == "race") {
        RowWriter writer(takeOption(arguments, "--rows").value_or(""));
        const int code = race(arguments, writer);
        return code == 2 ? wrongUsage() : code;
    }
    if (command == "agent") {
        const std::string every = takeOption(arguments, "--every").value_or("1");
        const double seconds = std::strtod(every.c_str(), nullptr);
        return arguments.empty() && seconds >= 0.05 && seconds <= 3600 ? agent(seconds)
                                                                       : wrongUsage();
    }
    if (command == "version") {
        std::puts(SLIPWAY_VERSION);
        return 0;
    }
    return wrongUsage();
}

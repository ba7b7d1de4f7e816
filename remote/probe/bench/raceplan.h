// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/bench/lane.h"

#include <optional>
#include <string>
#include <vector>

namespace slipway::probe {

/// The options of `slipway-probe race`. A value.
struct RacePlan {
    Work work = Work::GemmFp32;
    std::string lane; ///< "gpu", "cpu", "cpu-1"
    std::string label; ///< "GPU"
    std::vector<long> sizes; ///< rising
    Repeats repeats;
};

/// None where the arguments are wrong.
std::optional<RacePlan> racePlan(std::vector<std::string> arguments);

/// Estimated seconds of a size, at the given operations (triad: bytes) per second.
double expectedSeconds(const RacePlan& plan, long size, double peak);

/// The lines "@slipway {…}" of one point: rate, time, and time with transfers.
std::vector<std::string> sampleLines(const RacePlan& plan, const Json& point);

/// A row of this race: id, lane and label are set.
Row raceRow(const RacePlan& plan, const char* id, State state);
/// A point as measurePoint made it, as a row with the text that a job's log shows.
Row pointRow(const RacePlan& plan, const Json& point);
/// A size that is left out.
Row sizeRow(const RacePlan& plan, long size, const std::string& why);

} // namespace slipway::probe

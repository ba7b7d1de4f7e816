// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/core/facts.h"
#include "remote/probe/core/row.h"

#include <functional>
#include <string>
#include <vector>

namespace slipway::probe {

enum class Level { Quick, Bench, Stress };
/// The options of the command line. A value.
struct Settings {
    Level level = Level::Quick;
    Place place = Place::Host;
    double deadline =
        10; ///< s that a driver may take to answer; a check of a higher level adds its own time
    double stressSeconds = 60;
    std::string runtime; ///< of the container, if given; empty: it is detected
};

/// A check tests one thing and passes on its rows. `run` must not crash or hang: risky calls belong
/// in a child (child.h).
struct Check {
    std::string id; ///< of its row, or of the first of them
    Level level; ///< runs at this level and higher ones
    std::function<void(const Settings&, const Facts&, const std::function<void(Row)>& add)> run;
};

/// Each file adds its checks, in the order in which they are displayed.
void addDriverChecks(std::vector<Check>& checks);
void addGpuChecks(std::vector<Check>& checks);
void addNodeChecks(std::vector<Check>& checks);
void addBenchChecks(std::vector<Check>& checks); ///< remote/probe/bench

} // namespace slipway::probe

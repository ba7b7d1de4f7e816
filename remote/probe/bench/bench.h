// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/check.h"
#include "remote/probe/rowwriter.h"

#include <string>
#include <vector>

namespace slipway::probe {

/// `slipway-probe race …`: the arguments behind the word, without --rows; 2 where they are wrong,
/// else the writer's code.
int race(const std::vector<std::string>& arguments, RowWriter& writer);

// The parts of addBenchChecks (check.h).
void addVerifyCheck(std::vector<Check>& checks);
void addProcessorBenchChecks(std::vector<Check>& checks);
void addGpuBenchChecks(std::vector<Check>& checks);
void addStressChecks(std::vector<Check>& checks);

} // namespace slipway::probe

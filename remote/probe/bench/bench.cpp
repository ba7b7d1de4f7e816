// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/bench/bench.h"

namespace slipway::probe {

void addBenchChecks(std::vector<Check>& checks)
{
    addVerifyCheck(checks);
    addProcessorBenchChecks(checks);
    addGpuBenchChecks(checks);
    addStressChecks(checks);
}

} // namespace slipway::probe

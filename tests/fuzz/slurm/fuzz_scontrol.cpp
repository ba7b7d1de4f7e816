// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/scontrol.h"
#include "tests/fuzz/target.h"

#include <cstdlib>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(scontrol)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    const SchedulerConfig config = parseSchedulerConfig(input);
    (void)gpuRequestOf(config);
    for (const PartitionLimits& limits : parsePartitionLimits(input))
        if (limits.name.isEmpty() || limits.mostNodes < 0 || limits.memoryPerCpu.mebibytes() < 0)
            std::abort();
    return 0;
}

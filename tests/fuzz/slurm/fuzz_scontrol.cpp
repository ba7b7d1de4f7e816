// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/scontrol.h"

#include <cstdlib>

using namespace slipway;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    const SchedulerConfig config = parseSchedulerConfig(input);
    (void)gpuRequestOf(config);
    for (const PartitionLimits& limits : parsePartitionLimits(input))
        if (limits.name.isEmpty() || limits.mostNodes < 0 || limits.memoryPerCpu.mebibytes() < 0)
            std::abort();
    return 0;
}

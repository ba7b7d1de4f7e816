// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/procfiles.h"
#include "remote/probe/core/programs.h"
#include "remote/probe/core/slurmenv.h"
#include "tests/fuzz/target.h"

#include <cstdlib>
#include <string>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(nodefiles)
{
    using namespace slipway::probe;
    const std::string text(reinterpret_cast<const char*>(data), size);
    (void)readDriverVersion(text);
    (void)readKernelGpu(text);
    (void)readXids(text);
    (void)readCpuInfo(text);
    (void)readMemInfo(text, "MemTotal");
    (void)readCpuTimes(text);
    (void)readMounts(text);
    (void)readCgroups(text);
    (void)readCpuMax(text);
    (void)readMemoryLimit(text);
    (void)readMpiList(text);
    (void)versionIn(text);
    (void)mpiVersionIn(text);
    (void)readFirstCount(text);
    if (const auto gpus = readGpuCount(text); gpus && *gpus < 0)
        std::abort();
    if (readCpuList(text).size() > 1'000'000)
        std::abort();
    const GpuMask mask = GpuMask::of(text);
    for (const int index : mask.indexesOf(8))
        if (index < 0 || index >= 8)
            std::abort();
    return 0;
}

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/core/gpufacts.h"
#include "remote/probe/core/slurmenv.h"

#include <optional>
#include <string>
#include <vector>

namespace slipway::probe {

/// The agent's sample of the node's CPUs and memory. A value.
struct HostSample {
    std::optional<double> cpu; ///< per cent of the CPUs that the job may use
    int cpus = 0;
    std::optional<double> memoryUsed, memoryTotal; ///< against the job's limit
    double load = 0;
};

/// One line of the agent, as documented in remote/probe/README.md.
Json sampleRow(
    double t, const std::string& node, const std::vector<NvmlGpu>& gpus, const HostSample& host);

/// The job's cards among those that NVML shows. NVML ignores CUDA_VISIBLE_DEVICES: the mask is
/// applied here; UUIDs may be shortened; numbers count NVML's cards, which hold to PCI order as
/// Slurm's do.
std::vector<NvmlGpu> jobsGpus(const std::vector<NvmlGpu>& all, const GpuMask& mask);

/// How long to wait from `now` so that samples are taken at begin + n × every, however long one
/// takes: seconds.
double untilNextSample(double begin, double every, double now);

} // namespace slipway::probe

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/sample.h"

#include <algorithm>
#include <cmath>

namespace slipway::probe {

namespace {

std::optional<double> rounded(const std::optional<double>& value, double step)
{
    return value ? std::optional(std::round(*value / step) * step) : std::nullopt;
}

} // namespace

Json sampleRow(
    double t, const std::string& node, const std::vector<NvmlGpu>& gpus, const HostSample& host)
{
    Json::Array list;
    for (size_t i = 0; i < gpus.size(); ++i) {
        const NvmlGpu& gpu = gpus[i];
        Json one;
        one.set("uuid", gpu.uuid).set("name", gpu.name).set("index", int(i));
        one.set("utilization", gpu.utilization)
            .set("memory_used", gpu.memoryUsed)
            .set("memory_total", gpu.memoryTotal);
        one.set("power", rounded(gpu.power, 0.1))
            .set("power_limit", gpu.powerLimit)
            .set("temperature", gpu.temperature)
            .set("clock", gpu.clock);
        if (gpu.throttle)
            one.set("throttle", Json::list(throttleWords(std::uint64_t(*gpu.throttle))));
        list.push_back(one);
    }
    Json about;
    about.set("cpu", rounded(host.cpu, 0.1))
        .set("cpus", host.cpus)
        .set("memory_used", host.memoryUsed)
        .set("memory_total", host.memoryTotal)
        .set("load", host.load);
    Json row;
    row.set("id", "sample")
        .set("t", std::round(t * 1000) / 1000)
        .set("node", node)
        .set("gpus", list)
        .set("host", about);
    return row;
}

std::vector<NvmlGpu> jobsGpus(const std::vector<NvmlGpu>& all, const GpuMask& mask)
{
    if (!mask.set)
        return all;
    if (mask.hidesAll())
        return {};
    std::vector<NvmlGpu> chosen;
    for (const std::string& entry : mask.entries) {
        const auto number = wholeNumber(entry);
        const auto it = std::ranges::find_if(all, [&](const NvmlGpu& gpu) {
            const bool part = std::ranges::any_of(
                gpu.migUuids, [&](const std::string& uuid) { return uuid.starts_with(entry); });
            return number ? gpu.index == *number : part || gpu.uuid.starts_with(entry);
        });
        if (it == all.end())
            break; // as CUDA does
        const bool twice =
            std::ranges::any_of(chosen, [&](const NvmlGpu& gpu) { return gpu.uuid == it->uuid; });
        if (!twice)
            chosen.push_back(*it);
    }
    // A mask without a match was written for the whole node, while the job's control group shows
    // fewer GPUs.
    return chosen.empty() ? all : chosen;
}

double untilNextSample(double begin, double every, double now)
{
    const double n = std::floor((now - begin) / every + 1e-9) + 1;
    return std::max(0.0, begin + n * every - now);
}

} // namespace slipway::probe

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/node/nodesample.h"
#include "remote/base/tr.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace slipway {

namespace {

constexpr double idleBelow = 5; ///< per cent of use, on average
constexpr double fullFrom = 90; ///< per cent of memory
constexpr int fewestSamples =
    10; ///< samples before a GPU is called idle: loading data is not idling
constexpr double heldBackShare = 0.2; ///< of the samples: a short drop of the clock is normal

/// One GPU over the minute.
struct GpuMinute {
    int known = 0; ///< samples that contain its utilization
    double use = 0;
    std::optional<double> memory; ///< per cent, the latest
    int samples = 0;
    std::map<QString, int> throttle;

    bool idle() const { return known >= fewestSamples && use / known < idleBelow; }
};

struct NodeMinute {
    std::map<std::pair<QString, QString>, GpuMinute> gpus; ///< by node and UUID
    std::map<QString, double> memory; ///< of each node, per cent, latest
};

std::optional<double> shareOf(const std::optional<double>& used, const std::optional<double>& total)
{
    if (!used || !total || *total <= 0)
        return {};
    return std::min(100.0, 100 * *used / *total);
}

NodeMinute minuteOf(const std::vector<NodeSample>& samples)
{
    NodeMinute minute;
    for (const NodeSample& sample : samples) {
        for (const GpuSample& gpu : sample.gpus) {
            const QString name = gpu.uuid.isEmpty() ? QString::number(gpu.index) : gpu.uuid;
            GpuMinute& one = minute.gpus[{sample.node, name}];
            ++one.samples;
            if (gpu.utilization) {
                ++one.known;
                one.use += *gpu.utilization;
            }
            if (const auto memory = shareOf(gpu.memoryUsed, gpu.memoryTotal))
                one.memory = memory;
            for (const QString& reason : gpu.throttle)
                ++one.throttle[reason];
        }
        if (const auto memory = shareOf(sample.memoryUsed, sample.memoryTotal))
            minute.memory[sample.node] = *memory;
    }
    return minute;
}

std::optional<NodeWarning> idleWarning(const NodeMinute& minute)
{
    const int all = int(minute.gpus.size());
    const int idle = int(std::count_if(
        minute.gpus.begin(), minute.gpus.end(), [](const auto& gpu) { return gpu.second.idle(); }));
    if (idle == 0)
        return {};
    if (all == 1)
        return NodeWarning{true, tr("the GPU is idle")};
    if (idle == all)
        return NodeWarning{true, tr("all %1 GPUs idle").arg(all)};
    return NodeWarning{true, tr("%1 of %2 GPUs idle").arg(idle).arg(all)};
}

} // namespace

std::vector<NodeWarning> nodeWarnings(const std::vector<NodeSample>& lastMinute)
{
    std::vector<NodeWarning> remarks;
    const NodeMinute minute = minuteOf(lastMinute);
    if (const auto idle = idleWarning(minute))
        remarks.push_back(*idle);
    std::optional<double> fullest;
    QStringList reasons;
    for (const auto& [name, gpu] : minute.gpus) {
        if (gpu.memory)
            fullest = std::max(fullest.value_or(0), *gpu.memory);
        for (const auto& [reason, count] : gpu.throttle)
            if (count >= std::max(2.0, heldBackShare * gpu.samples) && !reasons.contains(reason))
                reasons << reason;
    }
    if (fullest)
        remarks.push_back({*fullest >= fullFrom, tr("GPU memory %1 %").arg(std::lround(*fullest))});
    if (!reasons.isEmpty())
        remarks.push_back({true,
            (minute.gpus.size() == 1 ? tr("the GPU is throttled: %1")
                                     : tr("a GPU is throttled: %1"))
                .arg(reasons.join(QStringLiteral(", ")))});
    for (const auto& [node, memory] : minute.memory)
        if (memory >= fullFrom)
            remarks.push_back({true, tr("memory of %1 %2 %").arg(node).arg(std::lround(memory))});
    return remarks;
}

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/sample.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// One GPU of the job at one moment. Bytes, watts, degrees Celsius, hertz, per cent; values that
/// the driver did not report are absent.
struct GpuSample {
    QString uuid;
    QString name;
    int index = 0; ///< of the job's GPUs on that node
    std::optional<double> utilization, memoryUsed, memoryTotal, power, powerLimit, temperature,
        clock;
    QStringList throttle; ///< reasons, in words
};

/// A sample of slipway-probe's agent on one node of a running job. A value, one line per second.
struct NodeSample {
    double t = 0; ///< seconds since 1970, the node's clock
    QString node;
    std::vector<GpuSample> gpus;
    std::optional<double> cpu; ///< per cent of the CPUs that the job may use
    std::optional<double> memoryUsed, memoryTotal; ///< of what the job may use
    int cpus = 0;
};

/// None if the line is not a sample.
std::optional<NodeSample> readNodeSample(const QByteArray& line);

/// The sample as points of curves: series "gpu_utilization", "gpu_memory", "gpu_power",
/// "gpu_temperature", "cpu_utilization", "host_memory"; the lane names node and GPU; x is seconds
/// since `begin`.
std::vector<Sample> samplesOf(const NodeSample& sample, double begin);

/// A summary of the last minute of samples: "1 of 2 GPUs idle", "GPU memory 91 %",
/// "the GPU is throttled: power limit". Each with a sign for its severity.
struct NodeWarning {
    bool warning = false;
    QString text;
    bool operator==(const NodeWarning&) const = default;
};
std::vector<NodeWarning> nodeWarnings(const std::vector<NodeSample>& lastMinute);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/quantities.h"
#include "remote/slurm/jobspec.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// The value of one line of `scontrol show config` ("MinJobAge = 300 sec"); empty: not there,
/// "(null)".
QString configValue(const QByteArray& config, const char* key);

/// What a scheduler's configuration says that a job's request depends on. Every field may be
/// unknown (empty).
struct SchedulerConfig {
    QString selectType; ///< "select/cons_tres", "select/linear"
    QStringList gresTypes; ///< "gpu", "shard"
    QString mpiDefault; ///< of srun --mpi; empty: none
    MemorySize
        memoryPerCpu; ///< what a job gets that asks for none; zero: all of the node, or unknown
    bool interactiveStep = false; ///< salloc lands on the first node
};
SchedulerConfig parseSchedulerConfig(const QByteArray& config);

/// How GPUs are asked for, as far as the configuration tells; `why` says it in a sentence either
/// way.
struct GpuRequestFinding {
    std::optional<GpuRequestStyle> style;
    QString why;
};
GpuRequestFinding gpuRequestOf(const SchedulerConfig& config);

/// The limits of one partition from `scontrol -o show partition`, beside those that sinfo knows.
struct PartitionLimits {
    QString name;
    int mostNodes = 0; ///< of one job; 0: no limit
    MemorySize memoryPerCpu; ///< by default; zero: the scheduler's
};
/// Lines that make no sense are left out, and so is the second of one name.
std::vector<PartitionLimits> parsePartitionLimits(const QByteArray& output);

} // namespace slipway

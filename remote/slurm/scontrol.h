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

/// The value of one line of `scontrol show config` ("MinJobAge = 300 sec"); empty: missing or
/// "(null)".
QString configValue(const QByteArray& config, const char* key);

/// The part of a scheduler's configuration that a job's request depends on. Every field may be
/// unknown (empty).
struct SchedulerConfig {
    QString selectType; ///< "select/cons_tres", "select/linear"
    QStringList gresTypes; ///< "gpu", "shard"
    QString mpiDefault; ///< of srun --mpi; empty: none
    MemorySize
        memoryPerCpu; ///< the default of a job without a request; zero: all of the node, or unknown
    bool interactiveStep = false; ///< salloc starts its shell on the first node
};
SchedulerConfig parseSchedulerConfig(const QByteArray& config);

/// How GPUs are requested, according to the configuration; `why` explains it in a sentence in
/// either case.
struct GpuRequestFinding {
    std::optional<GpuRequestStyle> style;
    QString why;
};
GpuRequestFinding gpuRequestOf(const SchedulerConfig& config);

/// The limits of one partition from `scontrol -o show partition`, in addition to those of sinfo.
struct PartitionLimits {
    QString name;
    int mostNodes = 0; ///< of one job; 0: no limit
    MemorySize memoryPerCpu; ///< by default; zero: the scheduler's default
};
/// Invalid lines are left out, and so are duplicates.
std::vector<PartitionLimits> parsePartitionLimits(const QByteArray& output);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/quantities.h"
#include "remote/base/result.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace slipway {

/// How GPUs are requested on a cluster. WholeNode: GPUs come with the node, and any GPU flag
/// would be refused (TACC).
enum class GpuRequestStyle { Gres, Gpus, GpusPerNode, WholeNode };

/// A job's resource request in Slurm's terms (sbatch(1)). Empty text and zero mean "not specified".
/// A value.
struct JobSpec {
    QString jobName; ///< [A-Za-z0-9._-]{1,64}
    QString account;
    QString partition;
    QString qos;
    QString reservation;
    QString constraint;
    int nodes = 1;
    int tasksPerNode = 1;
    int cpusPerTask = 0;
    std::optional<MemorySize> memory; ///< --mem, per node
    std::optional<MemorySize> memoryPerCpu;
    int gpus = 0; ///< per node
    QString gpuType; ///< "h100"; empty: any
    WallTime timeLimit;
    bool exclusive = false;
    bool requeue = false;
    bool singleton = false; ///< starts after all earlier jobs of the same name and user have ended
    QString signal =
        {}; ///< sent before the time limit: "USR1@120", "B:USR1@120" to the script only
    QString dependency = {}; ///< "afterany:42:43": it starts after these jobs have ended
    QString array = {}; ///< "0-5%2": tasks 0 to 5 of an array, two of them at once
    QString comment; ///< jobComment(): the job is found again by it
    QString output; ///< file name of stdout and stderr, "slurm-%j.out"
};

/// What the comment of each job that Slipway submits begins with.
inline constexpr char jobCommentPrefix[] = "slipway:";
/// The comment of the job with this tag: "slipway:<uuid>".
QString jobComment(const QString& tag);

/// The nearest legal job name to a free text: "PyTorch matmul (n=4096)" → "PyTorch-matmul-n-4096".
/// Never empty, never longer than 64, never beginning with a dot or a dash.
QString legalJobName(const QString& text);
bool isLegalJobName(const QString& text);

/// The options of sbatch, in a fixed order, one "--option=value" each: what follows "#SBATCH " in a
/// script. `output` is a file name pattern (%j works).
/// Error: a value holds a character that the field does not allow (newline, control, quote…).
Result<QStringList> jobOptions(const JobSpec& job, GpuRequestStyle style);

/// The same request for salloc(1): no output file and no requeue.
Result<QStringList> allocationOptions(const JobSpec& job, GpuRequestStyle style);

} // namespace slipway

// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/job.h"
#include "remote/slurm/records.h"

#include <vector>

namespace slipway {

/// The accounting record of a job that squeue no longer lists. After a requeue there are several
/// rows with one ID; the last one counts.
struct JobRecord {
    JobId id;
    JobState state = JobState::Unknown;
    QString stateText;
    int exitCode = 0;
    int signal = 0;
    std::optional<QDateTime> submitted, started, ended;
    std::optional<std::chrono::seconds> elapsed;
    QString tres, nodeList, comment, name;
};

/// The history of these jobs over the last `days` (sacct's own default is only today).
QByteArray sacctCommand(const Separators& separators, const std::vector<JobId>& jobs, int days = 7);
/// Rows in sacct's order; one without a job ID is left out and counted in `odd`. Where
/// accounting is off, sacct ends with 1: do not parse that.
Result<std::vector<JobRecord>> parseSacct(
    const QByteArray& output, const Separators& separators, int* odd = nullptr);

} // namespace slipway

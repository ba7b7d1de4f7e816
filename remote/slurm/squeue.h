// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/slurm/job.h"
#include "remote/slurm/records.h"

#include <vector>

namespace slipway {

/// The script text of one squeue for all jobs of this user, finished ones (for MinJobAge) included,
/// times in epoch seconds. `expandArrays` false: a pending array is one row ("42_[1-999]").
QByteArray squeueCommand(const Separators& separators, bool expandArrays = true);
/// The same for these jobs only; an unknown job is not an error but has no row.
QByteArray squeueCommand(const Separators& separators, const std::vector<JobId>& jobs);

/// The rows of either. Free text comes last in a row and is kept byte for byte where it is UTF-8. A
/// row that cannot be parsed is left out and counted in `odd`. An answer without a valid row is an
/// error.
Result<std::vector<Job>> parseSqueue(
    const QByteArray& output, const Separators& separators, int* odd = nullptr);

/// Only ID, comment and working folder: to find a job by its tag.
struct TaggedJob {
    JobId id;
    JobState state = JobState::Unknown;
    QString nodeList;
    QString comment;
    QString workDir;
};
/// A row without a job ID is left out, unless it may be one of ours: a search by tag must not treat
/// that job as absent.
QByteArray taggedJobsCommand(const Separators& separators);
Result<std::vector<TaggedJob>> parseTaggedJobs(
    const QByteArray& output, const Separators& separators);

} // namespace slipway
